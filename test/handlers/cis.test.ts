import { aCi } from '../support/cis.ts';
import { call, expectProblem, getToken } from '../support/http.ts';
import { anIncident, countCalls, startTestService } from '../support/incidents.ts';

const { service, manager, agent, viewer } = await startTestService('manager', 'agent', 'viewer');

const unknown = '/cmdb/cis/CI0000000';

describe('createCi', () => {
  it('returns the item and its location', async () => {
    const response = await aCi(agent, { environment: 'production', attributes: { cpus: 8 }, ip_address: '10.0.0.1' });
    expect(response.body).toEqual({
      id: expect.stringMatching(/^CI\d{7}$/),
      name: 'web-01',
      class: 'server',
      status: 'operational',
      environment: 'production',
      owner: null,
      location: null,
      ip_address: '10.0.0.1',
      attributes: { cpus: 8 },
      relations: [],
      discovered_at: null,
      deleted: false,
      created_at: expect.any(String),
      updated_at: response.body.created_at,
    });
    expect(response.headers.get('location')).toBe(`/prod/api/v1/cmdb/cis/${response.body.id}`);
    expect(response.headers.get('etag')).toBe('"1-0"');
  });

  it('returns the first response for the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'a-ci' };
    const first = await agent.post('/cmdb/cis', { name: 'once', class: 'server' }, headers);
    const second = await agent.post('/cmdb/cis', { name: 'once', class: 'server' }, headers);
    expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
  });

  it('lists all problems', async () => {
    const response = await agent.post('/cmdb/cis', {
      class: '',
      status: 'broken',
      ip_address: '300.1.1.1',
      relations: [{ type: 'likes', ci_id: 'CI1' }],
      attributes: [],
      discovered_at: null,
      colour: 'red',
    });
    expectProblem(response, 400, 'invalid_input');
    const fields = response.body.errors.map(({ field }: { field: string }) => field).sort();
    expect(fields).toEqual(
      ['attributes', 'class', 'colour', 'discovered_at', 'ip_address', 'name', 'status']
        .concat('relations[0].ci_id', 'relations[0].type')
        .sort(),
    );
  });

  it('rejects a duplicate relation', async () => {
    const relations = [1, 2].map(() => ({ type: 'runs_on', ci_id: 'CI0000001' }));
    expectProblem(await agent.post('/cmdb/cis', { name: 'a', class: 'b', relations }), 400, 'invalid_input');
  });
});

describe('getCi', () => {
  it('returns an item to a viewer, and 304 while it is unchanged', async () => {
    const { body, headers } = await aCi(agent);
    expect(await viewer.get(`/cmdb/cis/${body.id}`)).toMatchObject({ status: 200, body });
    const unchanged = await viewer.get(`/cmdb/cis/${body.id}`, { 'if-none-match': headers.get('etag')! });
    expect(unchanged.status).toBe(304);
  });
});

describe('updateCi', () => {
  it('merges the given fields and keeps the others', async () => {
    const { body } = await aCi(agent, { owner: 'platform', attributes: { os: { name: 'Debian' }, cpus: 4 } });
    const patch = { status: 'down', owner: null, attributes: { os: { version: 13 }, cpus: null } };
    const response = await agent.patch(`/cmdb/cis/${body.id}`, patch);
    expect(response.body).toEqual({
      ...body,
      status: 'down',
      owner: null,
      attributes: { os: { name: 'Debian', version: 13 } },
      updated_at: expect.any(String),
    });
    expect(response.headers.get('etag')).toBe('"2-0"');
  });

  it('honours If-Match, and writes nothing without a change', async () => {
    const { body, headers } = await aCi(agent);
    const path = `/cmdb/cis/${body.id}`;
    const etag = { 'if-match': headers.get('etag')! };
    expect((await agent.patch(path, { status: 'operational' }, etag)).body.updated_at).toBe(body.updated_at);
    expect((await agent.patch(path, { status: 'down' }, etag)).status).toBe(200);
    expectProblem(await agent.patch(path, { status: 'retired' }, etag), 412, 'precondition_failed');
  });

  it('rejects a relation to the item itself', async () => {
    const { body } = await aCi(agent);
    const relations = [{ type: 'depends_on', ci_id: body.id }];
    const response = await agent.patch(`/cmdb/cis/${body.id}`, { relations });
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field: 'relations', message: 'must not refer to the item itself' }]);
  });
});

