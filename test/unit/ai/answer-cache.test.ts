import { setImmediate as turn } from 'node:timers/promises';
import { type CachedQuestion, createAnswerCache } from '../../../lambdas/ai/cache/answer-cache.ts';
import type { BucketEntry, CacheStore, StoredAnswer } from '../../../lambdas/ai/cache/cache-store.ts';
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
  const buckets = new Map<string, BucketEntry[]>();
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
    bucketEntries: (scope, names) => slowly(() => names.flatMap((name) => buckets.get(`${scope}#${name}`) ?? [])),
    addToBuckets: (scope, names, entry) =>
      slowly(() => {
        for (const name of names) buckets.set(`${scope}#${name}`, [...(buckets.get(`${scope}#${name}`) ?? []), entry]);
      }),
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

function createCache(
  store: CacheStore,
  read: ReadRecords = async () => [],
  count: UsageStore['count'] = async () => {},
  countLearned: () => Promise<number | undefined> = async () => undefined,
) {
  const embed = async () => normalize(new Float32Array(dimensions).fill(1));
  const logged: string[] = [];
  const log = (_: unknown, message: string) => void logged.push(message);
  const clock = { now: () => 1_000 };
  return { cache: createAnswerCache({ store, embed, read, usage: { count }, countLearned, clock, log }), logged };
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
        expect(answers.filter(({ match }) => match === undefined)).toHaveLength(1);
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

  it('discards an answer after the learned data grew by a tenth', async () => {
    let learned: number | undefined = 100;
    const { cache } = createCache(
      createMemoryStore(async () => {}),
      undefined,
      undefined,
      async () => learned,
    );
    const isHit = async () => (await cache(question, anAnswer)).match !== undefined;
    const hits: boolean[] = [];
    for (learned of [100, 110, 111, 111, undefined]) hits.push(await isHit());
    expect(hits).toEqual([false, true, false, true, true]);
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

  it('counts each answer once, by whether it came from the cache', async () => {
    const counted: string[] = [];
    const count = async (outcome: string) => void counted.push(outcome);
    const { cache } = createCache(
      createMemoryStore(() => turn()),
      undefined,
      count,
    );
    await Promise.all(Array.from({ length: 3 }, () => cache(question, anAnswer)));
    expect(counted.sort()).toEqual(['hits', 'hits', 'misses']);
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
