import type { IncidentDocument } from '../../../lambdas/incidents/incident.ts';
import { createIncidentRules } from '../../../lambdas/incidents/incident.ts';
import { createIncidentWork, type IncidentWorkTools } from '../../../lambdas/jobs/bulk-work.ts';
import { type Delivery, type RunTools, runJob } from '../../../lambdas/jobs/run-job.ts';
import { ServiceError } from '../../../lambdas/platform/service-error.ts';
import type { ChangeRequest } from '../../../lambdas/records/change-record.ts';
import type { Write } from '../../../lambdas/records/item-store.ts';
import { aJob, type MemoryJobs, memoryJobs, start, toUpdate } from './a-job.ts';

const rules = createIncidentRules({ P1: 240, P2: 480, P3: 1_440, P4: 4_320 });

interface Ground {
  jobs: MemoryJobs;
  tools: RunTools;
  /** The ids that were changed, once per change. */
  changed: string[];
  run(delivery?: Partial<Delivery>): Promise<void>;
}

/** Every change succeeds and leaves its result, unless `fail` throws for its id. */
function ground(count: number, fail: (id: string) => void = () => {}): Ground {
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
    const { jobs, changed, run } = ground(20);
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
    const { jobs, changed, run } = ground(5);
    await run();
    const before = jobs.current;
    await run();
    expect(changed).toHaveLength(5);
    expect(jobs.current).toBe(before);
  });

  it('processes each record once when two workers have the same message', async () => {
    const { jobs, changed, run } = ground(30);
    await Promise.all([run(), run(), run()]);
    expect(new Set(changed).size).toBe(30);
    expect(changed).toHaveLength(30);
    expect(jobs.current.status).toBe('completed');
  });

  it('continues after a stopped worker', async () => {
    let crash = true;
    const { jobs, changed, run } = ground(10, (id) => {
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
    const { jobs, run } = ground(3, (id) => {
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
    const { jobs, run } = ground(3, (id) => {
      if (id.endsWith('1')) throw new Error('secret inner detail');
    });
    await run({ isLast: true });
    expect(jobs.current.status).toBe('completed_with_errors');
    expect(jobs.known.get(1)?.error?.code).toBe('internal_error');
    expect(JSON.stringify([...jobs.known.values()])).not.toContain('secret');
  });

  it('stops before the timeout and leaves the rest to the next delivery', async () => {
    let left = 28_000;
    const { changed, run } = ground(50);
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
    const { jobs, changed, run } = ground(3);
    jobs.find = async () => undefined;
    await run();
    expect(changed).toEqual([]);
  });
});