describe('deleteCi and listCiHistory', () => {
  it('shows a deleted item and its history only to managers', async () => {
    const { body } = await aCi(agent, { name: 'gone' });
    const path = `/cmdb/cis/${body.id}`;
    await agent.patch(path, { status: 'retired' });
    expect((await manager.delete(path)).status).toBe(204);
    expectProblem(await viewer.get(path), 404, 'not_found');
    expectProblem(await agent.patch(path, { status: 'down' }), 404, 'not_found');
    expect((await manager.get(`${path}?include_deleted=true`)).body).toMatchObject({ deleted: true });
    expectProblem(await viewer.get(`${path}?include_deleted=true`), 403, 'forbidden');
    const { body: history } = await manager.get(`${path}/history?include_deleted=true`);
    expect(history.total).toBe(3);
    expect(history.data.map(({ changes }: { changes: object }) => Object.keys(changes))).toEqual([
      expect.arrayContaining(['name', 'class', 'status']),
      ['status'],
      ['deleted'],
    ]);
    expect((await viewer.get('/cmdb/cis?name=gone')).body.total).toBe(0);
  });
});

describe('listCis', () => {
  const findNames = async (query: string) => {
    const { status, body } = await viewer.get(`/cmdb/cis?${query}`);
    expect(status).toBe(200);
    return body.data.map(({ name }: { name: string }) => name);
  };

  beforeAll(async () => {
    await aCi(agent, {
      name: 'list-db',
      class: 'database',
      status: 'degraded',
      environment: 'staging',
      owner: 'data@example.com',
      location: 'Zürich',
      ip_address: '10.9.9.1',
    });
    await aCi(agent, { name: 'list-web', class: 'list-server', status: 'down', environment: 'staging' });
  });

  it.each([
    'name=list-db',
    'class=database',
    'status=degraded',
    'owner=data@example.com',
    `location=${encodeURIComponent('Zürich')}`,
    'ip_address=10.9.9.1',
    'environment=staging&class=database',
    'q=zurich',
    'q=LIST-DB%20staging',
  ])('filters by %s', async (query) => {
    expect(await findNames(query)).toEqual(['list-db']);
  });

  it('filters by several ids and ignores unknown ones', async () => {
    const { data } = (await viewer.get('/cmdb/cis?environment=staging&sort=status&order=asc')).body;
    const ids = data.map(({ id }: { id: string }) => id).join(',');
    expect(await findNames(`id=${ids},CI0000000&sort=status&order=asc`)).toEqual(['list-db', 'list-web']);
    expect(await findNames(`id=${ids}&status=down`)).toEqual(['list-web']);
    expect(await findNames('id=CI0000000')).toEqual([]);
    expectProblem(await viewer.get('/cmdb/cis?id=web-01'), 400, 'invalid_input');
    const tooMany = Array.from({ length: 101 }, (_, n) => `CI${1_000_000 + n}`).join(',');
    expectProblem(await viewer.get(`/cmdb/cis?id=${tooMany}`), 400, 'invalid_input');
  });

  it('sorts, pages with cursors and returns an exact total', async () => {
    const first = (await viewer.get('/cmdb/cis?environment=staging&sort=status&order=asc&limit=1')).body;
    expect([first.total, first.data[0].name]).toEqual([2, 'list-db']);
    const query = `environment=staging&sort=status&order=asc&limit=1&cursor=${first.next_cursor}`;
    const second = (await viewer.get(`/cmdb/cis?${query}`)).body;
    expect([second.data[0].name, second.next_cursor]).toEqual(['list-web', undefined]);
    expect(await findNames('environment=staging&sort=status&order=asc&limit=1&page=2')).toEqual(['list-web']);
  });

  it.each(['status=broken', 'colour=red', 'sort=name', 'page=1&cursor=x', 'limit=201'])('rejects %s', async (query) => {
    expectProblem(await viewer.get(`/cmdb/cis?${query}`), 400, 'invalid_input');
  });
});

