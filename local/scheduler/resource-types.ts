import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::Events::Rule': {
    ref: (logicalId, properties, environment) => nameOf(logicalId, properties, environment),
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:events:${environment.region}:${environment.accountId}:rule/${nameOf(logicalId, properties, environment)}`,
    }),
    honoured: {
      Name: true,
      ScheduleExpression: true,
      EventPattern: true,
      State: true,
      Targets: {
        Id: true,
        Arn: true,
        RoleArn: true,
        Input: true,
        InputPath: true,
        InputTransformer: true,
        SqsParameters: true,
        DeadLetterConfig: true,
        RetryPolicy: { MaximumRetryAttempts: true, MaximumEventAgeInSeconds: true },
      },
    },
    withoutEffect: {
      Description: 'it is for people',
      Tags: 'nothing on one machine reads tags',
    },
  },
  'AWS::Scheduler::Schedule': {
    ref: (logicalId, properties, environment) => nameOf(logicalId, properties, environment),
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:scheduler:${environment.region}:${environment.accountId}:schedule/${properties.GroupName ?? 'default'}/${nameOf(logicalId, properties, environment)}`,
    }),
    honoured: {
      Name: true,
      GroupName: true,
      ScheduleExpression: true,
      ScheduleExpressionTimezone: true,
      State: true,
      StartDate: true,
      EndDate: true,
      FlexibleTimeWindow: { Mode: true, MaximumWindowInMinutes: true },
      Target: {
        Arn: true,
        RoleArn: true,
        Input: true,
        SqsParameters: true,
        DeadLetterConfig: true,
        RetryPolicy: { MaximumRetryAttempts: true, MaximumEventAgeInSeconds: true },
      },
    },
    withoutEffect: {
      Description: 'it is for people',
      KmsKeyArn: 'schedules are as safe as the data folder they are in',
      ActionAfterCompletion: 'a schedule that is over does nothing, deleted or not',
    },
  },
};

function nameOf(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  if (typeof properties.Name === 'string') return properties.Name;
  const name = `${stackName}-${logicalId}`;
  if (name.length <= 64) return name;
  return `${name.slice(0, 51)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
