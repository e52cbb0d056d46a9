import { aCi } from '../support/cis.ts';
import { call, expectProblem } from '../support/http.ts';
import { type Api, apiOf } from '../support/incidents.ts';
import { finishedJob } from '../support/jobs.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let manager: Api;
let agent: Api;
beforeAll(async () => {
  service = await startService();
  [manager, agent] = await Promise.all([apiOf(service, 'manager'), apiOf(service, 'agent')]);
});
afterAll(() => service.stop());

const bulk = '/cmdb/cis/bulk';

async function done(body: unknown) {
  const accepted = await manager.post(bulk, body);
  expect(accepted).toMatchObject({ status: 202, body: { status: 'queued' } });
  return finishedJob(service, manager, accepted.body.job_id);
}

const named = async (name: string) => (await agent.get(`/cmdb/cis?name=${name}`)).body;

describe('bulkCis', () => {
  it('creates items; a bad one fails alone', async () => {
    const job = await done({ operation: 'create', records: [{ name: 'bulk-1', class: 'server' }, { name: 'bulk-2' }] });
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
    const job = await done({ operation: 'update', ids, fields: { status: 'retired', attributes: { seen: true } } });
    expect(job).toMatchObject({ succeeded: 2, failed: 2 });
    const { body } = await agent.get(`/cmdb/cis/${ids[0]}`);
    expect(body).toMatchObject({ status: 'retired', attributes: { seen: true } });
    const history = (await agent.get(`/cmdb/cis/${ids[0]}/history`)).body.data.at(-1);
    expect(history.origin).toEqual({ kind: 'job', id: job.job_id });
  });

  it('discovers: a new name and class makes an item and is told, a known one is updated', async () => {
    const records = [{ name: 'found-1', class: 'server', attributes: { os: 'Debian 12', cpus: 4 } }];
    const first = await done({ operation: 'discover', records });
    const id = first.results[0].id;
    const { body } = await agent.get(`/cmdb/cis/${id}`);
    expect(body).toMatchObject({ name: 'found-1', status: 'operational', discovered_at: body.created_at });
    const again = await done({
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
    const told = data.filter(({ event }: { event: string }) => event === 'ci.discovered');
    expect(told.map((event: { data: { id: string } }) => event.data.id).sort()).toEqual(
      [id, again.results[1].id].sort(),
    );
    expect(told[0].data).toMatchObject({ name: 'found-1', url: expect.stringContaining('/cmdb/cis/CI') });
  });

  it('makes one item when many discoveries find it at the same moment', async () => {
    const records = Array.from({ length: 20 }, (_, n) => ({ name: 'raced', class: 'server', attributes: { [n]: n } }));
    const jobs = await Promise.all([1, 2, 3].map(() => done({ operation: 'discover', records })));
    const ids = new Set(jobs.flatMap(({ results }) => results.map(({ id }: { id: string }) => id)));
    expect(jobs.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(ids.size).toBe(1);
    const { data, total } = await named('raced');
    expect([total, Object.keys(data[0].attributes).length]).toEqual([1, 20]);
  });

  it('knows items that somebody entered, renamed or deleted', async () => {
    const entered = (await aCi(agent, { name: 'entered' })).body.id;
    await agent.patch(`/cmdb/cis/${entered}`, { name: 'renamed' });
    const discovered = await done({
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
    const again = await done({ operation: 'discover', records: [{ name: 'renamed', class: 'server' }] });
    expect(again.results[0].id).toBe(successor);
  });

  it.each([
    ['an unknown operation', { operation: 'delete', ids: ['CI0000000'] }, 'operation'],
    ['no records', { operation: 'discover', records: [] }, 'records'],
    ['too many', { operation: 'create', records: Array.from({ length: 101 }, () => ({})) }, 'records'],
    ['no fields', { operation: 'update', ids: ['CI0000000'], fields: {} }, 'fields'],
  ])('refuses %s', async (_, body, field) => {
    const answer = await manager.post(bulk, body);
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors[0].field).toBe(field);
  });

  it('is for managers', async () => {
    const body = { operation: 'discover', records: [{ name: 'a', class: 'b' }] };
    expectProblem(await agent.post(bulk, body), 403, 'forbidden');
    expectProblem(await call(service, `/v1${bulk}`, { method: 'POST', body: '{}' }), 401, 'unauthorized');
  });
});
