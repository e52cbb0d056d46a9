import { expectProblem } from '../support/http.ts';
import { type Api, startTestService } from '../support/incidents.ts';
import { finishedJob } from '../support/jobs.ts';

const submitted: string[] = [];
const { service, agent, admin, viewer, manager } = await startTestService('agent', 'admin', 'viewer', 'manager');
beforeAll(async () => {
  for (let index = 0; index < 5; index++) submitted.push(await submit(agent));
  await submit(admin);
});

const creation = { operation: 'create', records: [{ short_description: 'One' }] };

async function submit(api: Api): Promise<string> {
  const { body } = await api.post('/incidents/bulk', creation);
  await service.advance('5ms');
  return body.job_id;
}

const toIds = ({ body }: { body: { data: { job_id: string }[] } }) => body.data.map(({ job_id }) => job_id);

describe('listJobs', () => {
  it("lists the caller's own jobs, newest first, without the results", async () => {
    await finishedJob(service, agent, submitted[4]!);
    const answer = await agent.get('/jobs');
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBe(5);
    expect(toIds(answer)).toEqual([...submitted].reverse());
    expect(answer.body).not.toHaveProperty('next_cursor');
    expect(answer.body.data[0]).toMatchObject({ status: 'completed', total: 1, processed: 1, succeeded: 1, failed: 0 });
    expect(answer.body.data[0]).not.toHaveProperty('results');
  });

  it("shows managers everybody's", async () => {
    expect((await admin.get('/jobs')).body.total).toBe(6);
    expect((await viewer.get('/jobs')).body).toEqual({ data: [], total: 0 });
  });

  it('walks all pages by the cursor, each job once, though new ones arrive', async () => {
    const seen: string[] = [];
    let path = '/jobs?limit=2';
    for (let page = 0; page < 10; page++) {
      const answer = await agent.get(path);
      seen.push(...toIds(answer));
      if (page === 0) submitted.push(await submit(agent));
      if (!answer.body.next_cursor) break;
      path = `/jobs?limit=2&cursor=${answer.body.next_cursor}`;
    }
    expect(seen).toEqual(submitted.slice(0, 5).reverse());
  });

  it('rejects the cursor of another list, a wrong limit and an unknown parameter', async () => {
    const { next_cursor } = (await admin.get('/jobs?limit=2')).body;
    for (const query of [`cursor=${next_cursor}`, 'cursor=x', 'limit=0', 'limit=201', 'limit=abc', 'nope=1']) {
      expectProblem(await agent.get(`/jobs?${query}`), 400, 'invalid_input');
    }
  });

  it('needs a token', async () => {
    expect((await fetch(`${service.baseUrl}/prod/api/v1/jobs`)).status).toBe(401);
  });
});

describe('getJob', () => {
  it('shows the creator, the result and the times of a job', async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', creation);
    const job = await finishedJob(service, agent, accepted.job_id);
    expect(job).toEqual({
      job_id: accepted.job_id,
      record_type: 'incident',
      operation: 'create',
      status: 'completed',
      total: 1,
      processed: 1,
      succeeded: 1,
      failed: 0,
      created_by: 'agent@clients.incidents.localhost',
      created_at: expect.any(String),
      started_at: expect.any(String),
      finished_at: expect.any(String),
      results: [{ index: 0, id: expect.stringMatching(/^INC/), status: 'succeeded' }],
    });
    expect(job.created_at <= job.started_at && job.started_at <= job.finished_at).toBe(true);
  });

  it('shows the jobs of others to managers only', async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', creation);
    expectProblem(await viewer.get(`/jobs/${accepted.job_id}`), 404, 'not_found');
    expect((await manager.get(`/jobs/${accepted.job_id}`)).body.job_id).toBe(accepted.job_id);
  });

  it.each(['job_00000000000000000000000000', 'job_1', 'INC0000000'])('does not find %s', async (id) => {
    expectProblem(await agent.get(`/jobs/${id}`), 404, 'not_found');
  });

  it('needs a token', async () => {
    const response = await fetch(`${service.baseUrl}/prod/api/v1/jobs/job_00000000000000000000000000`);
    expect(response.status).toBe(401);
  });
});
