import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type RecordChange, type RecordImage, toRecordChange } from '../../events/event.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { FeedStore } from '../../lists/feed-store.ts';
import { parseFeedId } from '../../lists/live-replica.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { Embed } from '../embedding/embedder.ts';
import { packVector } from '../embedding/vector.ts';
import { decodeLearned, encodeLearned, forgotten, type LearnedUnit } from '../knowledge/learned-item.ts';
import type { LearnedStore, LearnedVersion, SuggestedResolution } from './learned-store.ts';
import { hashUnits, nothingToLearn, type Subject, toIncidentText, toSubject, type Unit } from './subject.ts';

// Learns from the stream of committed writes. A record is embedded when its text changes; a change of other fields keeps
// the vectors. Versions decide, so a repeated entry changes nothing. Most writes touch nothing that a search could find
// and cost nothing. A batch is written in few transactions, because each one costs more than its items.

export interface LearnTools {
  embed: Embed;
  learned: LearnedStore;
  /** What solved similar incidents; undefined when nothing is similar enough. */
  resolutionFor(text: string): Promise<SuggestedResolution | undefined>;
  clock: Clock;
  log: Log;
}

/** What the batch has learned so far of each record, with the entry that it comes from. */
type Batch = Map<string, { entry: DynamoDBRecord; version: LearnedVersion }>;

export async function learnFromRecords(
  { Records }: DynamoDBStreamEvent,
  tools: LearnTools,
): Promise<DynamoDBBatchResponse> {
  const batch: Batch = new Map();
  const failed: DynamoDBRecord[] = [];
  const fail = (entry: DynamoDBRecord, error: unknown) => {
    tools.log('error', 'learning from a record failed', { keys: entry.dynamodb?.Keys, ...toErrorFields(error) });
    failed.push(entry);
  };
  for (const entry of Records) {
    await learn(entry, tools, batch).catch((error: unknown) => fail(entry, error));
    if (failed.length > 0) break;
  }
  const at = toIso(tools.clock.now());
  const puts = [...batch].map(([id, { entry, version }]) =>
    tools.learned.put(id, version, at).catch((error: unknown) => fail(entry, error)),
  );
  await Promise.all(puts);
  // The stream delivers the first failed entry and all later ones again, in order.
  const first = Records.find((entry) => failed.includes(entry));
  return { batchItemFailures: first ? [{ itemIdentifier: requireValue(first.dynamodb?.SequenceNumber) }] : [] };
}

async function learn(entry: DynamoDBRecord, tools: LearnTools, batch: Batch): Promise<void> {
  const change = toRecordChange(entry);
  if (!change) return;
  const times = { createdAt: requireValue(entry.dynamodb?.NewImage?.created_at?.S) };
  const subject = toSubject(change, times);
  if (!subject) return;
  const { id, version } = change;
  const at = toIso(tools.clock.now());
  if (isNewIncident(change)) await suggest(change, at, tools);
  if (isDeletion(change)) await tools.learned.withdrawSuggestions(id, at);
  const before = change.before && toSubject({ type: change.type, after: change.before }, times);
  if (isSame(before?.facts ? before : nothingToLearn, subject)) return;
  // Nothing was learned of a new record before, and a repeated entry fails the condition of the write.
  const known = batch.get(id)?.version ?? (change.before ? await tools.learned.get(id) : undefined);
  const next = await toNextVersion(tools.embed, { version, subject, known });
  if (next) batch.set(id, { entry, version: next });
}

export const learnedTypes = ['incident', 'article'] as const;

export type LearnRecord = (id: string, version: number, subject: Subject) => Promise<void>;

/** Learns a version of a record, unless it or a later one is known. */
export function learnRecord({ learned, embed, clock }: Pick<LearnTools, 'learned' | 'embed' | 'clock'>): LearnRecord {
  return async (id, version, subject) => {
    const next = await toNextVersion(embed, { version, subject, known: await learned.get(id) });
    if (next) await learned.put(id, next, toIso(clock.now()));
  };
}

/** Undefined when this version or a later one is known. */
async function toNextVersion(
  embed: Embed,
  given: { version: number; subject: Subject; known: LearnedVersion | undefined },
): Promise<LearnedVersion | undefined> {
  const { version, subject, known } = given;
  if (known && known.version >= version) return undefined;
  const { facts, units } = subject;
  const textHash = hashUnits(units);
  if (!facts) return { version, textHash, listing: forgotten };
  const former = known?.textHash === textHash ? decodeLearned(known.listing)?.units : undefined;
  const learned: LearnedUnit[] = [];
  for (const [index, { text, ...unit }] of units.entries()) {
    learned.push({ ...unit, vector: former?.[index]?.vector ?? packVector(await embed(text)) });
  }
  return { version, textHash, listing: encodeLearned({ facts, units: learned }) };
}

function isSame(one: Subject, two: Subject): boolean {
  return JSON.stringify([one.facts, one.units.map(getText)]) === JSON.stringify([two.facts, two.units.map(getText)]);
}

const getText = ({ text }: Unit) => text;

function isNewIncident({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && before === null && !after.deleted;
}

function isDeletion({ type, before, after }: RecordChange): boolean {
  return type === 'incident' && after.deleted && before?.deleted === false;
}

async function suggest({ id, after }: RecordChange, at: string, { resolutionFor, learned }: LearnTools): Promise<void> {
  const suggestion = await resolutionFor(toIncidentText(after.document as IncidentDocument));
  if (suggestion !== undefined) await learned.suggestResolution(id, suggestion, at);
}

// A new embedder starts without learned records, because vectors of different embedders cannot be compared. One pass over the
// feeds learns all records with the current embedder. Each run has a time limit and continues where the last one stopped.
// Learning the same version twice changes nothing.

export interface RelearnTools {
  feeds: Readonly<Record<(typeof learnedTypes)[number], FeedStore>>;
  read: ReadRecords;
  learned: Pick<LearnedStore, 'readCursor' | 'writeCursor' | 'removeFormerVectors'>;
  learnRecord: LearnRecord;
  clock: Clock;
}

/** Shorter than the function's timeout, and a fifth of the interval between runs. */
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
