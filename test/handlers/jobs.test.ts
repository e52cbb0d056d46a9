import { aCi } from '../support/cis.ts';
import { call, expectProblem } from '../support/http.ts';
import { type Api, anIncident, startTestService } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';

const { service, agent, admin, viewer, manager } = await startTestService('agent', 'admin', 'viewer', 'manager');

const oneIncident = { operation: 'create', records: [{ short_description: 'One' }] };

async function submit(api: Api): Promise<string> {
  const { body } = await api.post('/incidents/bulk', oneIncident);
  await service.advance('5ms');
  return body.job_id;
}

const toIds = ({ body }: { body: { data: { job_id: string }[] } }) => body.data.map(({ job_id }) => job_id);

describe('listJobs', () => {
  const submitted: string[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 5; index++) submitted.push(await submit(agent));
    await submit(admin);
  });

  it("lists the caller's own jobs, newest first, without the results", async () => {
    await waitForJob(service, agent, submitted[4]!);
    const answer = await agent.get('/jobs');
    expect(answer.status).toBe(200);
    expect(answer.body.total).toBe(5);
    expect(toIds(answer)).toEqual([...submitted].reverse());
    expect(answer.body).not.toHaveProperty('next_cursor');
    expect(answer.body.data[0]).toMatchObject({ status: 'completed', total: 1, processed: 1, succeeded: 1, failed: 0 });
    expect(answer.body.data[0]).not.toHaveProperty('results');
  });

  it('lists all jobs for managers', async () => {
    expect((await admin.get('/jobs')).body.total).toBe(6);
    expect((await viewer.get('/jobs')).body).toEqual({ data: [], total: 0, total_is_exact: true });
  });

  it('lists each job once by cursor while new jobs are added', async () => {
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

  it('requires a token', async () => {
    expect((await fetch(`${service.baseUrl}/prod/api/v1/jobs`)).status).toBe(401);
  });
});

describe('getJob', () => {
  it('returns the creator, the results and the times of a job', async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', oneIncident);
    const job = await waitForJob(service, agent, accepted.job_id);
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

  it("returns other callers' jobs only to managers", async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', oneIncident);
    expectProblem(await viewer.get(`/jobs/${accepted.job_id}`), 404, 'not_found');
    expect((await manager.get(`/jobs/${accepted.job_id}`)).body.job_id).toBe(accepted.job_id);
  });

  it.each(['job_00000000000000000000000000', 'job_1', 'INC0000000'])('returns 404 for %s', async (id) => {
    expectProblem(await agent.get(`/jobs/${id}`), 404, 'not_found');
  });

  it('requires a token', async () => {
    const response = await fetch(`${service.baseUrl}/prod/api/v1/jobs/job_00000000000000000000000000`);
    expect(response.status).toBe(401);
  });
});

const bulk = '/cmdb/cis/bulk';

async function runBulk(body: unknown) {
  const accepted = await manager.post(bulk, body);
  expect(accepted).toMatchObject({ status: 202, body: { status: 'queued' } });
  return waitForJob(service, manager, accepted.body.job_id);
}

const findCis = async (name: string) => (await agent.get(`/cmdb/cis?name=${name}`)).body;

