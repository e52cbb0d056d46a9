import { begun, ended, mostSends } from '../../../lambdas/jobs/job.ts';
import { redriveJobs } from '../../../lambdas/jobs/redrive-jobs.ts';
import { aJob, memoryJobs, start, updateOf } from './a-job.ts';

const minute = 60_000;

function ground(nowMs: number, change = (job: ReturnType<typeof aJob>) => job) {
  const jobs = memoryJobs(change(aJob()), updateOf(3));
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
  it('sends the message of a job again that never began', async () => {
    const { jobs, sent, runAt } = ground(start);
    await runAt(start + 3 * minute);
    expect(sent).toEqual([jobs.current.job_id]);
    expect(jobs.current).toMatchObject({ status: 'queued', sends: 2 });
  });

  it('leaves alone what is under way, what is over, and what the index has not caught up on', async () => {
    const running = ground(start, (job) => begun(job, start));
    await running.runAt(start + 3 * minute);
    const over = ground(start, (job) => ended(job, { succeeded: 3, failed: 0 }, start));
    await over.runAt(start + 300 * minute);
    const early = ground(start);
    await early.runAt(start + minute);
    expect([...running.sent, ...over.sent, ...early.sent]).toEqual([]);
  });

  it('gives a job up that does not come to an end, and says so', async () => {
    const { jobs, sent, runAt } = ground(start);
    for (let hour = 1; hour <= 10; hour++) await runAt(start + hour * 60 * minute);
    expect(sent).toHaveLength(mostSends - 1);
    expect(jobs.current).toMatchObject({ status: 'failed', due_at: null, counts: { succeeded: 0, failed: 0 } });
    expect(jobs.current.finished_at).not.toBeNull();
  });

  it('looks after the others when one cannot be sent, and fails for the alarm', async () => {
    const { sent, tools } = ground(start + 3 * minute);
    const failing = { ...tools, queue: { send: async () => Promise.reject(new Error('no queue')) } };
    await expect(redriveJobs(failing)).rejects.toThrow('1 jobs could not be redriven');
    expect(sent).toEqual([]);
  });
});
