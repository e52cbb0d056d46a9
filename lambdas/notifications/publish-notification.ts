import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBRecord } from 'aws-lambda';
import { clientDefaults, createSharedClient } from '../platform/clients/shared-client.ts';
import { readString } from '../records/item-store.ts';
import { type Notification, toNotification } from './notification.ts';

/** Publishes a message to whoever subscribed to the service's topic. */
export type Publish = (subject: string, message: string) => Promise<void>;

/** The notification that an entry of the stream tells of. Writing one again, or its expiry, tells of none. */
export function toNewNotification({ dynamodb }: DynamoDBRecord): Notification | undefined {
  const { NewImage, OldImage } = dynamodb ?? {};
  if (OldImage || NewImage?.type?.S !== 'notification') return undefined;
  return toNotification({ document: { S: readString(NewImage, 'document') } });
}

/** What subscribers read: a sentence, and the notification for programs. */
export async function publishNotification(notification: Notification, publish: Publish): Promise<void> {
  const { subject, sentence } = toMessage(notification);
  await publish(toPrintable(subject), `${sentence}\n\n${JSON.stringify(notification, null, 2)}\n`);
}

interface Words {
  subject: string;
  sentence: string;
}

function toMessage(notification: Notification): Words {
  const { webhook_id, webhook_name, delivered_event, incident_id, priority, short_description, group } = notification;
  switch (notification.event) {
    case 'webhook.disabled':
      return {
        subject: `Webhook ${webhook_id} was deactivated`,
        sentence: `The webhook "${webhook_name}" wants no more events and was deactivated.`,
      };
    case 'webhook.delivery_failed':
      return {
        subject: `Webhook ${webhook_id} failed`,
        sentence: `The webhook "${webhook_name}" did not receive ${delivered_event}.`,
      };
    case 'incident.created':
      return {
        subject: `New incident ${incident_id} (${priority})`,
        sentence: `${incident_id} (${priority}${group === null ? '' : `, for ${group}`}): ${short_description}`,
      };
    case 'sla.breach_warning':
    case 'sla.breached': {
      const what = notification.event === 'sla.breached' ? 'is late' : 'will soon be late';
      return {
        subject: `${incident_id} (${priority}) ${what}`,
        sentence: `${incident_id} ${what}: ${short_description}`,
      };
    }
    default:
      return { subject: notification.event, sentence: `${notification.event}: ${short_description ?? ''}` };
  }
}

/** SNS takes a subject of at most 100 printable ASCII characters. */
function toPrintable(subject: string): string {
  return subject.replace(/[^\x20-\x7e]/g, '?').slice(0, 100);
}

export function createTopicPublisher(client: SNSClient, topicArn: string): Publish {
  return async (subject, message) => {
    await client.send(new PublishCommand({ TopicArn: topicArn, Subject: subject, Message: message }));
  };
}

export const snsClient = createSharedClient(() => new SNSClient(clientDefaults));
