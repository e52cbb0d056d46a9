import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import { retry } from '../retry.ts';
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

/** Sends any number of messages. Those that SQS rejects are retried. */
export async function sendMessages(
  client: SQSClient,
  queueUrl: string,
  bodies: readonly string[],
  delaySeconds = 0,
): Promise<void> {
  const send = (batch: readonly string[]) => sendBatch(client, queueUrl, batch, delaySeconds);
  await pMap(splitIntoBatches(bodies), send, { concurrency });
}

const concurrency = 4;
const maxAttempts = 3;

/** SQS takes ten messages in one call. */
const maxMessages = 10;

function* splitIntoBatches(bodies: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const body of bodies) {
    const size = Buffer.byteLength(body);
    if (batch.length === maxMessages || (batch.length > 0 && bytes + size > maxBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(body);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

async function sendBatch(
  client: SQSClient,
  queueUrl: string,
  bodies: readonly string[],
  DelaySeconds: number,
): Promise<void> {
  let entries = bodies.map((MessageBody, place) => ({ Id: String(place), MessageBody, DelaySeconds }));
  const attempt = async () => {
    const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
    if (Failed.length === 0) return true;
    const failed = new Set(Failed.map(({ Id }) => Id));
    entries = entries.filter(({ Id }) => failed.has(Id));
    return undefined;
  };
  const exhausted = () => new Error(`${entries.length} messages could not be queued`);
  await retry(attempt, { maxAttempts, exhausted });
}
