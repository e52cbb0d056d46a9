import type { Properties, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';

export const resourceTypes: ResourceTypes = {
  'AWS::SNS::Topic': {
    ref: (logicalId, properties, environment) =>
      toTopicArn(toTopicName(logicalId, properties, environment), environment),
    attributes: (logicalId, properties, environment) => {
      const name = toTopicName(logicalId, properties, environment);
      return { TopicArn: toTopicArn(name, environment), TopicName: name };
    },
    supported: { TopicName: true },
    ignored: {
      DisplayName: 'the sender name of e-mails, which topics do not send here',
      KmsMasterKeyId: 'the data folder is not encrypted',
      Tags: 'the local runtime does not read tags',
    },
  },
  'AWS::SNS::TopicPolicy': {
    ref: (logicalId) => logicalId,
    supported: {},
    ignored: {
      Topics: 'only the policies of the calling role decide about access',
      PolicyDocument: 'it requires TLS or admits other services, and both ends are this process',
    },
  },
};

function toTopicName(logicalId: string, properties: Properties, { stackName }: StackEnvironment): string {
  return typeof properties.TopicName === 'string' ? properties.TopicName : `${stackName}-${logicalId}`;
}

function toTopicArn(name: string, { region, accountId }: StackEnvironment): string {
  return `arn:aws:sns:${region}:${accountId}:${name}`;
}
