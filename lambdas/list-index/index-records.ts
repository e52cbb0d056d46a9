import type { DynamoDBRecord, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ListingSpec } from '../lists/listing.ts';
import { type Indexed, type RejectedWrite, writeDocuments } from '../lists/search-index.ts';
import type { SearchClient } from '../platform/clients/opensearch.ts';
import { type Log, toErrorFields } from '../platform/log.ts';
import { requireValue } from '../platform/require-value.ts';
import { listings } from '../record-types.ts';

// Writes the records of the stream to OpenSearch. An outage of OpenSearch must not delay events, so records that were not
// written go to a queue and are retried there one by one. Each entry contains its version, so the order does not matter.

export interface IndexTools {
  client: SearchClient;
  sendToRetryQueue(message: RetryMessage): Promise<void>;
  log: Log;
}

/** A record to write again; `listing` is base64. */
interface RetryMessage {
  type: string;
  listing: string;
}

const specs = new Map<string, ListingSpec>(listings.map((spec) => [spec.type, spec]));

export async function indexRecords(records: readonly DynamoDBRecord[], tools: IndexTools): Promise<void> {
  const { client, sendToRetryQueue, log } = tools;
  const entries = records.flatMap(({ dynamodb }) => {
    const { type, listing } = dynamodb?.NewImage ?? {};
    return type?.S !== undefined && listing?.B !== undefined ? toEntry({ type: type.S, listing: listing.B }) : [];
  });
  const rejected = await writeDocuments(client, entries).catch((error: unknown) => {
    log('error', 'failed to write records to the search engine; they will be retried', toErrorFields(error));
    return entries.map((entry) => ({ entry, status: 503, reason: String(error) }));
  });
  await Promise.all(rejected.map(({ entry }) => sendToRetryQueue(entry.message)));
}

interface RetryTools extends Pick<IndexTools, 'client' | 'log'> {
  /** Receives records that the engine can never accept. */
  sendToDeadLetterQueue(entry: unknown): Promise<void>;
}

export async function retryRecords({ Records }: SQSEvent, tools: RetryTools): Promise<SQSBatchResponse> {
  const entries = Records.flatMap(({ body, messageId }) =>
    toEntry(JSON.parse(body)).map((entry) => ({ ...entry, messageId })),
  );
  const rejected = await writeDocuments(tools.client, entries);
  const permanent = rejected.filter(({ status }) => isPermanent(status));
  const temporary = rejected.filter(({ status }) => !isPermanent(status));
  for (const { entry, status, reason } of permanent) {
    tools.log('error', 'the search engine rejected a record', { type: entry.spec.type, status, reason });
    await tools.sendToDeadLetterQueue(entry.message);
  }
  if (temporary.length > 0) {
    const { status, reason } = requireValue(temporary[0]);
    tools.log('warn', 'records could not be written yet; they will be retried', {
      count: temporary.length,
      status,
      reason,
    });
  }
  return { batchItemFailures: temporary.map(({ entry }) => ({ itemIdentifier: entry.messageId })) };
}

/** A missing index (404) will be built. */
function isPermanent(status: RejectedWrite<Indexed>['status']): boolean {
  return status >= 400 && status < 500 && status !== 404 && status !== 429 && status !== 403 && status !== 401;
}

function toEntry(message: RetryMessage): (Indexed & { message: RetryMessage })[] {
  const spec = specs.get(message.type);
  return spec ? [{ spec, listing: Buffer.from(message.listing, 'base64'), message }] : [];
}
