// Reads a lane's share of a stream: all of it, or, when batches run in parallel, the records whose partition key falls
// into the lane. Changes of one item always fall into the same lane, so their order is kept.
import { createHash } from 'node:crypto';
import type { Sequence } from './checkpoints.ts';
import type { StreamRecord, Streams } from './ports.ts';

const pageSize = 1000;

export interface LaneShare {
  streamArn: string;
  lane: number;
  lanes: number;
}

/** The lane's next records, at most `limit`, oldest first. */
export async function readLane(
  streams: Streams,
  { streamArn, lane, lanes }: LaneShare,
  after: Sequence,
  limit: number,
): Promise<StreamRecord[]> {
  const found: StreamRecord[] = [];
  const keyName = lanes > 1 ? streams.partitionKeyName!(streamArn) : '';
  let position = after;
  // The stream ends, and every page moves on in it, so the pages do.
  for (;;) {
    const page = await streams.read(streamArn, position, lanes > 1 ? pageSize : limit - found.length);
    for (const record of page) {
      position = record.dynamodb.SequenceNumber;
      if (lanes === 1 || laneOf(record, keyName, lanes) === lane) found.push(record);
      if (found.length === limit) return found;
    }
    if (page.length === 0) return found;
  }
}

function laneOf(record: StreamRecord, keyName: string, lanes: number): number {
  const key = record.dynamodb.Keys[keyName];
  if (key === undefined) throw new Error(`a stream record has no key ${keyName}`);
  return createHash('md5').update(JSON.stringify(key)).digest().readUInt32BE() % lanes;
}
