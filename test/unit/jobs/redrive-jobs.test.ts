import { finishJob, type Job, maxRuns, startJob } from '../../../lambdas/jobs/job.ts';
import { type RunTools, redriveJobs, runJob } from '../../../lambdas/jobs/run-job.ts';
import { aJob, memoryJobs, start, toUpdate } from './a-job.ts';

const minute = 60_000;

const vainlyBegun = (job: Job) => Array.from({ length: maxRuns }).reduce((before: Job) => startJob(before, start), job);

function ground(nowMs: number, change = (job: ReturnType<typeof aJob>) => job) {
  const jobs = memoryJobs(change(aJob()), toUpdate(3));
  const sent: string[] = [];
  let now = nowMs;
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
  };
  return {
    jobs,
    sent,
    tools,
    async runAt(atMs: number) {
      now = atMs;
      await redriveJobs(tools);
    },
  };
}

describe('redriveJobs', () => {
  it('resends the message of a job that never started', async () => {
    const { jobs, sent, runAt } = ground(start);
    await runAt(start + 3 * minute);
    expect(sent).toEqual([jobs.current.job_id]);
    expect(jobs.current).toMatchObject({ status: 'queued', sends: 2 });
  });

  it('ignores running jobs, finished jobs and stale index entries', async () => {
    const running = ground(start, (job) => startJob(job, start));
    await running.runAt(start + 3 * minute);
    const over = ground(start, (job) => finishJob(job, { succeeded: 3, failed: 0 }, start));
    await over.runAt(start + 300 * minute);
    const early = ground(start);
    await early.runAt(start + minute);
    expect([...running.sent, ...over.sent, ...early.sent]).toEqual([]);
  });

  it('keeps a waiting job queued, and resends its message with backoff', async () => {
    const { jobs, sent, runAt } = ground(start);
    for (let atMs = start; atMs <= start + 24 * 60 * minute; atMs += 5 * minute) await runAt(atMs);
    expect(jobs.current).toMatchObject({ status: 'queued', finished_at: null });
    expect(sent.length).toBeGreaterThan(5);
    expect(sent.length).toBeLessThan(15);
  });

  it('abandons a job after too many runs, with a result for every record', async () => {
    const { jobs, sent, runAt } = ground(start, vainlyBegun);
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
    const { jobs, runAt } = ground(start, vainlyBegun);
    const applied: string[] = [];
    const update = async (id: string) => {
      // The worker was about to write this record when the job was given up; its transaction holds the result.
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
    const { sent, tools } = ground(start + 3 * minute);
    const failing = { ...tools, queue: { send: async () => Promise.reject(new Error('no queue')) } };
    await expect(redriveJobs(failing)).rejects.toThrow('1 jobs could not be redriven');
    expect(sent).toEqual([]);
  });
});
