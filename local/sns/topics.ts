// The topics and subscriptions that a template declares.
import type { Log } from '../log.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import type { Subscription } from './message.ts';
import { subscriptionArn } from './resource-types.ts';

const delivered = ['sqs', 'lambda'];
const notDelivered = ['email', 'email-json', 'http', 'https', 'sms', 'application', 'firehose'];

export function loadTopics(
  resources: readonly Resource[],
  topics: Map<string, Subscription[]>,
  { environment, log }: { environment: StackEnvironment; log: Log },
): void {
  const problems: string[] = [];
  const found: (Subscription & { logicalId: string })[] = [];
  for (const { logicalId, type, properties, physicalId } of resources) {
    if (type === 'AWS::SNS::Topic') {
      topics.set(physicalId, []);
      if (properties.FifoTopic === true || properties.FifoTopic === 'true') {
        problems.push(`${logicalId}: FIFO topics are not supported`);
      }
      for (const [index, inner] of (properties.Subscription ?? []).entries()) {
        const arn = subscriptionArn(`${logicalId} ${index}`, { TopicArn: physicalId }, environment);
        found.push({
          logicalId,
          arn,
          topicArn: physicalId,
          protocol: inner.Protocol,
          endpoint: inner.Endpoint,
          raw: false,
        });
      }
    } else if (type === 'AWS::SNS::Subscription') {
      const { TopicArn: topicArn, Protocol: protocol, Endpoint: endpoint, RawMessageDelivery } = properties;
      found.push({
        logicalId,
        arn: physicalId,
        topicArn,
        protocol,
        endpoint,
        raw: String(RawMessageDelivery) === 'true',
      });
    }
  }
  for (const { logicalId, ...subscription } of found) {
    const { protocol, endpoint, topicArn } = subscription;
    if (!topics.has(topicArn)) problems.push(`${logicalId}: the topic ${topicArn} is unknown`);
    else if (delivered.includes(protocol)) topics.get(topicArn)!.push(subscription);
    else if (notDelivered.includes(protocol))
      log.warn('a subscription gets nothing here', { protocol, endpoint, topicArn });
    else problems.push(`${logicalId}: the protocol ${protocol} is not supported`);
  }
  if (problems.length > 0) throw new Error(`SNS cannot honour the template:\n- ${problems.join('\n- ')}`);
}
