import { setTimeout as pause } from 'node:timers/promises';
import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { emitMetrics, type Log, toErrorFields } from '../../platform/log.ts';
import { ServiceError } from '../../platform/service-error.ts';
import type { Encoder } from '../embedding/embedder.ts';
import { embedderName } from '../embedding/model-files.ts';
import { cosine, fromVectorBytes, packVector, toVectorBytes } from '../embedding/vector.ts';
import type { CacheStore, StoredAnswer } from './cache-store.ts';
import { createVectorFinder, type FindVectors } from './cached-vectors.ts';
import { compareWords, hashText, normalizeText } from './same-question.ts';
import type { DayUsage, UsageStore } from './usage-store.ts';

// Caches answers for equal and for similar questions. A hit requires that the source records have not changed and that
// little was learned since, so an edit takes effect immediately and an answer from a partial import does not stay. Of
// concurrent callers with the same question, one does the work and the others wait. A failing cache never prevents an
// answer.

export interface CachedQuestion {
  endpoint: string;
  /** Everything except the text that the answer depends on. */
  scope: readonly unknown[];
  text: string;
  callerId: string;
  ttlSeconds: number;
  matching: 'exact' | 'similar';
}

export interface Produced<Value> {
  value: Value;
  /** The versions of the source records, by id. */
  usedVersions: Readonly<Record<string, string>>;
  /** Overrides the TTL of the question. */
  ttlSeconds?: number;
}

