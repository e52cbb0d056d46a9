import { randomBytes } from 'node:crypto';
import type { JobResult } from '../../../contract/jobs.ts';
import { createIncidentRules, type IncidentDocument } from '../../../lambdas/incidents/incident.ts';
import { createRecordWork } from '../../../lambdas/jobs/bulk-work.ts';
import {
  countResults,
  findUnfinished,
  finishJob,
  getExpiryMs,
  listChunks,
  toJobResponse,
} from '../../../lambdas/jobs/job.ts';
import type { TaskReports } from '../../../lambdas/jobs/job-machine.ts';
import {
  buildJobCreation,
  createJobStore,
  packSource,
  toResultWrite,
  unpackSource,
} from '../../../lambdas/jobs/job-store.ts';
import { createJobWorker, type WorkerTools } from '../../../lambdas/jobs/job-worker.ts';
import { type Run, type RunTools, runChunk } from '../../../lambdas/jobs/run-chunk.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import type { ChangeRequest } from '../../../lambdas/records/change-record.ts';
import type { ItemStore } from '../../../lambdas/records/item-store.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import type { Write } from '../../../lambdas/records/write-items.ts';
import { toLevels } from '../../../lambdas/sla/level-store.ts';
import fc from '../../support/properties.ts';
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

  it('has every record in one chunk, and lists exactly those without a result as unfinished', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.uniqueArray(fc.nat(99)), (total, done) => {
        const job = aJob(toUpdate(total));
        const results = done.filter((index) => index < total).map((index) => result(index, 'succeeded'));
        const open = listChunks(job).flatMap((chunk) => findUnfinished(chunk, results));
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

const rules = createIncidentRules(toLevels({ P1: 240, P2: 480, P3: 1_440, P4: 4_320 }));

interface TestRun {
  jobs: MemoryJobs;
  tools: RunTools;
  /** The id of each change, in order. */
  changed: string[];
  /** Runs the chunks of the job one after the other. */
  run(options?: Partial<Run>): Promise<void>;
}

/** Every change succeeds and stores its result, unless `fail` throws for its id. */
function aRun(count: number, fail: (id: string) => void = () => {}): TestRun {
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
  const work = { incident: createRecordWork({ change, clock, kind: 'incident', apply: rules.change } as never) };
  const tools = { jobs, work, clock, log: () => {} } as unknown as RunTools;
  const run = async (options: Partial<Run> = {}) => {
    for (const chunk of listChunks(jobs.current))
      await runChunk(chunk, { give_up: false, remainingMs: () => 28_000, ...options }, tools);
  };
  return { jobs, tools, changed, run };
}

function put(write: Write): string {
  return 'put' in write ? write.put.Item!.result!.S! : '';
}

describe('runChunk', () => {
  it('processes the records of its chunk, and the last chunk finishes the job', async () => {
    const { jobs, changed, run, tools } = aRun(60);
    const [first] = listChunks(jobs.current);
    const counts = await runChunk(first!, { give_up: false, remainingMs: () => 28_000 }, tools);
    expect([counts, changed.length, jobs.current.status]).toEqual([{ succeeded: 50, failed: 0 }, 50, 'running']);
    await run();
    expect(changed).toHaveLength(60);
    expect(jobs.current).toMatchObject({
      status: 'completed',
      counts: { succeeded: 60, failed: 0 },
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
    const { jobs, tools, changed, run } = aRun(10, (id) => {
      if (crash && Number(id.slice(3)) >= 6) throw new Error('storage is down');
    });
    await expect(run()).rejects.toThrow('4 records');
    expect(jobs.current.status).toBe('running');
    crash = false;
    tools.clock.now = () => start + 60_000;
    await run();
    expect(changed).toHaveLength(10);
    expect(jobs.current).toMatchObject({
      status: 'completed',
      started_at: '2026-03-01T09:00:05.000Z',
      finished_at: '2026-03-01T09:01:00.000Z',
    });
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

  it('fails the remaining records when it gives up, without internal details in results', async () => {
    const { jobs, changed, run } = aRun(3, (id) => {
      if (id.endsWith('1')) throw new Error('secret inner detail');
    });
    await expect(run()).rejects.toMatchObject({ name: 'RecordsUnfinished' });
    await expect(run({ give_up: true })).rejects.toMatchObject({ name: 'RecordsFailed' });
    expect(changed).toHaveLength(2);
    expect(jobs.current).toMatchObject({ status: 'completed_with_errors', counts: { succeeded: 2, failed: 1 } });
    expect(jobs.known.get(1)?.error?.code).toBe('internal_error');
    expect(JSON.stringify([...jobs.known.values()])).not.toContain('secret');
    const { current } = jobs;
    await expect(run()).rejects.toMatchObject({ name: 'RecordsFailed' });
    expect(jobs.current).toBe(current);
  });

  it('applies no record after a job has ended, neither by a late message nor by a running worker', async () => {
    const jobs = memoryJobs(aJob(), toUpdate(3));
    const [chunk] = listChunks(jobs.current);
    const applied: string[] = [];
    const clock = { now: () => start };
    const giveUp = { give_up: true, remainingMs: () => 28_000 };
    const update = async (id: string) => {
      // The state machine gives up while the worker writes this record.
      await expect(runChunk(chunk!, giveUp, tools)).rejects.toMatchObject({ name: 'RecordsFailed' });
      const outcome = await jobs.addResult(jobs.current, { index: Number(id.slice(3)), id, status: 'succeeded' });
      if (outcome.kind === 'written') applied.push(id);
    };
    const tools = { jobs, work: { incident: { update } }, clock, log: () => {} } as unknown as RunTools;
    const late = { ...giveUp, give_up: false };
    await expect(runChunk(chunk!, late, tools)).rejects.toMatchObject({ name: 'RecordsFailed' });
    await expect(runChunk(chunk!, late, tools)).rejects.toMatchObject({ name: 'RecordsFailed' });
    expect([applied, jobs.current.status]).toEqual([[], 'failed']);
  });

  it('stops before the timeout and leaves the rest to the next retry', async () => {
    let left = 28_000;
    const { changed, run } = aRun(25);
    await expect(
      run({
        remainingMs: () => {
          left -= 1_000;
          return left;
        },
      }),
    ).rejects.toThrow('unfinished');
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(25);
    await run();
    expect(changed).toHaveLength(25);
  });

  it('ignores a job that no longer exists', async () => {
    const { jobs, changed, run } = aRun(3);
    jobs.find = async () => undefined;
    await run();
    expect(changed).toEqual([]);
  });
});

describe('the worker of jobs', () => {
  const message = (body: object) => ({ messageId: 'm', body: JSON.stringify(body) });

  function aWorker(change: (job: ReturnType<typeof aJob>) => ReturnType<typeof aJob>, fail?: () => void) {
    const { jobs, tools } = aRun(3, fail);
    jobs.current = change(jobs.current);
    const calls: unknown[][] = [];
    const note =
      (name: string) =>
      async (...values: unknown[]) =>
        void calls.push([name, ...values.map((value) => (value instanceof Error ? value.name : value))]);
    const reports: TaskReports = { succeed: note('succeed'), fail: note('fail') };
    const worker = createJobWorker({ ...tools, start: note('start'), reports } as unknown as WorkerTools);
    const send = (body: object) =>
      worker({ Records: [message(body)] } as never, { getRemainingTimeInMillis: () => 28_000 });
    return { jobs, calls, reports, send };
  }
  const same = (job: ReturnType<typeof aJob>) => job;
  const { job_id } = aJob();
  const chunk = { job_id, first: 0, end: 3, token: 't' };

  it('starts a stored job that has not ended, also one of the previous release', async () => {
    const due = { due_at: '2026-03-01T09:02:00.000Z', sends: 1, runs: 0 };
    const { calls, jobs, send } = aWorker((job) => ({ ...job, ...due }));
    expect(await send({ job_id })).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual([['start', jobs.current]]);
  });

  it('ignores the start of a job that has ended or was never stored', async () => {
    const { jobs, calls, send } = aWorker((job) => finishJob(job, { succeeded: 3, failed: 0 }, start));
    await send({ job_id });
    jobs.find = async () => undefined;
    expect(await send({ job_id })).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual([]);
  });

  it('reports the counts of a chunk with its token', async () => {
    const { calls, send } = aWorker(same);
    await send(chunk);
    expect(calls).toEqual([['succeed', 't', { succeeded: 3, failed: 0 }]]);
  });

  it('reports a failed chunk with the name of the error, so that the state machine retries it', async () => {
    const { calls, send } = aWorker(same, () => {
      throw new Error('storage is down');
    });
    expect(await send(chunk)).toEqual({ batchItemFailures: [] });
    await send({ ...chunk, give_up: true });
    expect(calls).toEqual([
      ['fail', 't', 'RecordsUnfinished'],
      ['fail', 't', 'RecordsFailed'],
    ]);
  });

  it('leaves a message to SQS that it cannot parse or report', async () => {
    const { send, reports } = aWorker(same);
    const failed = { batchItemFailures: [{ itemIdentifier: 'm' }] };
    expect(await send({ job_id: 'INC0000001' })).toEqual(failed);
    reports.succeed = () => Promise.reject(new Error('no answer'));
    expect(await send(chunk)).toEqual(failed);
  });
});
