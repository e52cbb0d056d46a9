import { Key } from 'aws-cdk-lib/aws-kms';
import type { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './functions.ts';

// The key that seals what people entrust to the service: secrets of webhooks, values of headers. It is not the key of
// the table, because reading records is one permission and reading their secrets is another.

export interface SecretsProps {
  removalPolicy: RemovalPolicy;
}

export class Secrets extends Construct {
  private readonly key: Key;

  constructor(scope: Construct, id: string, { removalPolicy }: SecretsProps) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Seals the secrets of webhooks.',
      enableKeyRotation: true,
      removalPolicy,
    });
  }

  /** Sealing secrets of records whose ids start like this. */
  grantSeal(fn: ServiceFunction, idPrefix: string): void {
    this.grant(fn, 'kms:Encrypt', idPrefix);
  }

  /** Reading secrets of records whose ids start like this. */
  grantOpen(fn: ServiceFunction, idPrefix: string): void {
    this.grant(fn, 'kms:Decrypt', idPrefix);
  }

  private grant(fn: ServiceFunction, action: string, idPrefix: string): void {
    fn.allow([action], [this.key.keyArn], { StringLike: { 'kms:EncryptionContext:record_id': `${idPrefix}*` } });
    fn.lambda.addEnvironment('SECRETS_KEY', this.key.keyArn);
  }
}
