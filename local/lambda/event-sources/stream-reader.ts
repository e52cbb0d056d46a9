// Reads a lane's share of a stream: all of it, or, when batches run in parallel, the records whose partition key falls
// into the lane. Changes of one item always fall into the same lane, so their order is kept. Of these, the records that
// the mapping's filters let through.
import { createHash } from 'node:crypto';
import type { Sequence } from './checkpoints.ts';
import type { Matches } from './filter-pattern.ts';
import type { StreamRecord, Streams } from './ports.ts';

const pageSize = 1000;

export interface LaneShare {
  streamArn: string;
  lane: number;
  lanes: number;
  matches: Matches | undefined;
}

export interface LaneRead {
  records: StreamRecord[];
  /** How far it looked; what it passed over need not be looked at again. */
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
  const keyName = lanes > 1 ? streams.partitionKeyName!(streamArn) : '';
  let position = after;
  // The stream ends, and every page moves on in it, so the pages do.
  for (;;) {
    const wanted = lanes > 1 || matches ? pageSize : limit - found.length;
    const page = await streams.read(streamArn, position, wanted);
    for (const record of page) {
      position = record.dynamodb.SequenceNumber;
      const isOurs = lanes === 1 || laneOf(record, keyName, lanes) === lane;
      if (isOurs && (!matches || matches(record))) found.push(record);
      if (found.length === limit) return { records: found, upTo: position };
    }
    if (page.length < wanted) return { records: found, upTo: position };
  }
}

function laneOf(record: StreamRecord, keyName: string, lanes: number): number {
  const key = record.dynamodb.Keys[keyName];
  if (key === undefined) throw new Error(`a stream record has no key ${keyName}`);
  return createHash('md5').update(JSON.stringify(key)).digest().readUInt32BE() % lanes;
}
