import { expectProblem } from '../support/http.ts';
import { type Api, apiOf } from '../support/incidents.ts';
import { finishedJob } from '../support/jobs.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let viewer: Api;
let manager: Api;
beforeAll(async () => {
  service = await startService();
  [agent, viewer, manager] = await Promise.all([
    apiOf(service, 'agent'),
    apiOf(service, 'viewer'),
    apiOf(service, 'manager'),
  ]);
});
afterAll(() => service.stop());

const body = { operation: 'create', records: [{ short_description: 'One' }] };

describe('getJob', () => {
  it('tells who asked, how it went and when', async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', body);
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
    const { body: accepted } = await agent.post('/incidents/bulk', body);
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
