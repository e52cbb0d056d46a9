import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { type IncidentState, openIncidentStates } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { FeedStore } from '../../lists/feed-store.ts';
import { parseFeedId } from '../../lists/live-replica.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { type Clock, toIso } from '../../platform/clock.ts';
import { type Log, toErrorFields } from '../../platform/log.ts';
import { requireValue } from '../../platform/require-value.ts';
import { isPermanentFailure } from '../../platform/retry.ts';
import type { StoredRecord } from '../../records/record.ts';
import { type RecordImage, toRecordChange } from '../../records/record-change.ts';
import type { Embed } from '../embedding/embedder.ts';
import { packVector } from '../embedding/vector.ts';
import { decodeLearned, encodeLearned, forgotten, type LearnedUnit } from '../knowledge/learned-item.ts';
import type { LearnedStore, LearnedVersion, SuggestedResolution } from './learned-store.ts';
import { hashUnits, nothingToLearn, type Subject, toIncidentText, toSubject } from './subject.ts';

// Learns from the stream of committed writes. A record is embedded when its text changes; other changes keep the vectors.
// The version is the condition of the write, so a repeated entry changes nothing.

export interface LearnTools {
  embed: Embed;
  learned: LearnedStore;
  /** The resolution of similar incidents; undefined when none is similar enough. */
  findResolution(text: string): Promise<SuggestedResolution | undefined>;
  /** Receives entries that can never be learned, so that they do not block the others. */
  sendToDeadLetterQueue(entry: unknown): Promise<void>;
  clock: Clock;
  log: Log;
}

/** The latest version of each record in the batch, with its stream entry. */
type Batch = Map<string, { entry: DynamoDBRecord; version: LearnedVersion }>;

