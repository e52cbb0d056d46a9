import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Where entries of the stream go that cannot be understood, whole as far as a message has room. */
export function createDeadLetterQueue(client: SQSClient, queueUrl: string): (entry: unknown) => Promise<void> {
  return async (entry) => {
    const text = JSON.stringify(entry);
    const MessageBody = Buffer.byteLength(text) <= maxBytes ? text : text.slice(0, maxBytes / 4);
    await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody }));
  };
}

const maxBytes = 240_000;