export interface CacheMatch {
  /** Present only if the caller asked the matched question, because questions of other people are private. */
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

export interface CacheTools extends Encoder {
  store: CacheStore;
  read: ReadRecords;
  usage: Pick<UsageStore, 'count'>;
  /** Undefined while this instance has not loaded the learned index. */
  countLearned(): Promise<number | undefined>;
  /** When the newest record that this instance knows was learned. */
  getLastLearnedMs(): number;
  clock: Clock;
  log: Log;
}

/**
 * The interface defines questions with a similarity of 0.95 as equal. The cosine of rewordings begins at 0.8, so it is
 * rescaled.
 */
const minCosine = 0.8;
const toSimilarity = (cosine: number) => 1 - (1 - cosine) / 4;

/** The minimum probability that two questions with different words are equal. */
const minSame = 0.5;

/** After an import or the first start, other records may be more similar. */
const maxLearnedGrowth = 1.02;

/** An answer from the middle of an import must not stay. */
const ttlSecondsWhileLearning = 30;
const learningMs = 10_000;

/** Longer than an answer may take. */
const leaseMs = 26_000;
const pollIntervalMs = 100;

export function createAnswerCache(given: CacheTools): AnswerCache {
  const tools: Tools = { ...given, findVectors: createVectorFinder(given.store, given.clock) };
  return async <Value>(question: CachedQuestion, produce: () => Promise<Produced<Value>>): Promise<Answer<Value>> => {
    const scope = hashText(JSON.stringify([question.endpoint, embedderName, ...question.scope]));
    const key = hashText(normalizeText(question.text));
    const lookup = { ...question, scope, key };
    const found = await ignoreFailure(tools, () => find<Value>(lookup, tools));
    if (found) {
      await countOutcome('hits', tools);
      return found;
    }
    const shared = await ignoreFailure(tools, () => leaseOrWait<Value>(lookup, tools));
    const counted = countOutcome('misses', tools);
    try {
      // Another caller computed the answer during this request, so it is no hit.
      if (shared && shared !== 'leased') return { value: shared.value };
      const produced = await produce();
      await ignoreFailure(tools, () => storeAnswer(lookup, produced, tools));
      return { value: produced.value };
    } catch (error) {
      if (shared) await ignoreFailure(tools, () => tools.store.release(scope, key));
      throw error;
    } finally {
      await counted;
    }
  };
}

export function toVersions(records: readonly Pick<ReadRecord<unknown>, 'record'>[]): Record<string, string> {
  return Object.fromEntries(records.map(({ record }) => [record.id, String(record.version)]));
}

interface Tools extends CacheTools {
  findVectors: FindVectors;
}

type CacheLookup = Omit<CachedQuestion, 'scope'> & { scope: string; key: string };

async function find<Value>(lookup: CacheLookup, tools: Tools): Promise<Answer<Value> | undefined> {
  const { store, embed, findVectors } = tools;
  const { scope, text } = lookup;
  const exact = await toHit<Value>(await store.get(scope, lookup.key), 1, lookup, tools);
  if (exact || lookup.matching === 'exact') return exact;
  const vector = await embed(text);
  const similar = (await store.getAll(scope, await findVectors(scope, vector, minCosine)))
    .map((stored) => ({ stored, cosine: cosine(fromVectorBytes(stored.vector), vector) }))
    .sort((a, b) => b.cosine - a.cosine);
  for (const { stored, cosine } of similar) {
    if (cosine < minCosine || !(await isSameQuestion(stored.text, text, tools))) continue;
    const hit = await toHit<Value>(stored, toSimilarity(cosine), lookup, tools);
    if (hit) return hit;
  }
  return undefined;
}

export async function isSameQuestion(one: string, other: string, { compare }: Pick<Encoder, 'compare'>) {
  const verdict = compareWords(one, other);
  return verdict === 'unknown' ? (await compare(one, other)).same >= minSame : verdict === 'same';
}

/** Undefined when the stored answer has expired or is outdated. */
async function toHit<Value>(
  stored: StoredAnswer | undefined,
  similarity: number,
  { callerId }: Pick<CacheLookup, 'callerId'>,
  { clock, countLearned, read }: CacheTools,
): Promise<Answer<Value> | undefined> {
  const nowMs = clock.now();
  if (!stored || stored.expiresAtMs <= nowMs) return undefined;
  const learned = await countLearned();
  if (learned !== undefined && learned > maxLearnedGrowth * (stored.learnedCount ?? learned)) return undefined;
  const ids = Object.keys(stored.usedVersions);
  const versions = ids.length > 0 ? toVersions(await read(ids)) : {};
  if (ids.some((id) => versions[id] !== stored.usedVersions[id])) return undefined;
  return {
    value: JSON.parse(stored.value),
    match: {
      ...(stored.askedBy === callerId && { matched: stored.text }),
      similarity: Math.min(1, Math.round(similarity * 1_000) / 1_000),
      age_seconds: Math.floor(Math.max(0, nowMs - stored.createdAtMs) / 1_000),
    },
  };
}

/** Returns `leased` if this caller must produce the answer, otherwise the answer of another caller. */
async function leaseOrWait<Value>(lookup: CacheLookup, tools: CacheTools): Promise<Answer<Value> | 'leased'> {
  const { scope, key } = lookup;
  const { store, clock } = tools;
  for (let poll = 0; poll < leaseMs / pollIntervalMs; poll++) {
    const nowMs = clock.now();
    const lease = await store.lease(scope, key, nowMs, nowMs + leaseMs);
    if (lease) {
      // Another caller may have stored its answer after this caller's lookup.
      const answered = await toHit<Value>(lease.earlier, 1, lookup, tools);
      if (!answered) return 'leased';
      await store.release(scope, key);
      return answered;
    }
    await pause(pollIntervalMs);
    const hit = await toHit<Value>(await store.get(scope, key), 1, lookup, tools);
    if (hit) return hit;
  }
  throw new ServiceError('unavailable', 'The same question is still being answered. Try again.', {
    headers: { 'Retry-After': '2' },
  });
}

async function storeAnswer(lookup: CacheLookup, produced: Produced<unknown>, tools: Tools): Promise<void> {
  const { scope, key, text, callerId, matching } = lookup;
  const { value, usedVersions } = produced;
  const { store, embed, countLearned, getLastLearnedMs, clock } = tools;
  const wantedSeconds = produced.ttlSeconds ?? lookup.ttlSeconds;
  const createdAtMs = clock.now();
  const isLearning = createdAtMs - getLastLearnedMs() < learningMs;
  const ttlSeconds = isLearning ? Math.min(wantedSeconds, ttlSecondsWhileLearning) : wantedSeconds;
  const expiresAtMs = createdAtMs + ttlSeconds * 1_000;
  const vector = matching === 'similar' ? await embed(text) : undefined;
  await store.put(scope, key, {
    text,
    askedBy: callerId,
    vector: vector ? toVectorBytes(vector) : new Uint8Array(),
    value: JSON.stringify(value),
    usedVersions,
    learnedCount: await countLearned(),
    createdAtMs,
    expiresAtMs,
  });
  // After the answer, because the vector refers to it.
  if (vector) await store.putVector({ scope, key, vector: packVector(vector), createdAtMs, expiresAtMs });
}

async function countOutcome(outcome: keyof DayUsage, tools: CacheTools): Promise<void> {
  emitMetrics(outcome === 'hits' ? { AnswerCacheHits: 1 } : { AnswerCacheMisses: 1 });
  await ignoreFailure(tools, () => tools.usage.count(outcome, tools.clock.now()));
}

/** Returns undefined when the cache failed. Rethrows errors for the caller. */
async function ignoreFailure<Result>({ log }: CacheTools, work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    log('error', 'answer cache call failed; continuing without the cache', toErrorFields(error));
    return undefined;
  }
}
