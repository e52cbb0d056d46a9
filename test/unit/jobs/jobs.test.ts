import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import type { JobResult } from '../../../contract/jobs.ts';
import { createIncidentRules, type IncidentDocument } from '../../../lambdas/incidents/incident.ts';
import { createIncidentWork, type IncidentWorkTools } from '../../../lambdas/jobs/bulk-work.ts';
import {
  countResults,
  findUnfinished,
  finishJob,
  getExpiryMs,
  isDue,
  type Job,
  markResent,
  maxRuns,
  startJob,
  toJobResponse,
} from '../../../lambdas/jobs/job.ts';
import {
  buildJobCreation,
  createJobStore,
  packSource,
  toResultWrite,
  unpackSource,
} from '../../../lambdas/jobs/job-store.ts';
import { type Delivery, type RunTools, redriveJobs, runJob } from '../../../lambdas/jobs/run-job.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import type { ChangeRequest } from '../../../lambdas/records/change-record.ts';
import type { Item, ItemStore, Write } from '../../../lambdas/records/item-store.ts';
import { aJob, type MemoryJobs, memoryJobs, start, toUpdate } from './a-job.ts';

const result = (index: number, status: JobResult['status']): JobResult => ({ index, id: null, status });

describe('a job', () => {
  it.each([
    ['completed', 3, 0],
    ['completed_with_errors', 2, 1],
    ['failed', 0, 3],
  ])('is %s with %i successes and %i failures', (status, succeeded, failed) => {
    expect(finishJob(aJob(), { succeeded, failed }, start).status).toBe(status);
  });

  it('keeps the time of its first start when it runs again', () => {
    const again = startJob(startJob(aJob(), start + 1_000), start + 60_000);
    expect(again).toMatchObject({ status: 'running', started_at: new Date(start + 1_000).toISOString() });
  });

  it('is due when its message should have arrived, and not before', () => {
    const job = aJob();
    expect(isDue(job, start + 119_999)).toBe(false);
    expect(isDue(job, start + 120_000)).toBe(true);
    expect(isDue(startJob(job, start), start + 120_000)).toBe(false);
    expect(isDue(markResent(job, start + 120_000), start + 120_000)).toBe(false);
    expect(isDue(finishJob(job, { succeeded: 3, failed: 0 }, start), start + 10 ** 9)).toBe(false);
  });

  it('lists exactly the records without a result as unfinished', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.uniqueArray(fc.nat(99)), (total, done) => {
        const job = aJob(toUpdate(total));
        const results = done.filter((index) => index < total).map((index) => result(index, 'succeeded'));
        const open = findUnfinished(job, results);
        expect(new Set([...open, ...results.map(({ index }) => index)]).size).toBe(total);
        expect(open.length + results.length).toBe(total);
        expect(toJobResponse(job, countResults(results)).processed).toBe(results.length);
      }),
    );
  });

  it('returns only the email address of its caller', () => {
    expect(JSON.stringify(toJobResponse(aJob()))).not.toContain('caller-1');
  });

  it('expires after 30 days, even if it is not deleted yet', async () => {
    const job = aJob();
    const [write] = buildJobCreation(job, toUpdate(3));
    const item = (write as { put: { Item: Item } }).put.Item;
    const store = { get: async () => item, range: async () => [] } as unknown as ItemStore;
    const month = 30 * 24 * 3_600_000;
    expect(getExpiryMs(job)).toBe(start + month);
    expect(Number(item.expires_at!.N)).toBe((start + month) / 1_000);
    expect(await createJobStore(store).find(job.job_id, start + month - 1)).toBeDefined();
    expect(await createJobStore(store).find(job.job_id, start + month)).toBeUndefined();
  });

  it('counts each result once', () => {
    expect(toResultWrite(aJob(), result(7, 'succeeded'))).toMatchObject({
      name: 'result',
      put: { Item: { sk: { S: 'result#007' } }, ConditionExpression: 'attribute_not_exists(pk)' },
    });
  });
});

describe('the source of a job', () => {
  it('is restored unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 100 }), (values) => {
        const records: unknown[] = JSON.parse(JSON.stringify(values));
        expect(unpackSource(packSource({ operation: 'create', records }))).toEqual({ operation: 'create', records });
      }),
    );
    expect(unpackSource(packSource(toUpdate(100)))).toEqual(toUpdate(100));
  });

  it('is split into pieces that fit into an item', () => {
    const records = Array.from({ length: 10 }, () => randomBytes(70_000).toString('base64'));
    const pieces = packSource({ operation: 'create', records });
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ byteLength }) => byteLength))).toBeLessThan(400 * 1024);
    expect(unpackSource(pieces)).toEqual({ operation: 'create', records });
  });

  it('is rejected if it does not fit into a transaction', () => {
    const records = [randomBytes(4_000_000).toString('base64')];
    expect(() => packSource({ operation: 'create', records })).toThrow('too large');
  });
});

