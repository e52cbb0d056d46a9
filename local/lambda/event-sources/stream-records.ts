// Reads a stream, writes checkpoints and builds failure messages.
import { requireValue } from '../../require-value.ts';
import { alwaysExpendable, type Storage } from '../../storage/storage.ts';
import type { FunctionDefinition } from '../function-definition.ts';
import type { StreamMapping } from './mapping.ts';
import type { StreamRecord, Streams } from './ports.ts';

const maxPageSize = 1000;
/** Read more records than needed, because most of them do not match a filter. */
const pageSizePerRecord = 4;

interface ReadRecords {
  records: StreamRecord[];
  /** The last sequence read, including skipped records. */
  upTo: Sequence;
}

/** The next records that the mapping selects, at most `limit`, oldest first. */
export async function readRecords(
  streams: Streams,
  { sourceArn, matches }: Pick<StreamMapping, 'sourceArn' | 'matches'>,
  after: Sequence,
  limit: number,
): Promise<ReadRecords> {
  const found: StreamRecord[] = [];
  let position = after;
  // Start small: records that do not fit into the batch are read again.
  let pageSize = pageSizePerRecord * limit;
  // The loop ends: every page moves forward and the stream is finite.
  for (;;) {
    const wanted = matches ? Math.min(pageSize, maxPageSize) : limit - found.length;
    pageSize *= 2;
    const page = await streams.read(sourceArn, position, wanted);
    for (const record of page) {
      position = record.dynamodb.SequenceNumber;
      if (!matches || matches(record)) found.push(record);
      if (found.length === limit) return { records: found, upTo: position };
    }
    if (page.length < wanted) return { records: found, upTo: position };
  }
}

export interface Discarded {
  records: readonly StreamRecord[];
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
  /** Undefined if the function was not called; functionError is absent if the function reported item failures. */
  response: { requestId: string; functionError: string | undefined } | undefined;
}

const shardId = 'shardId-00000000000000000000-00000000';

/** Builds the message for the on-failure destination. It contains the position of the records, not the records. */
export function buildFailureMessage(
  { records, condition, invocations, response }: Discarded,
  streamArn: string,
  definition: FunctionDefinition,
  nowMs: number,
): string {
  const [first, last] = [requireValue(records[0]), requireValue(records.at(-1))];
  return JSON.stringify({
    requestContext: {
      requestId: response?.requestId,
      functionArn: definition.arn,
      condition,
      approximateInvokeCount: invocations,
    },
    ...(response && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        ...(response.functionError === undefined ? {} : { functionError: response.functionError }),
      },
    }),
    version: '1.0',
    timestamp: new Date(nowMs).toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first.dynamodb.SequenceNumber,
      endSequenceNumber: last.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: formatArrival(first),
      approximateArrivalOfLastRecord: formatArrival(last),
      batchSize: records.length,
      streamArn,
    },
  });
}

export function getArrivalMs(record: StreamRecord): number {
  return record.dynamodb.ApproximateCreationDateTime * 1000;
}

function formatArrival(record: StreamRecord): string {
  return new Date(getArrivalMs(record)).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export type Sequence = string | undefined;

/** The position of each mapping, stored after each batch. After a crash, only the running batch is repeated. */
export interface Checkpoints {
  /** Returns the position of a mapping; a new mapping starts at `first`. */
  open(mappingId: string, first: Sequence): Sequence;
  write(mappingId: string, sequence: string): Promise<void>;
}

/** Stored as an empty string. */
const beginning = '';

export function createCheckpoints(storage: Storage): Checkpoints {
  // Data folders of earlier versions have the column lane; it is always 0.
  storage.exec(`CREATE TABLE IF NOT EXISTS lambda_checkpoints (
    mapping TEXT NOT NULL, lane INTEGER NOT NULL, sequence TEXT NOT NULL, PRIMARY KEY (mapping, lane))`);

  return {
    open(mappingId, first) {
      const row = storage.prepare('SELECT sequence FROM lambda_checkpoints WHERE mapping = ?').get([mappingId]);
      if (row) return row.sequence === beginning ? undefined : String(row.sequence);
      const insert = storage.prepare('INSERT INTO lambda_checkpoints VALUES (?, 0, ?)');
      storage.writeNow(() => insert.run([mappingId, first ?? beginning]));
      return first;
    },
    async write(mappingId, sequence) {
      await storage.writeWithRetry(
        () =>
          storage.prepare('UPDATE lambda_checkpoints SET sequence = ? WHERE mapping = ?').run([sequence, mappingId]),
        alwaysExpendable,
      );
    },
  };
}
