import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** Creates a state machine that waits and sends messages to workers. */
export function createMessageMachine(
  scope: Construct,
  name: string,
  queues: readonly Queue[],
  toDefinition: (partition: string) => object,
): CfnStateMachine {
  const stack = Stack.of(scope);
  const resources = queues.map(({ queueArn }) => queueArn);
  const sendMessages = new PolicyStatement({ actions: ['sqs:SendMessage'], resources });
  const role = new Role(scope, 'MachineRole', {
    assumedBy: new ServicePrincipal('states.amazonaws.com'),
    inlinePolicies: { permissions: new PolicyDocument({ statements: [sendMessages] }) },
  });
  const machine = new CfnStateMachine(scope, 'Machine', {
    stateMachineName: name,
    roleArn: role.roleArn,
    definitionString: stack.toJsonString(toDefinition(stack.partition)),
  });
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions-SF1', reason: 'Step Functions keeps the history of executions, and the workers log errors.' },
    { id: 'AwsSolutions-SF2', reason: 'The workers are traced; the state machine only waits and sends messages.' },
  );
  return machine;
}
