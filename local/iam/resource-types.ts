// What the template may say about roles and policies. Documents are taken whole here and checked statement by statement
// when they are compiled.
import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

const labels = 'a label for people and bills; no permission here looks at it';

export const resourceTypes: ResourceTypes = {
  'AWS::IAM::Role': {
    ref: roleName,
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:iam::${environment.accountId}:role${properties.Path ?? '/'}${roleName(logicalId, properties, environment)}`,
      RoleId: `AROA${digest(`${environment.stackName}/${logicalId}`, 17)}`,
    }),
    honoured: {
      RoleName: true,
      Path: true,
      AssumeRolePolicyDocument: true,
      Policies: { PolicyName: true, PolicyDocument: true },
      ManagedPolicyArns: true,
      PermissionsBoundary: true,
    },
    withoutEffect: {
      Description: labels,
      Tags: labels,
      MaxSessionDuration: 'sessions of functions do not end on one machine',
    },
  },
  'AWS::IAM::Policy': {
    ref: (_logicalId, properties) => properties.PolicyName,
    attributes: (logicalId, _properties, environment) => ({ Id: generatedName(logicalId, environment, 128) }),
    honoured: { PolicyName: true, PolicyDocument: true, Roles: true },
  },
  'AWS::IAM::ManagedPolicy': {
    ref: managedPolicyArn,
    attributes: (logicalId, properties, environment) => ({
      PolicyArn: managedPolicyArn(logicalId, properties, environment),
    }),
    honoured: { ManagedPolicyName: true, Path: true, PolicyDocument: true, Roles: true },
    withoutEffect: { Description: labels },
  },
};

function roleName(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  return properties.RoleName ?? generatedName(logicalId, environment, 64);
}

function managedPolicyArn(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  const name = properties.ManagedPolicyName ?? generatedName(logicalId, environment, 128);
  return `arn:aws:iam::${environment.accountId}:policy${properties.Path ?? '/'}${name}`;
}

/** CloudFormation's form, stack-logicalId-SUFFIX, with a suffix that is the same at every start. */
function generatedName(logicalId: string, environment: StackEnvironment, limit: number): string {
  const suffix = digest(`${environment.stackName}/${logicalId}`, 12);
  return `${`${environment.stackName}-${logicalId}`.slice(0, limit - suffix.length - 1)}-${suffix}`;
}

function digest(text: string, length: number): string {
  return createHash('sha256')
    .update(text)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
    .slice(0, length);
}
