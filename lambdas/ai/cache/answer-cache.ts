import { setTimeout as pause } from 'node:timers/promises';
import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { emitMetrics, type Log, toErrorFields } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Embed } from '../embedding/embedder.ts';
import { embedderName } from '../embedding/model-files.ts';
import { cosine, fromVectorBytes, toVectorBytes } from '../embedding/vector.ts';
import { countDifferingBits, listHomeBuckets, listProbedBuckets, maxDifferingBits, toSketch } from './buckets.ts';
import type { BucketEntry, CacheStore, StoredAnswer } from './cache-store.ts';
import { hashText, isAnotherQuestion, normalizeText } from './gates.ts';
import type { DayUsage, UsageStore } from './usage-store.ts';

// Caches answers by their words and by similar words. Every hit checks that the records behind the answer have not
// changed and that little was learned since, so an edit takes effect at once and an answer from half of an import does
// not stay. Of concurrent callers with the same question one does the work and the others wait. A failing cache never
// prevents an answer.

export interface CachedQuestion {
  endpoint: string;
  /** Everything but the text that the answer depends on. */
  scope: readonly unknown[];
  text: string;
  callerId: string;
  ttlSeconds: number;
  matching: 'exact' | 'similar';
}

export interface Produced<Value> {
  value: Value;
  /** The records that the answer rests on, with their versions. */
  usedVersions: Readonly<Record<string, string>>;
  /** Shorter than for other answers of the endpoint. */
  ttlSeconds?: number;
}

export interface CacheMatch {
  /** Only when the caller asked the matched question: other people's questions are private. */
  matched?: string;
  similarity: number;
  age_seconds: number;
}

export interface Answer<Value> {
  value: Value;
  /** Absent when the answer is new. */
  match?: CacheMatch;
}

export type AnswerCache = <Value>(
  question: CachedQuestion,
  produce: () => Promise<Produced<Value>>,
) => Promise<Answer<Value>>;

export interface CacheTools {
  store: CacheStore;
  embed: Embed;
  read: ReadRecords;
  usage: Pick<UsageStore, 'count'>;
  /** Undefined while this instance has not loaded what was learned. */
  countLearned(): Promise<number | undefined>;
  clock: Clock;
  log: Log;
}

/** The interface promises it: from this cosine on, two questions are one. */
const minSimilarity = 0.95;

/** After an import or the first start, other records may be nearer. */
const maxLearnedGrowth = 1.1;

/** As long as an answer may take. */
const leaseMs = 26_000;
const pollIntervalMs = 100;

export function createAnswerCache(tools: CacheTools): AnswerCache {
  return async <Value>(question: CachedQuestion, produce: () => Promise<Produced<Value>>): Promise<Answer<Value>> => {
    const scope = hashText(JSON.stringify([question.endpoint, embedderName, ...question.scope]));
    const key = hashText(normalizeText(question.text));
    const asked = { ...question, scope, key };
    const found = await ignoreFailure(tools, () => find<Value>(asked, tools));
    const leased = found ?? (await ignoreFailure(tools, () => leaseOrWait<Value>(asked, tools)));
    if (leased !== undefined && leased !== 'mine') {
      await countOutcome('hits', tools);
      return leased;
    }
    const counted = countOutcome('misses', tools);
    try {
      const produced = await produce();
      await ignoreFailure(tools, () => storeAnswer(asked, produced, tools));
      return { value: produced.value };
    } catch (error) {
      if (leased === 'mine') await ignoreFailure(tools, () => tools.store.release(scope, key));
      throw error;
    } finally {
      await counted;
    }
  };
}

export function toVersions(records: readonly Pick<ReadRecord<unknown>, 'record'>[]): Record<string, string> {
  return Object.fromEntries(records.map(({ record }) => [record.id, String(record.version)]));
}

type Asked = Omit<CachedQuestion, 'scope'> & { scope: string; key: string };

async function find<Value>(asked: Asked, tools: CacheTools): Promise<Answer<Value> | undefined> {
  const exact = await toHit<Value>(await tools.store.get(asked.scope, asked.key), 1, asked, tools);
  if (exact || asked.matching === 'exact') return exact;
  const vector = await tools.embed(asked.text);
  const entries = await tools.store.bucketEntries(
    asked.scope,
    [...new Set(listProbedBuckets(vector))],
    tools.clock.now(),
  );
  const similar = (await tools.store.getAll(asked.scope, candidates(entries, toSketch(vector))))
    .map((stored) => ({ stored, similarity: cosine(fromVectorBytes(stored.vector), vector) }))
    .filter(({ stored, similarity }) => similarity >= minSimilarity && !isAnotherQuestion(stored.text, asked.text))
    .sort((a, b) => b.similarity - a.similarity);
  for (const { stored, similarity } of similar) {
    const hit = await toHit<Value>(stored, similarity, asked, tools);
    if (hit) return hit;
  }
  return undefined;
}

