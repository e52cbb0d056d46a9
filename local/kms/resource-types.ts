import { createHash } from 'node:crypto';
import type { ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::KMS::Key': {
    ref: (logicalId, _properties, environment) => toKeyId(logicalId, environment),
    attributes: (logicalId, _properties, environment) => {
      const id = toKeyId(logicalId, environment);
      return { KeyId: id, Arn: toKeyArn(id, environment) };
    },
    supported: { KeyPolicy: true },
    ignored: {
      Description: 'documentation only',
      EnableKeyRotation: 'old and new material would be in the same data folder',
      RotationPeriodInDays: 'old and new material would be in the same data folder',
      PendingWindowInDays: 'a key is deleted with the data folder',
      Tags: 'the local runtime does not read tags',
    },
  },
};

/** Looks random, as in AWS, but is the same at every start. */
function toKeyId(logicalId: string, { stackName }: StackEnvironment): string {
  const digest = createHash('sha256').update(`${stackName} ${logicalId}`).digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

export function toKeyArn(id: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:kms:${region}:${accountId}:key/${id}`;
}
