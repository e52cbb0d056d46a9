import { setImmediate as turn } from 'node:timers/promises';
import { type CachedQuestion, createAnswerCache } from '../../../lambdas/ai/cache/answer-cache.ts';
import type { CachedVector, CacheStore, StoredAnswer } from '../../../lambdas/ai/cache/cache-store.ts';
import type { UsageStore } from '../../../lambdas/ai/cache/usage-store.ts';
import { dimensions, normalize } from '../../../lambdas/ai/embedding/vector.ts';
import type { ReadRecords } from '../../../lambdas/lists/record-store.ts';
import { hideMetrics } from '../../support/captured-lines.ts';
import { random } from '../../support/random.ts';

hideMetrics();

interface StoredItem {
  answer?: StoredAnswer;
  leaseUntilMs?: number;
}

/** A store in memory that waits before and after each call. */
function createMemoryStore(wait: () => Promise<void>): CacheStore {
  const items = new Map<string, StoredItem>();
  const vectors: CachedVector[] = [];
  const getItem = (scope: string, key: string) => {
    const id = `${scope}#${key}`;
    if (!items.has(id)) items.set(id, {});
    return items.get(id)!;
  };
  const slowly = async <Result>(work: () => Result): Promise<Result> => {
    await wait();
    const result = work();
    await wait();
    return result;
  };
  return {
    get: (scope, key) => slowly(() => getItem(scope, key).answer),
    getAll: (scope, keys) => slowly(() => keys.flatMap((key) => items.get(`${scope}#${key}`)?.answer ?? [])),
    put: (scope, key, answer) => slowly(() => void items.set(`${scope}#${key}`, { answer })),
    lease: (scope, key, nowMs, untilMs) =>
      slowly(() => {
        const item = getItem(scope, key);
        if (item.leaseUntilMs !== undefined && item.leaseUntilMs >= nowMs) return undefined;
        item.leaseUntilMs = untilMs;
        return { earlier: item.answer };
      }),
    release: (scope, key) => slowly(() => void delete getItem(scope, key).leaseUntilMs),
    vectorsSince: (fromMs) => slowly(() => vectors.filter(({ createdAtMs }) => createdAtMs >= fromMs)),
    putVector: (vector) => slowly(() => void vectors.push(vector)),
  };
}

const question: CachedQuestion = {
  endpoint: 'ask',
  scope: ['model', 'published'],
  text: 'What does error 809 mean?',
  callerId: 'alice',
  ttlSeconds: 60,
  matching: 'similar',
};

let nowMs = 1_000;
let lastLearnedMs = Number.NEGATIVE_INFINITY;

function createCache(
  store: CacheStore,
  read: ReadRecords = async () => [],
  count: UsageStore['count'] = async () => {},
  countLearned: () => Promise<number | undefined> = async () => undefined,
) {
  const embed = async () => normalize(new Float32Array(dimensions).fill(1));
  const logged: string[] = [];
  const log = (_: unknown, message: string) => void logged.push(message);
  const clock = { now: () => nowMs };
  return {
    cache: createAnswerCache({
      store,
      embed,
      compare: async () => ({ answers: 0, same: 0 }),
      read,
      usage: { count },
      countLearned,
      getLastLearnedMs: () => lastLearnedMs,
      clock,
      log,
    }),
    logged,
  };
}

const anAnswer = async () => ({ value: 'a firewall', usedVersions: {} });

