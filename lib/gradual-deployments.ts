import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OperationName } from '../contract/routes.ts';
import type { Environment } from './environments.ts';
import type { ServiceFunction } from './functions.ts';

/**
 * The operations that write most records. Each takes three resources (version, alias, deployment group), so all writing
 * operations would exceed the budget of 400 resources (docs/decisions/0058-safe-changes.md).
 */
export const gradualOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'createIncident',
  'updateIncident',
  'deleteIncident',
  'createWorkNote',
  'receiveInboundEvent',
  'createChange',
  'updateChange',
  'approveChange',
  'createRequest',
  'updateRequest',
  'approveRequest',
  'createCi',
  'updateCi',
  'createArticle',
  'updateArticle',
]);

export interface GradualDeploymentsProps {
  environment: Environment;
  functions: Readonly<Record<OperationName, ServiceFunction>>;
  /** The alarm that watches a function. CodeDeploy rolls back, and starts no deployment, while it is raised. */
  findAlarm(fn: ServiceFunction): Alarm;
}

/** Moves requests to a new version step by step, and back when the function fails. */
export class GradualDeployments extends Construct {
  constructor(scope: Construct, id: string, { environment, functions, findAlarm }: GradualDeploymentsProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'AWS documents this managed policy as the one for deployments of Lambda functions.',
    });
    const { gradualDeployment, ignoreAlarms = false } = environment;
    const deploymentConfig =
      gradualDeployment && !ignoreAlarms
        ? LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES
        : LambdaDeploymentConfig.ALL_AT_ONCE;
    for (const name of gradualOperations) {
      const fn = functions[name];
      if (!fn.alias) throw new Error(`the function of ${name} has no alias`);
      new LambdaDeploymentGroup(this, name, {
        application,
        alias: fn.alias,
        role: role.withoutPolicyUpdates(),
        deploymentConfig,
        ...(!ignoreAlarms && { alarms: [findAlarm(fn)] }),
        autoRollback: { failedDeployment: true, ...(!ignoreAlarms && { deploymentInAlarm: true }) },
      });
    }
  }
}
