import type { ResourceTypes } from '../template/resource-type.ts';
import { queueArn, queueName, queueUrl } from './queue.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::SQS::Queue': {
    ref: (logicalId, properties, environment) =>
      queueUrl(queueName(logicalId, properties.QueueName, environment), environment),
    attributes: (logicalId, properties, environment) => {
      const name = queueName(logicalId, properties.QueueName, environment);
      return { Arn: queueArn(name, environment), QueueName: name, QueueUrl: queueUrl(name, environment) };
    },
    supported: {
      QueueName: true,
      VisibilityTimeout: true,
      MessageRetentionPeriod: true,
      DelaySeconds: true,
      ReceiveMessageWaitTimeSeconds: true,
      MaximumMessageSize: true,
      RedrivePolicy: { deadLetterTargetArn: true, maxReceiveCount: true },
      FifoQueue: true,
    },
    ignored: {
      KmsMasterKeyId: 'messages are as safe as the data folder they are in',
      KmsDataKeyReusePeriodSeconds: 'messages are as safe as the data folder they are in',
      SqsManagedSseEnabled: 'messages are as safe as the data folder they are in',
      RedriveAllowPolicy: 'one stack owns every queue, so no other could send its dead letters here',
      Tags: 'nothing on one machine reads tags',
    },
  },
  'AWS::SQS::QueuePolicy': {
    ref: (logicalId) => logicalId,
    supported: {},
    ignored: {
      Queues: 'access is decided by the policies of the calling role',
      PolicyDocument: 'it demands TLS or admits other services, and both ends are this process',
    },
  },
};