describe('getCiImpact', () => {
  it('returns the dependents of an item, also in cycles, and its open incidents', async () => {
    const host = (await aCi(agent, { name: 'host', class: 'host' })).body;
    const database = (
      await aCi(agent, { name: 'db', class: 'database', relations: [{ type: 'runs_on', ci_id: host.id }] })
    ).body;
    const shop = (
      await aCi(agent, { name: 'shop', class: 'service', relations: [{ type: 'depends_on', ci_id: database.id }] })
    ).body;
    // The host boots from a service that runs on it, so the graph has a cycle.
    await agent.patch(`/cmdb/cis/${host.id}`, { relations: [{ type: 'depends_on', ci_id: shop.id }] });
    const open = (await anIncident(agent, { ci_id: host.id, priority: 'P1' })).body;
    const solved = (await anIncident(agent, { ci_id: host.id })).body;
    await agent.patch(`/incidents/${solved.id}`, { state: 'cancelled' });
    const { status, body } = await viewer.get(`/cmdb/cis/${host.id}/impact`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ci: { id: host.id, name: 'host', class: 'host' },
      affected: [
        { id: database.id, name: 'db', distance: 1, via: { type: 'runs_on', ci_id: host.id } },
        { id: shop.id, name: 'shop', distance: 2, via: { type: 'depends_on', ci_id: database.id } },
      ],
      affected_total: 2,
      open_incidents: [{ id: open.id, priority: 'P1', state: 'new' }],
      truncated: { affected: false, open_incidents: false },
    });
    const near = (await viewer.get(`/cmdb/cis/${host.id}/impact?depth=1`)).body;
    expect([near.affected_total, near.truncated.affected]).toEqual([1, true]);
  });

  it('takes the same number of calls for any number of dependents', async () => {
    const { body } = await aCi(agent, { name: 'core', class: 'switch' });
    const relations = [{ type: 'depends_on', ci_id: body.id }];
    await Promise.all(Array.from({ length: 30 }, (_, n) => aCi(agent, { name: `leaf-${n}`, relations })));
    await anIncident(agent, { ci_id: body.id });
    const calls = await countCalls(service, 'get-ci-impact', async () => {
      expect((await viewer.get(`/cmdb/cis/${body.id}/impact`)).body.affected_total).toBe(30);
    });
    expect(calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.Query': 5, 'dynamodb.BatchGetItem': 1 });
    const dependents = `/cmdb/cis?depends_on=${body.id}&limit=20`;
    const { body: first } = await viewer.get(dependents);
    expect([first.total, first.data.length]).toEqual([30, 20]);
    const leaf = first.data[0];
    expect((await viewer.get(`/cmdb/cis?needed_by=${leaf.id}`)).body.data).toMatchObject([{ id: body.id }]);
    expect((await viewer.get(`${dependents}&name=${leaf.name}`)).body.total).toBe(1);
    // A cursor stays valid when the relations change.
    await agent.patch(`/cmdb/cis/${leaf.id}`, { relations: [] });
    const { body: second } = await viewer.get(`${dependents}&cursor=${first.next_cursor}`);
    expect([second.total, second.data.length]).toEqual([29, 10]);
    expectProblem(await viewer.get('/cmdb/cis?depends_on=core'), 400, 'invalid_input');
  });

  it('rejects an invalid depth and limit', async () => {
    const response = await viewer.get(`${unknown}/impact?depth=21&limit=0`);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toHaveLength(2);
  });
});

describe('access to configuration items', () => {
  const item = { name: 'a', class: 'b' };

  it.each([
    ['GET', '/cmdb/cis'],
    ['POST', '/cmdb/cis'],
    ['GET', unknown],
    ['PATCH', unknown],
    ['DELETE', unknown],
    ['GET', `${unknown}/history`],
    ['GET', `${unknown}/impact`],
  ])('%s %s requires a token', async (method, path) => {
    expectProblem(await call(service, `/v1${path}`, { method }), 401, 'unauthorized');
  });

  it('lets viewers read, agents write, managers delete', async () => {
    expectProblem(await viewer.post('/cmdb/cis', item), 403, 'forbidden');
    expectProblem(await viewer.patch(unknown, item), 403, 'forbidden');
    expectProblem(await agent.delete(unknown), 403, 'forbidden');
  });

  it('returns 404 for unknown ids', async () => {
    const responses = await Promise.all([
      viewer.get(unknown),
      viewer.get('/cmdb/cis/CI42'),
      agent.patch(unknown, { status: 'down' }),
      manager.delete(unknown),
      viewer.get(`${unknown}/history`),
      viewer.get(`${unknown}/impact`),
    ]);
    for (const response of responses) expectProblem(response, 404, 'not_found');
  });

  it('works under the unversioned prefix, too', async () => {
    expect((await call(service, '/cmdb/cis', { token: await getToken(service, 'viewer') })).status).toBe(200);
  });
});
