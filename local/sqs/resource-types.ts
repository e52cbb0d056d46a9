import type { ResourceTypes } from '../template/resource-type.ts';
import { toQueueArn, toQueueName, toQueueUrl } from './queues.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::SQS::Queue': {
    ref: (logicalId, properties, environment) =>
      toQueueUrl(toQueueName(logicalId, properties, environment), environment),
    attributes: (logicalId, properties, environment) => {
      const name = toQueueName(logicalId, properties, environment);
      return { Arn: toQueueArn(name, environment), QueueName: name, QueueUrl: toQueueUrl(name, environment) };
    },
    supported: {
      QueueName: true,
      VisibilityTimeout: true,
      MessageRetentionPeriod: true,
      DelaySeconds: true,
      RedrivePolicy: { deadLetterTargetArn: true, maxReceiveCount: true },
    },
    ignored: {
      KmsMasterKeyId: 'the data folder is not encrypted',
      KmsDataKeyReusePeriodSeconds: 'the data folder is not encrypted',
      SqsManagedSseEnabled: 'the data folder is not encrypted',
      RedriveAllowPolicy: 'one stack owns every queue',
      Tags: 'the local runtime does not read tags',
    },
  },
  'AWS::SQS::QueuePolicy': {
    ref: (logicalId) => logicalId,
    supported: {},
    ignored: {
      Queues: 'only the policies of the calling role decide about access',
      PolicyDocument: 'it requires TLS or admits other services, and both ends are this process',
    },
  },
};
