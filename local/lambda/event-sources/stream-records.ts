// Reads a lane's share of a stream, writes its checkpoints and builds its failure messages. With parallel batches a lane
// gets the records whose partition key hashes to it, so the changes of one item stay in order.
import { createHash } from 'node:crypto';
import { defined } from '../../defined.ts';
import { alwaysExpendable, type Storage } from '../../storage/storage.ts';
import type { FunctionDefinition } from '../function-definition.ts';
import type { Matches } from './mapping.ts';
import type { StreamRecord, Streams } from './ports.ts';

const pageSize = 1000;

interface LaneShare {
  streamArn: string;
  lane: number;
  lanes: number;
  matches: Matches | undefined;
}

interface LaneRead {
  records: StreamRecord[];
  /** The last sequence read, including skipped records. */
  upTo: Sequence;
}

/** The lane's next records, at most `limit`, oldest first. */
export async function readLane(
  streams: Streams,
  { streamArn, lane, lanes, matches }: LaneShare,
  after: Sequence,
  limit: number,
): Promise<LaneRead> {
  const found: StreamRecord[] = [];
  const keyName = lanes > 1 ? (streams.partitionKeyName?.(streamArn) ?? '') : '';
  let position = after;
  // Ends, because every page moves forward and the stream is finite.
  for (;;) {
    const wanted = lanes > 1 || matches ? pageSize : limit - found.length;
    const page = await streams.read(streamArn, position, wanted);
    for (const record of page) {
      position = record.dynamodb.SequenceNumber;
      const isOurs = lanes === 1 || assignLane(record, keyName, lanes) === lane;
      if (isOurs && (!matches || matches(record))) found.push(record);
      if (found.length === limit) return { records: found, upTo: position };
    }
    if (page.length < wanted) return { records: found, upTo: position };
  }
}

function assignLane(record: StreamRecord, keyName: string, lanes: number): number {
  const key = record.dynamodb.Keys[keyName];
  if (key === undefined) throw new Error(`a stream record has no key ${keyName}`);
  return createHash('md5').update(JSON.stringify(key)).digest().readUInt32BE() % lanes;
}

export interface Discarded {
  records: readonly StreamRecord[];
  condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  invocations: number;
  /** undefined without a call; functionError is absent if the function reported item failures. */
  response: { requestId: string; functionError: string | undefined } | undefined;
}

const shardId = 'shardId-00000000000000000000-00000000';

/** The message for the on-failure destination: where to find the records, not the records themselves. */
export function buildFailureMessage(
  { records, condition, invocations, response }: Discarded,
  streamArn: string,
  definition: FunctionDefinition,
  nowMs: number,
): string {
  const [first, last] = [defined(records[0]), defined(records.at(-1))];
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

/** Each lane's position, written after its batch: a crash repeats at most the running batches (at-least-once). */
export interface Checkpoints {
  /** Returns each lane's position; a new mapping starts at `first`. */
  open(mappingId: string, lanes: number, first: Sequence): readonly Sequence[];
  write(mappingId: string, lane: number, sequence: string): Promise<void>;
}

/** Stored as an empty string. */
const beginning = '';

export function createCheckpoints(storage: Storage): Checkpoints {
  storage.exec(`CREATE TABLE IF NOT EXISTS lambda_checkpoints (
    mapping TEXT NOT NULL, lane INTEGER NOT NULL, sequence TEXT NOT NULL, PRIMARY KEY (mapping, lane))`);

  const replaceAll = (mappingId: string, sequences: readonly string[]) =>
    storage.writeNow(() => {
      storage.prepare('DELETE FROM lambda_checkpoints WHERE mapping = ?').run([mappingId]);
      const insert = storage.prepare('INSERT INTO lambda_checkpoints VALUES (?, ?, ?)');
      for (const [lane, sequence] of sequences.entries()) insert.run([mappingId, lane, sequence]);
    });

  return {
    open(mappingId, lanes, first) {
      const known = storage
        .prepare('SELECT sequence FROM lambda_checkpoints WHERE mapping = ? ORDER BY lane')
        .all([mappingId])
        .map((row) => String(row.sequence));
      if (known.length === lanes) return known.map(parseSequence);
      // Another number of lanes assigns keys differently, so all lanes resume at the slowest position.
      const start = known.length === 0 ? (first ?? beginning) : findLowest(known);
      const sequences = Array.from({ length: lanes }, () => start);
      replaceAll(mappingId, sequences);
      return sequences.map(parseSequence);
    },
    async write(mappingId, lane, sequence) {
      await storage.writeWithRetry(
        () =>
          storage
            .prepare('UPDATE lambda_checkpoints SET sequence = ? WHERE mapping = ? AND lane = ?')
            .run([sequence, mappingId, lane]),
        alwaysExpendable,
      );
    },
  };
}

function parseSequence(sequence: string): Sequence {
  return sequence === beginning ? undefined : sequence;
}

/** Sequence numbers are decimal numbers beyond what a JavaScript number holds. */
function findLowest(sequences: readonly string[]): string {
  const number = (sequence: string) => (sequence === beginning ? -1n : BigInt(sequence));
  return sequences.reduce((low, sequence) => (number(sequence) < number(low) ? sequence : low));
}
