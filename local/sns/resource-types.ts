import { createHash } from 'node:crypto';
import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::SNS::Topic': {
    ref: (logicalId, properties, environment) => topicArn(topicName(logicalId, properties, environment), environment),
    attributes: (logicalId, properties, environment) => {
      const name = topicName(logicalId, properties, environment);
      return { TopicArn: topicArn(name, environment), TopicName: name };
    },
    honoured: { TopicName: true, Subscription: { Endpoint: true, Protocol: true }, FifoTopic: true },
    withoutEffect: {
      DisplayName: 'it names the sender of emails, and none are sent',
      KmsMasterKeyId: 'messages are as safe as the data folder they are in',
      SignatureVersion: 'no message leaves the machine, so none is signed',
      TracingConfig: 'there is no tracing service on one machine',
      DeliveryStatusLogging: "every delivery that fails is in the runtime's log",
      Tags: 'nothing on one machine reads tags',
    },
  },
  'AWS::SNS::Subscription': {
    ref: (logicalId, properties, environment) => subscriptionArn(logicalId, properties, environment),
    attributes: (logicalId, properties, environment) => ({ Arn: subscriptionArn(logicalId, properties, environment) }),
    honoured: { TopicArn: true, Protocol: true, Endpoint: true, RawMessageDelivery: true },
    withoutEffect: {
      Region: 'there is one region on one machine',
      DeliveryPolicy: 'it is about HTTP endpoints, and none are called',
    },
  },
  'AWS::SNS::TopicPolicy': {
    ref: (logicalId) => logicalId,
    honoured: {},
    withoutEffect: {
      Topics: 'access is decided by the policies of the calling role',
      PolicyDocument: 'it demands TLS or admits other services, and both ends are this process',
    },
  },
};

function topicName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  return typeof properties.TopicName === 'string' ? properties.TopicName : `${stackName}-${logicalId}`;
}

function topicArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:sns:${region}:${accountId}:${name}`;
}

/** The same at every start, though it looks as random as AWS's. */
export function subscriptionArn(logicalId: string, properties: Properties, environment: StackEnvironment): string {
  const topic = typeof properties.TopicArn === 'string' ? properties.TopicArn : topicArn(logicalId, environment);
  const digest = createHash('sha256').update(`${environment.stackName} ${logicalId}`).digest('hex');
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ];
  return `${topic}:${parts.join('-')}`;
}