const maxCandidates = 16;

/** The answers whose questions seem nearest; their vectors decide. */
function candidates(entries: readonly BucketEntry[], asked: Uint8Array): string[] {
  // An answer is in a bucket of each table.
  const distinct = new Map(entries.map(({ key, sketch }) => [key, countDifferingBits(sketch, asked)]));
  return [...distinct]
    .filter(([, differs]) => differs <= maxDifferingBits)
    .sort(([, a], [, b]) => a - b)
    .slice(0, maxCandidates)
    .map(([key]) => key);
}

/** Undefined when the stored answer has expired or no longer holds. */
async function toHit<Value>(
  stored: StoredAnswer | undefined,
  similarity: number,
  { callerId }: Pick<Asked, 'callerId'>,
  tools: CacheTools,
): Promise<Answer<Value> | undefined> {
  const nowMs = tools.clock.now();
  if (!stored || stored.expiresAtMs <= nowMs) return undefined;
  const learned = await tools.countLearned();
  if (learned !== undefined && learned > maxLearnedGrowth * (stored.learnedCount ?? learned)) return undefined;
  const ids = Object.keys(stored.usedVersions);
  if (ids.length > 0) {
    const now = toVersions(await tools.read(ids));
    if (ids.some((id) => now[id] !== stored.usedVersions[id])) return undefined;
  }
  const ageMs = Math.max(0, nowMs - stored.createdAtMs);
  return {
    value: JSON.parse(stored.value),
    match: {
      ...(stored.askedBy === callerId && { matched: stored.text }),
      similarity: Math.min(1, Math.round(similarity * 1_000) / 1_000),
      age_seconds: Math.floor(ageMs / 1_000),
    },
  };
}

/** `mine` when this caller does the work; otherwise the answer of another caller. */
async function leaseOrWait<Value>(asked: Asked, tools: CacheTools): Promise<Answer<Value> | 'mine'> {
  const { scope, key } = asked;
  const { store, clock } = tools;
  const maxPolls = Math.ceil(leaseMs / pollIntervalMs);
  for (let look = 0; look < maxPolls; look++) {
    const nowMs = clock.now();
    const lease = await store.lease(scope, key, nowMs, nowMs + leaseMs);
    if (lease) {
      // The caller before may have stored its answer after this caller had looked.
      const answered = await toHit<Value>(lease.earlier, 1, asked, tools);
      if (!answered) return 'mine';
      await store.release(scope, key);
      return answered;
    }
    await pause(pollIntervalMs);
    const hit = await toHit<Value>(await store.get(scope, key), 1, asked, tools);
    if (hit) return hit;
  }
  throw new ServiceError('unavailable', 'The same question is still being answered. Try again.', {
    headers: { 'Retry-After': '2' },
  });
}

async function storeAnswer(asked: Asked, produced: Produced<unknown>, tools: CacheTools): Promise<void> {
  const { scope, key, text, callerId, matching } = asked;
  const { value, usedVersions, ttlSeconds = asked.ttlSeconds } = produced;
  const createdAtMs = tools.clock.now();
  const expiresAtMs = createdAtMs + ttlSeconds * 1_000;
  const vector = matching === 'similar' ? await tools.embed(text) : undefined;
  const stored: StoredAnswer = {
    text,
    askedBy: callerId,
    vector: vector ? toVectorBytes(vector) : new Uint8Array(),
    value: JSON.stringify(value),
    usedVersions,
    learnedCount: await tools.countLearned(),
    createdAtMs,
    expiresAtMs,
  };
  // The answer first, because an entry of a bucket points to it.
  await tools.store.put(scope, key, stored);
  if (vector)
    await tools.store.addToBuckets(scope, listHomeBuckets(vector), { key, sketch: toSketch(vector) }, expiresAtMs);
}

/** Counts for the dashboard of operators and for the statistics of managers. */
async function countOutcome(outcome: keyof DayUsage, tools: CacheTools): Promise<void> {
  emitMetrics(tools.log, outcome === 'hits' ? { AnswerCacheHits: 1 } : { AnswerCacheMisses: 1 });
  await ignoreFailure(tools, () => tools.usage.count(outcome, tools.clock.now()));
}

/** Undefined when the cache failed. Errors for the caller are rethrown. */
async function ignoreFailure<Result>({ log }: CacheTools, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    log('error', 'the answer cache failed', toErrorFields(error));
    return undefined;
  }
}
