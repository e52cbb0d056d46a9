import type { DynamoDBRecord, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { type IndexWrite, type RejectedWrite, writeDocuments } from '../lists/search-documents.ts';
import type { SearchClient } from '../platform/clients/opensearch.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import type { ItemStore } from '../records/item-store.ts';
import { indexKinds } from './index-kinds.ts';

// Writes the records of the stream to OpenSearch. An outage of OpenSearch must not delay events, so the keys of records that
// were not written go to a queue, and a worker writes their last version. Each write has a version, so the order does not
// matter.

export interface IndexTools {
  client: SearchClient;
  sendToRetryQueue(key: ItemKey): Promise<void>;
  log: Log;
}

/** Of a record, or of what was learned of it. */
interface ItemKey {
  pk: string;
  sk: string;
}

/** The attributes of an item that has an entry in the feed. */
interface FeedAttributes {
  type: string;
  key: string;
  listing: Uint8Array;
}

type KeyedWrite = IndexWrite & { key: ItemKey };

export async function indexRecords(records: readonly DynamoDBRecord[], tools: IndexTools): Promise<void> {
  const { client, sendToRetryQueue, log } = tools;
  const writes: KeyedWrite[] = [];
  const failed: ItemKey[] = [];
  for (const { dynamodb } of records) {
    const { feed_pk, feed_sk, listing } = dynamodb?.NewImage ?? {};
    const { pk, sk } = dynamodb?.Keys ?? {};
    if (!pk?.S || !sk?.S || !feed_pk?.S || !feed_sk?.S || !listing?.B) continue;
    const key = { pk: pk.S, sk: sk.S };
    const bytes = Buffer.from(listing.B, 'base64');
    try {
      writes.push(...toWrites({ type: parseType(feed_pk.S), key: feed_sk.S, listing: bytes }, key));
    } catch (error) {
      log('error', 'failed to index a record', { ...key, ...toErrorFields(error) });
      failed.push(key);
    }
  }
  const rejected = await writeDocuments(client, writes).catch((error: unknown) => {
    log('error', 'failed to write records to the search engine; they will be retried', toErrorFields(error));
    return writes.map((write) => ({ write }));
  });
  await Promise.all([...failed, ...rejected.map(({ write }) => write.key)].map(sendToRetryQueue));
}

interface RetryTools extends Pick<IndexTools, 'client' | 'log'> {
  store: Pick<ItemStore, 'get'>;
  /** Receives records that the engine can never accept. */
  sendToDeadLetterQueue(entry: unknown): Promise<void>;
}

export async function retryRecords({ Records }: SQSEvent, tools: RetryTools): Promise<SQSBatchResponse> {
  const { client, store, log, sendToDeadLetterQueue } = tools;
  const writes: (KeyedWrite & { messageId: string })[] = [];
  const reject = async (key: ItemKey, details: Record<string, unknown>) => {
    log('error', 'the search engine rejected a record', { ...key, ...details });
    await sendToDeadLetterQueue(key);
  };
  for (const { body, messageId } of Records) {
    const { pk, sk }: ItemKey = JSON.parse(body);
    const { feed_pk, feed_sk, listing } = (await store.get(pk, sk)) ?? {};
    if (!feed_pk?.S || !feed_sk?.S || !listing?.B) continue;
    try {
      const entry = { type: parseType(feed_pk.S), key: feed_sk.S, listing: listing.B };
      writes.push(...toWrites(entry, { pk, sk }).map((write) => ({ ...write, messageId })));
    } catch (error) {
      await reject({ pk, sk }, toErrorFields(error));
    }
  }
  const rejected = await writeDocuments(client, writes);
  const permanent = rejected.filter(({ status }) => isPermanent(status));
  const [first, ...others] = rejected.filter(({ status }) => !isPermanent(status));
  for (const { write, status, reason } of permanent) await reject(write.key, { status, reason });
  if (!first) return { batchItemFailures: [] };
  const { status, reason } = first;
  log('warn', 'records could not be written yet; they will be retried', { count: 1 + others.length, status, reason });
  return { batchItemFailures: [first, ...others].map(({ write }) => ({ itemIdentifier: write.messageId })) };
}

const parseType = (feedPartition: string) => feedPartition.slice(0, feedPartition.lastIndexOf('#'));

/** Types without an index are ignored. */
function toWrites({ type, key, listing }: FeedAttributes, itemKey: ItemKey): KeyedWrite[] {
  const kind = indexKinds.find(({ feed }) => feed === type);
  return kind ? [{ ...kind.toWrite({ key, listing }), key: itemKey }] : [];
}

/** A missing index (404) will be built. */
function isPermanent(status: RejectedWrite<unknown>['status']): boolean {
  return status >= 400 && status < 500 && status !== 404 && status !== 429 && status !== 403 && status !== 401;
}
