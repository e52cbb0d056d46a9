import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::Events::Rule': {
    ref: getName,
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:events:${environment.region}:${environment.accountId}:rule/${getName(logicalId, properties, environment)}`,
    }),
    supported: { Name: true, EventPattern: true, Targets: { Id: true, Arn: true } },
    ignored: {
      Description: 'documentation only',
      Tags: 'the local runtime does not read tags',
    },
  },
  'AWS::Scheduler::Schedule': {
    ref: getName,
    attributes: (logicalId, properties, environment) => ({
      Arn: `arn:aws:scheduler:${environment.region}:${environment.accountId}:schedule/default/${getName(logicalId, properties, environment)}`,
    }),
    supported: {
      Name: true,
      ScheduleExpression: true,
      FlexibleTimeWindow: { Mode: true },
      Target: {
        Arn: true,
        RoleArn: true,
        RetryPolicy: { MaximumRetryAttempts: true, MaximumEventAgeInSeconds: true },
      },
    },
    ignored: { Description: 'documentation only' },
  },
};

function getName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  if (typeof properties.Name === 'string') return properties.Name;
  const name = `${stackName}-${logicalId}`;
  if (name.length <= 64) return name;
  return `${name.slice(0, 51)}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}