describe('bulkCis', () => {
  it('creates items; an invalid item fails alone', async () => {
    const job = await runBulk({
      operation: 'create',
      records: [{ name: 'bulk-1', class: 'server' }, { name: 'bulk-2' }],
    });
    expect(job).toMatchObject({
      record_type: 'ci',
      operation: 'create',
      status: 'completed_with_errors',
      results: [
        { index: 0, status: 'succeeded', id: expect.stringMatching(/^CI\d{7}$/) },
        { index: 1, status: 'failed', id: null, error: { errors: [{ field: 'class', message: 'is required' }] } },
      ],
    });
    expect((await agent.get(`/cmdb/cis/${job.results[0].id}`)).body).toMatchObject({
      name: 'bulk-1',
      discovered_at: null,
    });
  });

  it('updates items with the same fields', async () => {
    const ids = [(await aCi(agent)).body.id, (await aCi(agent)).body.id, 'CI0000000', 'INC0000000'];
    const job = await runBulk({ operation: 'update', ids, fields: { status: 'retired', attributes: { seen: true } } });
    expect(job).toMatchObject({ succeeded: 2, failed: 2 });
    const { body } = await agent.get(`/cmdb/cis/${ids[0]}`);
    expect(body).toMatchObject({ status: 'retired', attributes: { seen: true } });
    const history = (await agent.get(`/cmdb/cis/${ids[0]}/history`)).body.data.at(-1);
    expect(history.origin).toEqual({ kind: 'job', id: job.job_id });
  });

  it('creates an item for a new name and class, and updates an existing one', async () => {
    const records = [{ name: 'found-1', class: 'server', attributes: { os: 'Debian 12', cpus: 4 } }];
    const first = await runBulk({ operation: 'discover', records });
    const id = first.results[0].id;
    const { body } = await agent.get(`/cmdb/cis/${id}`);
    expect(body).toMatchObject({ name: 'found-1', status: 'operational', discovered_at: body.created_at });
    const again = await runBulk({
      operation: 'discover',
      records: [
        { name: 'found-1', class: 'server', ip_address: '10.1.1.1', attributes: { os: 'Debian 13' } },
        { name: 'found-1', class: 'database' },
      ],
    });
    expect(again.results[0].id).toBe(id);
    expect(again.results[1].id).not.toBe(id);
    expect((await agent.get(`/cmdb/cis/${id}`)).body).toMatchObject({
      ip_address: '10.1.1.1',
      attributes: { os: 'Debian 13', cpus: 4 },
      discovered_at: body.discovered_at,
    });
    await service.advance('1s');
    const { data } = (await agent.get('/events?limit=200')).body;
    const discovered = data.filter(({ event }: { event: string }) => event === 'ci.discovered');
    expect(discovered.map((event: { data: { id: string } }) => event.data.id).sort()).toEqual(
      [id, again.results[1].id].sort(),
    );
    expect(discovered[0].data).toMatchObject({
      name: 'found-1',
      url: expect.stringContaining('/console/cis/CI'),
      api_url: expect.stringContaining('/cmdb/cis/CI'),
    });
  });

  it('creates one item for concurrent discoveries of the same name', async () => {
    const records = Array.from({ length: 20 }, (_, n) => ({ name: 'raced', class: 'server', attributes: { [n]: n } }));
    const jobs = await Promise.all([1, 2, 3].map(() => runBulk({ operation: 'discover', records })));
    const ids = new Set(jobs.flatMap(({ results }) => results.map(({ id }: { id: string }) => id)));
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(ids.size).toBe(1);
    const { data, total } = await findCis('raced');
    expect([total, Object.keys(data[0].attributes).length]).toEqual([1, 20]);
  });

  it('respects items that a user created, renamed or deleted', async () => {
    const entered = (await aCi(agent, { name: 'entered' })).body.id;
    await agent.patch(`/cmdb/cis/${entered}`, { name: 'renamed' });
    const discovered = await runBulk({
      operation: 'discover',
      records: [
        { name: 'renamed', class: 'server', owner: 'x' },
        { name: 'entered', class: 'server' },
      ],
    });
    expect(discovered.results[0].id).toBe(entered);
    expect(discovered.results[1].id).not.toBe(entered);
    await manager.delete(`/cmdb/cis/${entered}`);
    const successor = (await aCi(agent, { name: 'renamed' })).body.id;
    const again = await runBulk({ operation: 'discover', records: [{ name: 'renamed', class: 'server' }] });
    expect(again.results[0].id).toBe(successor);
  });

  it.each([
    ['an unknown operation', { operation: 'delete', ids: ['CI0000000'] }, 'operation'],
    ['no records', { operation: 'discover', records: [] }, 'records'],
    ['too many', { operation: 'create', records: Array.from({ length: 101 }, () => ({})) }, 'records'],
    ['no fields', { operation: 'update', ids: ['CI0000000'], fields: {} }, 'fields'],
  ])('rejects %s', async (_, body, field) => {
    const answer = await manager.post(bulk, body);
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors[0].field).toBe(field);
  });

  it('requires a manager', async () => {
    const body = { operation: 'discover', records: [{ name: 'a', class: 'b' }] };
    expectProblem(await agent.post(bulk, body), 403, 'forbidden');
    expectProblem(await call(service, `/v1${bulk}`, { method: 'POST', body: '{}' }), 401, 'unauthorized');
  });
});

