import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::IAM::Role': {
    ref: getRoleName,
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:iam::${environment.accountId}:role/${getRoleName(logicalId, properties, environment)}`,
      RoleId: `AROA${digest(`${environment.stackName}/${logicalId}`, 17)}`,
    }),
    supported: {
      RoleName: true,
      AssumeRolePolicyDocument: true,
      Policies: { PolicyName: true, PolicyDocument: true },
      ManagedPolicyArns: true,
    },
    ignored: {
      Description: 'documentation only',
      Tags: 'the local runtime does not read tags',
      MaxSessionDuration: 'sessions do not expire on one machine',
    },
  },
};

/** Uses CloudFormation's form, stack-logicalId-SUFFIX, with a suffix that is the same at every start. */
function getRoleName(logicalId: string, { RoleName: name }: Properties, { stackName }: StackEnvironment): string {
  if (name !== undefined) return name;
  const suffix = digest(`${stackName}/${logicalId}`, 12);
  return `${`${stackName}-${logicalId}`.slice(0, 64 - suffix.length - 1)}-${suffix}`;
}

function digest(text: string, length: number): string {
  const base64 = createHash('sha256').update(text).digest('base64');
  return base64
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, length);
}
