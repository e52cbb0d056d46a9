import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OperationName } from '../contract/routes.ts';
import type { Environment } from './environments.ts';
import type { ServiceFunction } from './functions.ts';

/** The operations that write most records. Each takes three resources: version, alias and deployment group. */
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
  operations: {
    watchDeployments(scope: Construct, functions: readonly ServiceFunction[]): (fn: ServiceFunction) => Alarm;
  };
}

/** Each stack of functions has the deployment groups of its own: an alias refers to its group, and the group to the function's alarm. */
export function deployGradually({ functions, ...props }: GradualDeploymentsProps): void {
  const all = [...gradualOperations].map((name) => [name, functions[name]] as const);
  for (const stack of new Set(all.map(([, fn]) => Stack.of(fn)))) {
    const own = new Map(all.filter(([, fn]) => Stack.of(fn) === stack));
    new GradualDeployments(stack, `${stack.node.id}Deployment`, { ...props, functions: own });
  }
}

/** Moves requests to a new version step by step, and back when the function fails. */
class GradualDeployments extends Construct {
  constructor(
    scope: Construct,
    id: string,
    {
      environment,
      functions,
      operations,
    }: Omit<GradualDeploymentsProps, 'functions'> & { functions: ReadonlyMap<OperationName, ServiceFunction> },
  ) {
    super(scope, id);
    // CodeDeploy rolls back, and starts no deployment, while the alarm of a function is raised.
    const findAlarm = operations.watchDeployments(this, [...functions.values()]);
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
    for (const [name, fn] of functions) {
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