describe('answer cache', () => {
  it('computes an answer once for concurrent equal questions, in any order of responses', async () => {
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    const works = await Promise.all(
      seeds.map(async (seed) => {
        const { below } = random(seed);
        const wait = async () => {
          for (let turns = below(12); turns > 0; turns--) await turn();
        };
        const { cache } = createCache(createMemoryStore(wait));
        let works = 0;
        const ask = async () => {
          await wait();
          return cache(question, async () => {
            works++;
            await wait();
            return anAnswer();
          });
        };
        const answers = await Promise.all(Array.from({ length: 6 }, ask));
        expect(answers.map(({ value }) => value)).toEqual(Array(6).fill('a firewall'));
        return works;
      }),
    );
    expect(works).toEqual(seeds.map(() => 1));
  });

  it('separates answers by endpoint, model, record, visibility and words', async () => {
    const { cache } = createCache(createMemoryStore(async () => {}));
    await cache(question, anAnswer);
    expect((await cache(question, anAnswer)).match).toMatchObject({ matched: question.text, similarity: 1 });
    for (const other of [
      { ...question, endpoint: 'query' },
      { ...question, scope: ['other model', 'published'] },
      { ...question, scope: ['model', 'everything'] },
      { ...question, text: 'What does error 812 mean?' },
    ]) {
      expect((await cache(other, anAnswer)).match).toBeUndefined();
    }
  });

  it('discards an answer after the learned data grew', async () => {
    let learned: number | undefined = 100;
    const { cache } = createCache(
      createMemoryStore(async () => {}),
      undefined,
      undefined,
      async () => learned,
    );
    const isHit = async () => (await cache(question, anAnswer)).match !== undefined;
    const hits: boolean[] = [];
    for (learned of [100, 102, 103, 103, undefined]) hits.push(await isHit());
    expect(hits).toEqual([false, true, false, true, true]);
  });

  it('keeps an answer from the middle of an import for 30 seconds', async () => {
    const { cache } = createCache(createMemoryStore(async () => {}));
    const isHit = async () => (await cache(question, anAnswer)).match !== undefined;
    lastLearnedMs = nowMs - 9_000;
    expect(await isHit()).toBe(false);
    nowMs += 29_000;
    expect(await isHit()).toBe(true);
    nowMs += 2_000;
    expect([await isHit(), await isHit()]).toEqual([false, true]);
    nowMs += 59_000;
    expect(await isHit()).toBe(true);
  });

  it('finds a similar question that another instance has stored, until it expires', async () => {
    const store = createMemoryStore(async () => {});
    await createCache(store).cache(question, anAnswer);
    const { cache } = createCache(store);
    const reworded = { ...question, text: 'What does the error 809 mean, please?' };
    expect((await cache(reworded, anAnswer)).match).toMatchObject({ matched: question.text, similarity: 1 });
    nowMs += 61_000;
    expect((await cache({ ...reworded, text: 'What does an error 809 mean?' }, anAnswer)).match).toBeUndefined();
  });

  it('shows the earlier question only to its own caller', async () => {
    const { cache } = createCache(createMemoryStore(async () => {}));
    await cache(question, anAnswer);
    expect((await cache(question, anAnswer)).match).toHaveProperty('matched', question.text);
    const { match } = await cache({ ...question, callerId: 'bob' }, anAnswer);
    expect(match).toEqual({ similarity: 1, age_seconds: 0 });
  });

  it('returns an answer only while all of its source records are unchanged', async () => {
    let version = 1;
    const read = (async (ids: string[]) => ids.map((id) => ({ record: { id, version } }))) as unknown as ReadRecords;
    const { cache } = createCache(
      createMemoryStore(async () => {}),
      read,
    );
    const behind = async () => ({ value: 'x', usedVersions: { KB1: String(version) } });
    await cache(question, behind);
    expect((await cache(question, behind)).match).toBeDefined();
    version++;
    expect((await cache(question, behind)).match).toBeUndefined();
    expect((await cache(question, behind)).match).toBeDefined();
  });

  it('never blocks an answer when the cache fails, and releases the lease when an answer fails', async () => {
    const broken = new Proxy({} as CacheStore, {
      get: () => () => Promise.reject(new Error('the table does not respond')),
    });
    const { cache, logged } = createCache(broken);
    expect(await cache(question, anAnswer)).toEqual({ value: 'a firewall' });
    expect(logged.length).toBeGreaterThan(0);
    const store = createMemoryStore(async () => {});
    const working = createCache(store).cache;
    await expect(working(question, () => Promise.reject(new Error('the model does not respond')))).rejects.toThrow(
      'model',
    );
    expect(await working(question, anAnswer)).toEqual({ value: 'a firewall' });
  });

  it('counts only answers that existed before the request as hits', async () => {
    const counted: string[] = [];
    const count = async (outcome: string) => void counted.push(outcome);
    const { cache } = createCache(
      createMemoryStore(() => turn()),
      undefined,
      count,
    );
    const together = await Promise.all([cache(question, anAnswer), cache(question, anAnswer)]);
    const later = await cache(question, anAnswer);
    expect([...together, later].map(({ match }) => match !== undefined)).toEqual([false, false, true]);
    expect(counted).toEqual(['misses', 'misses', 'hits']);
  });

  it('answers when the counter fails, and logs the failure', async () => {
    const count = () => Promise.reject(new Error('the counter does not respond'));
    const { cache, logged } = createCache(
      createMemoryStore(async () => {}),
      undefined,
      count,
    );
    expect(await cache(question, anAnswer)).toEqual({ value: 'a firewall' });
    expect(await cache(question, anAnswer)).toMatchObject({ value: 'a firewall', match: { similarity: 1 } });
    expect(logged).toContain('answer cache call failed; continuing without the cache');
  });
});
