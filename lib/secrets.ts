import { Key } from 'aws-cdk-lib/aws-kms';
import type { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './functions.ts';

// The key that encrypts webhook secrets and header values. It is separate from the table's key, because reading records
// and reading their secrets are different permissions.

export interface SecretsProps {
  removalPolicy: RemovalPolicy;
}

export class Secrets extends Construct {
  private readonly key: Key;

  constructor(scope: Construct, id: string, { removalPolicy }: SecretsProps) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts webhook secrets and header values.',
      enableKeyRotation: true,
      removalPolicy,
    });
  }

  /** Allows sealing secrets of records with this id prefix. */
  grantSeal(fn: ServiceFunction, idPrefix: string): void {
    this.grant(fn, 'kms:Encrypt', idPrefix);
  }

  /** Allows opening secrets of records with this id prefix. */
  grantOpen(fn: ServiceFunction, idPrefix: string): void {
    this.grant(fn, 'kms:Decrypt', idPrefix);
  }

  private grant(fn: ServiceFunction, action: string, idPrefix: string): void {
    fn.allow([action], [this.key.keyArn], { StringLike: { 'kms:EncryptionContext:record_id': `${idPrefix}*` } });
    fn.lambda.addEnvironment('SECRETS_KEY', this.key.keyArn);
  }
}