const jobCount = async () => (await agent.get('/jobs')).body.total;
const bulkCreation = (count: number) => ({
  operation: 'create',
  records: Array.from({ length: count }, (_, index) => ({ short_description: `Printer ${index} is out of paper` })),
});

describe('bulkIncidents', () => {
  it('returns 202 with the job and its Location, without using up the rate limit', async () => {
    const answer = await agent.post('/incidents/bulk', bulkCreation(3));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      job_id: expect.stringMatching(/^job_[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'queued',
      total: 3,
    });
    expect(answer.headers.get('location')).toBe(`/prod/api/v1/jobs/${answer.body.job_id}`);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe(answer.headers.get('x-ratelimit-limit'));
  });

  it('creates incidents by the same rules as single requests', async () => {
    const records = [{ short_description: 'One', priority: 'P1', category: 'network' }, { short_description: 'Two' }];
    const { body: accepted } = await agent.post('/incidents/bulk', { operation: 'create', records });
    const job = await waitForJob(service, agent, accepted.job_id);
    expect(job).toMatchObject({ status: 'completed', total: 2, processed: 2, succeeded: 2, failed: 0 });
    expect(job.results).toEqual([
      { index: 0, id: expect.stringMatching(/^INC/), status: 'succeeded' },
      { index: 1, id: expect.stringMatching(/^INC/), status: 'succeeded' },
    ]);
    const { body: one } = await agent.get(`/incidents/${job.results[0].id}`);
    expect(one).toMatchObject({ ...records[0], state: 'new', opened_by: 'agent@clients.incidents.localhost' });
    const { body: history } = await agent.get(`/incidents/${one.id}/history`);
    expect(history.data).toHaveLength(1);
    expect(history.data[0]).toMatchObject({
      actor: 'agent@clients.incidents.localhost',
      origin: { kind: 'job', id: accepted.job_id },
    });
  });

  it('updates incidents, with a note on each', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await anIncident(agent)).body.id));
    const fields = { state: 'in_progress', assignment_group: 'field service', work_note: 'On the way.' };
    const { body: accepted } = await agent.post('/incidents/bulk', { operation: 'update', ids, fields });
    const job = await waitForJob(service, agent, accepted.job_id);
    expect(job.status).toBe('completed');
    for (const id of ids) {
      const { body } = await agent.get(`/incidents/${id}`);
      expect(body).toMatchObject({ state: 'in_progress', assignment_group: 'field service', work_notes_count: 1 });
    }
  });

  it('fails only invalid records, with the reason', async () => {
    const { body: incident } = await anIncident(agent);
    const records = [{ short_description: '', priority: 'P9', nope: 1 }, 'no record', { short_description: 'Good' }];
    const { body: creating } = await agent.post('/incidents/bulk', { operation: 'create', records });
    const created = await waitForJob(service, agent, creating.job_id);
    expect(created).toMatchObject({ status: 'completed_with_errors', succeeded: 1, failed: 2, processed: 3 });
    expect(created.results[0]).toMatchObject({
      index: 0,
      id: null,
      status: 'failed',
      error: { code: 'invalid_input' },
    });
    expect(created.results[0].error.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'nope',
      'priority',
      'short_description',
    ]);
    expect(created.results[1].error.errors).toEqual([{ field: 'body', message: 'must be an object' }]);

    const ids = [incident.id, 'INC0000000', 'nonsense'];
    const { body: updating } = await agent.post('/incidents/bulk', {
      operation: 'update',
      ids,
      fields: { state: 'closed' },
    });
    const updated = await waitForJob(service, agent, updating.job_id);
    expect(updated).toMatchObject({ status: 'failed', succeeded: 0, failed: 3 });
    expect(updated.results.map(({ id, error }: { id: string; error: { code: string } }) => [id, error.code])).toEqual([
      [incident.id, 'invalid_transition'],
      ['INC0000000', 'not_found'],
      ['nonsense', 'not_found'],
    ]);
    expect(updated.results[0].error.allowed_transitions).toEqual(expect.arrayContaining(['in_progress', 'cancelled']));
  });

  it('stores a result for a record of 40,000 unknown fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`f${index}`, 1]));
    const records = [unknown, { ['x'.repeat(300_000)]: 1 }, { short_description: 'Good' }];
    const { body: accepted } = await agent.post('/incidents/bulk', { operation: 'create', records });
    const job = await waitForJob(service, agent, accepted.job_id);
    expect(job).toMatchObject({ status: 'completed_with_errors', succeeded: 1, failed: 2, processed: 3 });
    expect(job.results[0].error.errors).toHaveLength(100);
    expect(JSON.stringify(job.results[1]).length).toBeLessThan(2_000);
  });

  it('accepts a hundred records', async () => {
    const { body: accepted } = await agent.post('/incidents/bulk', bulkCreation(100));
    const job = await waitForJob(service, agent, accepted.job_id);
    expect(job).toMatchObject({ status: 'completed', total: 100, processed: 100, succeeded: 100 });
    expect(new Set(job.results.map(({ id }: { id: string }) => id)).size).toBe(100);
    expect(job.results.map(({ index }: { index: number }) => index)).toEqual(Array.from({ length: 100 }, (_, i) => i));
  });

  it('accepts records whose total size exceeds one table item', async () => {
    const createNoise = (length: number) => Array.from({ length }, () => Math.random().toString(36)[2]).join('');
    const records = Array.from({ length: 30 }, () => ({ short_description: 'Long', description: createNoise(30_000) }));
    const { status, body: accepted } = await agent.post('/incidents/bulk', { operation: 'create', records });
    expect(status).toBe(202);
    const job = await waitForJob(service, agent, accepted.job_id);
    expect(job).toMatchObject({ status: 'completed', succeeded: 30 });
    const { body } = await agent.get(`/incidents/${job.results[29].id}`);
    expect(body.description).toBe(records[29]!.description);
  });

  it.each<[string, unknown, string[]]>([
    ['no records', { operation: 'create', records: [] }, ['records']],
    ['101 records', bulkCreation(101), ['records']],
    ['no ids', { operation: 'update', ids: [], fields: { priority: 'P1' } }, ['ids']],
    [
      '101 ids',
      { operation: 'update', ids: Array.from({ length: 101 }, () => 'INC0000000'), fields: { priority: 'P1' } },
      ['ids'],
    ],
    ['no fields', { operation: 'update', ids: ['INC0000000'] }, ['fields']],
    ['empty fields', { operation: 'update', ids: ['INC0000000'], fields: {} }, ['fields']],
    [
      'fields that cannot be',
      { operation: 'update', ids: ['INC0000000'], fields: { priority: 'P9', nope: 1 } },
      ['fields.nope', 'fields.priority'],
    ],
    ['ids of another type', { operation: 'update', ids: [1], fields: { priority: 'P1' } }, ['ids[0]']],
    ['an unknown operation', { operation: 'delete', ids: ['INC0000000'] }, ['operation']],
    ['no operation', { records: [] }, ['operation']],
    ['a field too many', { ...bulkCreation(1), ids: [] }, ['ids']],
    ['no object', [], ['body']],
  ])('rejects %s and queues nothing', async (_what, body, fields) => {
    const before = await jobCount();
    expectProblem(await agent.post('/incidents/bulk', body), 400, 'invalid_input', fields);
    expect(await jobCount()).toBe(before);
  });

  it('rejects a body of more than a megabyte', async () => {
    const body = { operation: 'create', records: [{ short_description: 'x', description: 'x'.repeat(1024 * 1024) }] };
    expectProblem(await agent.post('/incidents/bulk', body), 413, 'payload_too_large');
  });

  it('returns the same job for the same idempotency key', async () => {
    const key = { 'idempotency-key': 'bulk-1' };
    const first = await agent.post('/incidents/bulk', bulkCreation(2), key);
    const again = await agent.post('/incidents/bulk', bulkCreation(2), key);
    expect(again.status).toBe(202);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectProblem(await agent.post('/incidents/bulk', bulkCreation(3), key), 422, 'idempotency_key_reused');
    expect((await admin.post('/incidents/bulk', bulkCreation(2), key)).body.job_id).not.toBe(first.body.job_id);
    expect(await waitForJob(service, agent, first.body.job_id)).toMatchObject({ succeeded: 2 });
  });

  it('requires a token and an agent', async () => {
    expectProblem(await viewer.post('/incidents/bulk', bulkCreation(1)), 403, 'forbidden');
    const response = await fetch(`${service.baseUrl}/prod/api/v1/incidents/bulk`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });
});
