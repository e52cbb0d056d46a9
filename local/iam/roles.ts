// Collects the permissions of each role: its inline policies and the AWS managed policies that it names.
import { requireValue } from '../require-value.ts';
import type { Properties, Resource } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';
import { compilePolicy, compileTrust, type Statement, type TrustStatement } from './policy.ts';

export interface Role {
  logicalId: string;
  arn: string;
  name: string;
  statements: Statement[];
  trust: TrustStatement[];
}

// The template does not contain the statements of managed policies, so all others are rejected.
const managedPolicyActions: Readonly<Record<string, readonly string[]>> = {
  'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole': [
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:PutLogEvents',
  ],
  // For gradual deployments, which do not run here.
  'arn:aws:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited': [
    'cloudwatch:DescribeAlarms',
    'lambda:GetAlias',
    'lambda:UpdateAlias',
  ],
  'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs': [
    'logs:CreateLogGroup',
    'logs:CreateLogStream',
    'logs:DescribeLogGroups',
    'logs:DescribeLogStreams',
    'logs:PutLogEvents',
    'logs:GetLogEvents',
    'logs:FilterLogEvents',
  ],
};

/** Returns the roles by ARN; throws an error that lists all unsupported features. */
export function readRoles(resources: readonly Resource[]): Map<string, Role> {
  const problems: string[] = [];
  const roles = resources
    .filter(({ type }) => type === 'AWS::IAM::Role')
    .map((resource) => readRole(resource, (problem) => problems.push(`${resource.logicalId}.${problem}`)));
  assertSupported('IAM', problems);
  return new Map(roles.map((role) => [role.arn, role]));
}

function readRole(
  { logicalId, physicalId, attributes, properties }: Resource,
  report: (problem: string) => void,
): Role {
  const inline = (properties.Policies ?? []).flatMap(({ PolicyName, PolicyDocument }: Properties) =>
    compilePolicy(PolicyDocument, (problem) => report(`${PolicyName}: ${problem}`)),
  );
  const managed = (properties.ManagedPolicyArns ?? []).flatMap((arn: string) => {
    const actions = managedPolicyActions[arn];
    if (!actions) report(`ManagedPolicyArns: the managed policy ${arn} is not supported`);
    const statement = { Effect: 'Allow', Action: actions ?? '*', Resource: '*' };
    return compilePolicy({ Version: '2012-10-17', Statement: statement }, report);
  });
  return {
    logicalId,
    arn: requireValue(attributes.Arn),
    name: physicalId,
    statements: [...inline, ...managed],
    trust: compileTrust(properties.AssumeRolePolicyDocument, (problem) =>
      report(`AssumeRolePolicyDocument: ${problem}`),
    ),
  };
}