const rules = createIncidentRules({ P1: 240, P2: 480, P3: 1_440, P4: 4_320 });

interface Run {
  jobs: MemoryJobs;
  tools: RunTools;
  /** The id of each change, in order. */
  changed: string[];
  run(delivery?: Partial<Delivery>): Promise<void>;
}

/** Every change succeeds and stores its result, unless `fail` throws for its id. */
function aRun(count: number, fail: (id: string) => void = () => {}): Run {
  const request = toUpdate(count);
  const jobs = memoryJobs(aJob(request), request);
  const changed: string[] = [];
  const change = async ({ id, apply, onConditionFailed }: ChangeRequest<IncidentDocument>) => {
    await new Promise((resolve) => setImmediate(resolve));
    fail(id);
    const { additionalWrites = [] } = apply({ id, document: {} } as Parameters<typeof apply>[0], start);
    const result = JSON.parse(put(additionalWrites.find(({ name }) => name === 'result')!));
    if (jobs.known.has(result.index)) return onConditionFailed!('result');
    jobs.known.set(result.index, result);
    changed.push(id);
    return { id };
  };
  const clock = { now: () => start + 5_000 };
  const work = { incident: createIncidentWork({ change, clock, rules } as unknown as IncidentWorkTools) };
  const tools = { jobs, work, clock, log: () => {} } as unknown as RunTools;
  const run = (delivery: Partial<Delivery> = {}) =>
    runJob(jobs.current.job_id, { isLast: false, remainingMs: () => 28_000, ...delivery }, tools);
  return { jobs, tools, changed, run };
}

function put(write: Write): string {
  return 'put' in write ? write.put.Item!.result!.S! : '';
}

describe('runJob', () => {
  it('processes every record and finishes the job', async () => {
    const { jobs, changed, run } = aRun(20);
    await run();
    expect(changed).toHaveLength(20);
    expect(jobs.current).toMatchObject({
      status: 'completed',
      counts: { succeeded: 20, failed: 0 },
      due_at: null,
      started_at: '2026-03-01T09:00:05.000Z',
      finished_at: '2026-03-01T09:00:05.000Z',
    });
  });

  it('ignores a repeated message', async () => {
    const { jobs, changed, run } = aRun(5);
    await run();
    const before = jobs.current;
    await run();
    expect(changed).toHaveLength(5);
    expect(jobs.current).toBe(before);
  });

  it('processes each record once when two workers have the same message', async () => {
    const { jobs, changed, run } = aRun(30);
    await Promise.all([run(), run(), run()]);
    expect(new Set(changed).size).toBe(30);
    expect(changed).toHaveLength(30);
    expect(jobs.current.status).toBe('completed');
  });

  it('continues after a stopped worker', async () => {
    let crash = true;
    const { jobs, changed, run } = aRun(10, (id) => {
      if (crash && Number(id.slice(3)) >= 6) throw new Error('storage is down');
    });
    await expect(run()).rejects.toThrow('4 records');
    expect(jobs.current.status).toBe('running');
    crash = false;
    await run();
    expect(changed).toHaveLength(10);
    expect(jobs.current).toMatchObject({ status: 'completed' });
  });

  it('stores the problems of a record as its result', async () => {
    const { jobs, run } = aRun(3, (id) => {
      if (id.endsWith('1')) throw new ServiceError('not_found', 'There is no such thing.');
    });
    await run();
    expect(jobs.known.get(1)).toEqual({
      index: 1,
      id: 'INC0000001',
      status: 'failed',
      error: { code: 'not_found', detail: 'There is no such thing.' },
    });
    expect(jobs.current).toMatchObject({ status: 'completed_with_errors', counts: { succeeded: 2, failed: 1 } });
  });

  it('finishes all records with the last delivery, without internal details in results', async () => {
    const { jobs, run } = aRun(3, (id) => {
      if (id.endsWith('1')) throw new Error('secret inner detail');
    });
    await run({ isLast: true });
    expect(jobs.current.status).toBe('completed_with_errors');
    expect(jobs.known.get(1)?.error?.code).toBe('internal_error');
    expect(JSON.stringify([...jobs.known.values()])).not.toContain('secret');
  });

  it('stops before the timeout and leaves the rest to the next delivery', async () => {
    let left = 28_000;
    const { changed, run } = aRun(50);
    await expect(
      run({
        remainingMs: () => {
          left -= 1_000;
          return left;
        },
      }),
    ).rejects.toThrow('unfinished');
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(50);
    await run();
    expect(changed).toHaveLength(50);
  });

  it('ignores a job that no longer exists', async () => {
    const { jobs, changed, run } = aRun(3);
    jobs.find = async () => undefined;
    await run();
    expect(changed).toEqual([]);
  });
});

