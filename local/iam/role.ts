// Puts together, from the template's resources, what each role may do: its inline policies, the AWS::IAM::Policy and
// ManagedPolicy resources that name it, and the managed policies that it names.
import type { Properties, Resource } from '../template/resource-type.ts';
import { managedPolicies } from './managed-policies.ts';
import { compilePolicy, compileTrust, type Statement, type TrustStatement } from './policy.ts';

export interface Role {
  arn: string;
  name: string;
  id: string;
  statements: Statement[];
  boundary: Statement[] | undefined;
  trust: TrustStatement[];
}

export function readRoles(resources: readonly Resource[]): Map<string, Role> {
  const problems: string[] = [];
  const managed = templateManagedPolicies(resources, problems);
  const roles = new Map<string, Role>();
  for (const resource of resources.filter(({ type }) => type === 'AWS::IAM::Role')) {
    const role = readRole(resource, managed, problems);
    roles.set(role.arn, role);
  }
  const byName = new Map([...roles.values()].map((role) => [role.name, role]));
  for (const resource of resources) attach(resource, byName, managed, problems);
  if (problems.length > 0) {
    throw new Error(`IAM policies that cannot be honoured:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  }
  return roles;
}

type Managed = (arn: string) => Statement[] | undefined;

function templateManagedPolicies(resources: readonly Resource[], problems: string[]): Managed {
  const own = new Map<string, Statement[]>();
  for (const { type, logicalId, physicalId, properties } of resources) {
    if (type !== 'AWS::IAM::ManagedPolicy') continue;
    own.set(
      physicalId,
      compilePolicy(properties.PolicyDocument, (problem) => problems.push(`${logicalId}: ${problem}`)),
    );
  }
  return (arn) => {
    const document = managedPolicies.get(arn);
    return document ? compilePolicy(document, (problem) => problems.push(`${arn}: ${problem}`)) : own.get(arn);
  };
}

function readRole(
  { logicalId, physicalId, attributes, properties }: Resource,
  managed: Managed,
  problems: string[],
): Role {
  const named = (arn: unknown, property: string): Statement[] => {
    const statements = managed(String(arn));
    if (!statements) problems.push(`${logicalId}.${property}: unknown managed policy ${String(arn)}`);
    return statements ?? [];
  };
  const inline = (properties.Policies ?? []).flatMap((policy: Properties) =>
    compilePolicy(policy.PolicyDocument, (problem) => problems.push(`${logicalId}.${policy.PolicyName}: ${problem}`)),
  );
  const attached = (properties.ManagedPolicyArns ?? []).flatMap((arn: unknown) => named(arn, 'ManagedPolicyArns'));
  return {
    arn: attributes.Arn!,
    name: physicalId,
    id: attributes.RoleId!,
    statements: [...inline, ...attached],
    boundary:
      properties.PermissionsBoundary === undefined
        ? undefined
        : named(properties.PermissionsBoundary, 'PermissionsBoundary'),
    trust: compileTrust(properties.AssumeRolePolicyDocument, (problem) =>
      problems.push(`${logicalId}.AssumeRolePolicyDocument: ${problem}`),
    ),
  };
}

function attach(
  { type, logicalId, physicalId, properties }: Resource,
  roles: ReadonlyMap<string, Role>,
  managed: Managed,
  problems: string[],
): void {
  if (type !== 'AWS::IAM::Policy' && type !== 'AWS::IAM::ManagedPolicy') return;
  const statements =
    type === 'AWS::IAM::Policy'
      ? compilePolicy(properties.PolicyDocument, (problem) => problems.push(`${logicalId}: ${problem}`))
      : (managed(physicalId) ?? []);
  for (const name of properties.Roles ?? []) {
    const role = roles.get(name);
    if (role) role.statements.push(...statements);
    else problems.push(`${logicalId}.Roles: no role is named ${name}`);
  }
}
