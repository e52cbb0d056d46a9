import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { ServiceFunction } from './functions.ts';

export interface ScheduleProps {
  minutes: number;
  description: string;
  target: ServiceFunction;
}

/** Invokes a function on a schedule. A missed invocation is not repeated, because the next one does all the work. */
export class Schedule extends Construct {
  constructor(scope: Construct, id: string, { minutes, description, target }: ScheduleProps) {
    super(scope, id);
    new CfnSchedule(this, 'Schedule', {
      description,
      scheduleExpression: minutes === 1 ? 'rate(1 minute)' : `rate(${minutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.lambda.functionArn,
        roleArn: Scheduler.find(this).allowInvocation(target),
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
  }
}

/** The role of all schedules of a stack, which may invoke their functions only. A role for each would be a resource for each. */
class Scheduler extends Construct {
  private readonly policy = new PolicyDocument();
  private readonly role: Role;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      inlinePolicies: { permissions: this.policy },
    });
  }

  static find(scope: Construct): Scheduler {
    const stack = Stack.of(scope);
    return (stack.node.tryFindChild('Scheduler') as Scheduler | undefined) ?? new Scheduler(stack, 'Scheduler');
  }

  /** Returns the ARN of the role. */
  allowInvocation({ lambda }: ServiceFunction): string {
    this.policy.addStatements(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [lambda.functionArn] }),
    );
    return this.role.roleArn;
  }
}