const minute = 60_000;

const withMaxRuns = (job: Job) => Array.from({ length: maxRuns }).reduce((before: Job) => startJob(before, start), job);

function aRedrive(nowMs: number, change = (job: ReturnType<typeof aJob>) => job) {
  const jobs = memoryJobs(change(aJob()), toUpdate(3));
  const sent: string[] = [];
  let now = nowMs;
  const postponed: string[] = [];
  const tools = {
    jobs,
    queue: {
      send: async (id: string) => {
        sent.push(id);
      },
    },
    clock: { now: () => now },
    log: () => {},
    async *due() {
      yield [jobs.current.job_id];
    },
    postpone: async (id: string) => void postponed.push(id),
  };
  return {
    jobs,
    sent,
    postponed,
    tools,
    async runAt(atMs: number) {
      now = atMs;
      await redriveJobs(tools);
    },
  };
}

describe('redriveJobs', () => {
  it('resends the message of a job that never started', async () => {
    const { jobs, sent, runAt } = aRedrive(start);
    await runAt(start + 3 * minute);
    expect(sent).toEqual([jobs.current.job_id]);
    expect(jobs.current).toMatchObject({ status: 'queued', sends: 2 });
  });

  it('ignores running jobs, finished jobs and stale index entries', async () => {
    const running = aRedrive(start, (job) => startJob(job, start));
    await running.runAt(start + 3 * minute);
    const over = aRedrive(start, (job) => finishJob(job, { succeeded: 3, failed: 0 }, start));
    await over.runAt(start + 300 * minute);
    const early = aRedrive(start);
    await early.runAt(start + minute);
    expect([...running.sent, ...over.sent, ...early.sent]).toEqual([]);
  });

  it('keeps a waiting job queued, and resends its message with backoff', async () => {
    const { jobs, sent, runAt } = aRedrive(start);
    for (let atMs = start; atMs <= start + 24 * 60 * minute; atMs += 5 * minute) await runAt(atMs);
    expect(jobs.current).toMatchObject({ status: 'queued', finished_at: null });
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(15);
  });

  it('abandons a job after too many runs, with a result for every record', async () => {
    const { jobs, sent, runAt } = aRedrive(start, withMaxRuns);
    jobs.known.set(1, { index: 1, id: 'INC0000001', status: 'succeeded' });
    await runAt(start + 60 * minute);
    expect(sent).toEqual([]);
    expect(jobs.current).toMatchObject({
      status: 'completed_with_errors',
      due_at: null,
      counts: { succeeded: 1, failed: 2 },
    });
    expect(jobs.known.get(2)).toMatchObject({ status: 'failed', error: { code: 'internal_error' } });
  });

  it('applies no record after a job has failed, neither by a late message nor by a running worker', async () => {
    const { jobs, runAt } = aRedrive(start, withMaxRuns);
    const applied: string[] = [];
    const update = async (id: string) => {
      // The redrive fails the job while the worker writes this record.
      await runAt(start + 60 * minute);
      const outcome = await jobs.addResult(jobs.current, { index: Number(id.slice(3)), id, status: 'succeeded' });
      if (outcome.kind === 'written') applied.push(id);
    };
    const clock = { now: () => start + 60 * minute };
    const tools = { jobs, work: { incident: { update } }, clock, log: () => {} } as unknown as RunTools;
    const delivery = { isLast: false, remainingMs: () => 28_000 };
    const dueAgain: Job = { ...jobs.current, due_at: new Date(start).toISOString() };
    jobs.change = async (next) => {
      jobs.current = next.finished_at === null ? { ...next, due_at: dueAgain.due_at } : next;
      return { kind: 'written' };
    };
    await runJob(jobs.current.job_id, delivery, tools);
    expect(jobs.current.status).toBe('failed');
    await runJob(jobs.current.job_id, delivery, tools);
    expect(applied).toEqual([]);
    expect(jobs.current.status).toBe('failed');
  });

  it('redrives the other jobs when one fails, and then fails for the alarm', async () => {
    const { jobs, sent, postponed, tools } = aRedrive(start + 3 * minute);
    const failing = { ...tools, queue: { send: async () => Promise.reject(new Error('no queue')) } };
    await expect(redriveJobs(failing)).rejects.toThrow('1 jobs could not be redriven');
    expect([sent, postponed]).toEqual([[], [jobs.current.job_id]]);
  });
});
