import type { RecordImage } from '../../events/event.ts';
import type { FeedStore } from '../../lists/feed-store.ts';
import { parseFeedId } from '../../lists/live-replica.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type LearnRecord, learnedTypes } from './learn-from-records.ts';
import type { LearnedStore } from './learned-store.ts';
import { toSubject } from './subject.ts';

// After a change of the embedder nothing is learned yet: vectors of two embedders are never compared. One pass over the
// feeds of records learns what the current embedder lacks. A run is limited in time and continues where the last one
// stopped; repeated work changes nothing, because versions decide.

export interface RelearnTools {
  feeds: Readonly<Record<(typeof learnedTypes)[number], FeedStore>>;
  read: ReadRecords;
  learned: Pick<LearnedStore, 'readCursor' | 'writeCursor' | 'removeFormerVectors'>;
  learnRecord: LearnRecord;
  clock: Clock;
}

/** Below the function's timeout; one machine is busy with it for a fifth of the time at most. */
const maxRunMs = 60_000;
const recordsPerStep = 25;

/** Returns how many records it looked at. */
export async function relearnRecords({ feeds, read, learned, learnRecord, clock }: RelearnTools): Promise<number> {
  const cursor = (await learned.readCursor()) ?? { feed: 0, key: '', isDone: false };
  if (cursor.isDone) return 0;
  const endMs = clock.now() + maxRunMs;
  const shards = learnedTypes.flatMap((type) =>
    Array.from({ length: feeds[type].shards }, (_, shard) => ({ type, shard })),
  );
  let seen = 0;
  for (let feed = cursor.feed; feed < shards.length; feed++) {
    const { type, shard } = shards[feed] ?? { type: 'incident', shard: 0 };
    const start = feed === cursor.feed ? cursor.key : '';
    for await (const entries of feeds[type].pages(shard, start)) {
      for (let first = 0; first < entries.length; first += recordsPerStep) {
        const step = entries.slice(first, first + recordsPerStep);
        const ids = step.map(({ key }) => parseFeedId(key));
        await learnStep(type, ids, read, learnRecord);
        for (const id of ids) await learned.removeFormerVectors(id);
        seen += step.length;
        await learned.writeCursor({ feed, key: step.at(-1)?.key ?? '', isDone: false });
        if (clock.now() > endMs) return seen;
      }
    }
  }
  await learned.writeCursor({ feed: shards.length, key: '', isDone: true });
  return seen;
}

async function learnStep(type: string, ids: readonly string[], read: ReadRecords, learnRecord: LearnRecord) {
  for (const { record } of await read<RecordImage['document']>(ids)) {
    const { id, version, document, created_at } = record;
    const subject = toSubject({ type, after: { document, deleted: false } }, { createdAt: created_at });
    if (subject?.facts) await learnRecord(id, version, subject);
  }
}
