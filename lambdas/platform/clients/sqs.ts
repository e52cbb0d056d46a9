import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const sqsClient = createSharedClient(() => new SQSClient(clientDefaults));

/** Receives stream entries that cannot be processed. Truncates an entry that exceeds the size of a message. */
export function createDeadLetterQueue(client: SQSClient, queueUrl: string): (entry: unknown) => Promise<void> {
  return async (entry) => {
    const text = toMessageBody(entry);
    const MessageBody = Buffer.byteLength(text) <= maxBytes ? text : text.slice(0, maxBytes / 4);
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
  };
}

const maxBytes = 240_000;

/** SQS rejects a message that contains U+FFFE or U+FFFF; in JSON, they can be escaped. */
export function toMessageBody(value: unknown): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}
