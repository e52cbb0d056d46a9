import { createHash } from 'node:crypto';
import type { ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::KMS::Key': {
    ref: (logicalId, _properties, environment) => keyId(logicalId, environment),
    attributes: (logicalId, _properties, environment) => {
      const id = keyId(logicalId, environment);
      return { KeyId: id, Arn: keyArn(id, environment) };
    },
    supported: { KeyPolicy: true, Enabled: true, KeySpec: true, KeyUsage: true, Origin: true, MultiRegion: true },
    ignored: {
      Description: 'it is for people who look at the key in the cloud',
      EnableKeyRotation: 'new material would lie beside the old in the same data folder',
      RotationPeriodInDays: 'new material would lie beside the old in the same data folder',
      PendingWindowInDays: 'a key goes with the data folder',
      Tags: 'nothing on one machine reads tags',
    },
  },
  'AWS::KMS::Alias': {
    ref: (_logicalId, properties) => String(properties.AliasName),
    attributes: (_logicalId, properties, environment) => ({
      AliasName: String(properties.AliasName),
      Arn: aliasArn(String(properties.AliasName), environment),
    }),
    supported: { AliasName: true, TargetKeyId: true },
  },
};

/** The same at every start, though it looks as random as AWS's. */
function keyId(logicalId: string, { stackName }: StackEnvironment): string {
  const digest = createHash('sha256').update(`${stackName} ${logicalId}`).digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

export function keyArn(id: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:kms:${region}:${accountId}:key/${id}`;
}

export function aliasArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:kms:${region}:${accountId}:${name}`;
}
