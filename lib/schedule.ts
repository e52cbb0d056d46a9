import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
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
    const invocation = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [target.lambda.functionArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
      inlinePolicies: { permissions: new PolicyDocument({ statements: [invocation] }) },
    });
    new CfnSchedule(this, 'Schedule', {
      description,
      scheduleExpression: minutes === 1 ? 'rate(1 minute)' : `rate(${minutes} minutes)`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: target.lambda.functionArn,
        roleArn: role.roleArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    });
  }
}