export async function learnFromRecords(
  { Records }: DynamoDBStreamEvent,
  tools: LearnTools,
): Promise<DynamoDBBatchResponse> {
  const batch: Batch = new Map();
  const failed: DynamoDBRecord[] = [];
  const fail = async (entry: DynamoDBRecord, error: unknown) => {
    tools.log('error', 'failed to index a record for the AI operations', {
      keys: entry.dynamodb?.Keys,
      ...toErrorFields(error),
    });
    if (isPermanentFailure(error)) await tools.sendToDeadLetterQueue(entry);
    else failed.push(entry);
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
  // The stream redelivers the first failed entry and all later ones.
  const first = Records.find((entry) => failed.includes(entry));
  return { batchItemFailures: first ? [{ itemIdentifier: requireValue(first.dynamodb?.SequenceNumber) }] : [] };
}

async function learn(entry: DynamoDBRecord, tools: LearnTools, batch: Batch): Promise<void> {
  const change = toRecordChange(entry);
  if (!change) return;
  const { id, type, version, before, after } = change;
  const createdAt = requireValue(entry.dynamodb?.NewImage?.created_at?.S);
  const subject = toSubject(type, after, createdAt);
  if (!subject) return;
  const at = toIso(tools.clock.now());
  // An imported incident may be resolved already.
  if (type === 'incident' && !before && !after.deleted && openIncidentStates.includes(toState(after))) {
    const suggestion = await tools.findResolution(toIncidentText(after.document as IncidentDocument));
    if (suggestion) await tools.learned.suggestResolution(id, suggestion, at);
  }
  if (type === 'incident' && before?.deleted === false && after.deleted)
    await tools.learned.withdrawSuggestions(id, at);
  const former = before && toSubject(type, before, createdAt);
  if (toComparable(former?.facts ? former : nothingToLearn) === toComparable(subject)) return;
  // Nothing was learned of a new record before. If its entry is repeated, the condition of the write fails.
  const known = batch.get(id)?.version ?? (before ? await tools.learned.get(id) : undefined);
  const next = await toNextVersion(tools.embed, version, subject, known);
  if (next) batch.set(id, { entry, version: next });
}

function toState({ document }: Pick<RecordImage, 'document'>): IncidentState {
  return (document as IncidentDocument).state;
}

function toComparable({ facts, units }: Subject): string {
  return JSON.stringify([facts, units.map(({ text }) => text)]);
}

/** Undefined when this version or a later one is known. */
async function toNextVersion(
  embed: Embed,
  version: number,
  { facts, units }: Subject,
  known: LearnedVersion | undefined,
): Promise<LearnedVersion | undefined> {
  if (known && known.version >= version) return undefined;
  const textHash = hashUnits(units);
  if (!facts) return { version, textHash, listing: forgotten };
  const former = known?.textHash === textHash ? decodeLearned(known.listing)?.units : undefined;
  const learned: LearnedUnit[] = [];
  for (const [index, { text, ...unit }] of units.entries()) {
    learned.push({ ...unit, vector: former?.[index]?.vector ?? packVector(await embed(text)) });
  }
  return { version, textHash, listing: encodeLearned({ facts, units: learned }) };
}

// A new embedder starts without learned records, because vectors of different embedders cannot be compared. One pass over
// the feeds learns all records with the current embedder. Each run has a time limit and continues where the last one
// stopped.

const learnedTypes = ['incident', 'article', 'problem'] as const;

export interface RelearnTools extends Pick<LearnTools, 'embed' | 'clock' | 'log'> {
  learned: Pick<LearnedStore, 'get' | 'put' | 'readCursor' | 'writeCursor' | 'removeFormerVectors'>;
  feeds: Readonly<Record<(typeof learnedTypes)[number], FeedStore>>;
  read: ReadRecords;
}

/** Shorter than the function's timeout, and a fifth of the interval between runs. */
const maxRunMs = 60_000;
const recordsPerStep = 25;

/** Returns the number of records in this run. */
export async function relearnRecords(tools: RelearnTools): Promise<number> {
  const { feeds, learned, clock } = tools;
  const cursor = (await learned.readCursor()) ?? { feed: 0, key: '', isDone: false };
  if (cursor.isDone) return 0;
  const endMs = clock.now() + maxRunMs;
  const shards = learnedTypes.flatMap((type) => {
    return Array.from({ length: feeds[type].shards }, (_, shard) => ({ type, shard }));
  });
  let seen = 0;
  for (const [feed, { type, shard }] of shards.entries()) {
    if (feed < cursor.feed) continue;
    for await (const entries of feeds[type].pages(shard, feed === cursor.feed ? cursor.key : '')) {
      for (let first = 0; first < entries.length; first += recordsPerStep) {
        const step = entries.slice(first, first + recordsPerStep);
        const ids = step.map(({ key }) => parseFeedId(key));
        await relearn(type, ids, tools);
        for (const id of ids) await learned.removeFormerVectors(id, clock.now());
        seen += step.length;
        await learned.writeCursor({ feed, key: step.at(-1)?.key ?? '', isDone: false });
        if (clock.now() > endMs) return seen;
      }
    }
  }
  await learned.writeCursor({ feed: shards.length, key: '', isDone: true });
  return seen;
}

/** Skips records that can never be learned, so that the pass continues. */
async function relearn(type: string, ids: readonly string[], tools: RelearnTools): Promise<void> {
  for (const { record } of await tools.read<RecordImage['document']>(ids)) {
    await relearnRecord(type, record, tools).catch((error: unknown) => {
      if (!isPermanentFailure(error)) throw error;
      tools.log('error', 'failed to index a record for the AI operations', {
        keys: record.id,
        ...toErrorFields(error),
      });
    });
  }
}

async function relearnRecord(
  type: string,
  { id, version, document, created_at }: StoredRecord<RecordImage['document']>,
  { embed, learned, clock }: RelearnTools,
): Promise<void> {
  const subject = toSubject(type, { document, deleted: false }, created_at);
  if (!subject?.facts) return;
  const next = await toNextVersion(embed, version, subject, await learned.get(id));
  if (next) await learned.put(id, next, toIso(clock.now()));
}
