import { createClient } from '../../../client/index.ts';
import { ScriptedServer } from './scripted-server.ts';

const job = (processed: number) => ({
  job_id: 'job_1',
  total: 3,
  processed,
  finished_at: processed === 3 ? 'now' : null,
});

describe('jobs.wait', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  let waits: number[] = [];
  let nowMs = 0;
  beforeEach(() => {
    waits = [];
    nowMs = 0;
    server.apiRequests.length = 0;
  });

  const client = (baseUrl = server.url) =>
    createClient({
      baseUrl,
      credentials: { token: () => 'abc' },
      environment: {
        now: () => nowMs,
        pause: async (ms) => {
          waits.push(ms);
          nowMs += ms;
        },
      },
    });

  it('reports the progress until the job is finished', async () => {
    server.respond = (_, nth) => ({ body: job(nth) });
    const progress: number[] = [];
    const finished = await client().jobs.wait('job_1', { onProgress: ({ processed }) => progress.push(processed) });
    expect(finished.processed).toBe(3);
    expect(progress).toEqual([1, 2, 3]);
    expect(waits).toEqual([200, 300]);
  });

  it('fails when the job takes longer than its time limit', async () => {
    server.respond = () => ({ body: job(1) });
    await expect(client().jobs.wait('job_1', { timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'timeout' });
    expect(nowMs).toBeLessThanOrEqual(60_000);
    expect(Math.max(...waits)).toBe(5_000);
  });

  it('ends when the caller aborts', async () => {
    server.respond = () => ({ body: job(1) });
    const stop = new AbortController();
    const wait = client().jobs.wait('job_1', {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(wait).rejects.toThrow('enough');
  });

  it.each(['', '/', '/prod', '/prod/', '/prod/api', '/prod/api/v1', '/prod/api/v1/'])(
    'finds the API under a base URL that ends in "%s"',
    async (suffix) => {
      server.respond = () => ({ body: job(3) });
      await client(`${server.url}${suffix}`).jobs.wait('job_1');
      expect(server.apiRequests[0]?.url).toBe('/prod/api/v1/jobs/job_1');
    },
  );
});
