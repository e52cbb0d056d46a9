import { environments } from '../../lib/environments.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, type Fields, getApi, startTestService } from '../support/incidents.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

async function aRequest(fields: Fields = {}, by: Api = agent): Promise<{ id: string } & Record<string, unknown>> {
  const answer = await by.post('/requests', { short_description: 'A laptop', ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('service requests', () => {
  it('are submitted with their creation', async () => {
    const body = await aRequest({ item: 'laptop' });
    expect(body).toEqual({
      id: expect.stringMatching(/^REQ[0-9A-HJKMNP-TV-Z]{7}$/),
      number: body.id,
      short_description: 'A laptop',
      description: null,
      item: 'laptop',
      quantity: 1,
      state: 'submitted',
      requested_for: null,
      requested_by: 'agent@clients.incidents.localhost',
      decision_by: null,
      decision_at: null,
      decision_note: null,
      deleted: false,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const { data } = (await manager.get('/notifications?group=itsm_manager')).body;
    expect(data[0]).toMatchObject({ event: 'request.submitted', record_id: body.id });
  });

  it.each(['viewer', 'agent', 'manager', 'admin'] as const)('are raised and seen by the %s', async (name) => {
    const api = await getApi(service, name);
    const { id } = await aRequest({ item: 'something that no catalog has' }, api);
    const requested_by = `${name}@clients.incidents.localhost`;
    expect((await api.get(`/requests/${id}`)).body).toMatchObject({ requested_by, state: 'submitted' });
    const own = await api.get(`/requests?requested_by=${requested_by}&limit=1`);
    expect(own.body.data).toMatchObject([{ id }]);
  });

  it('are changed by agents only, also those of viewers', async () => {
    const { id } = await aRequest({}, viewer);
    expectProblem(await viewer.patch(`/requests/${id}`, { state: 'cancelled' }), 403, 'forbidden');
    expectProblem(await viewer.post(`/requests/${id}/approve`, {}), 403, 'forbidden');
    expect((await agent.patch(`/requests/${id}`, { state: 'cancelled' })).status).toBe(200);
  });

  it('come with a catalog of items', async () => {
    const { status, body } = await viewer.get('/requests/catalog');
    expect(status).toBe(200);
    expect(body.items).toEqual(environments.local.requestCatalog);
  });

  it('warn about a recipient who is not in the directory', async () => {
    const { status, headers } = await agent.post('/requests', {
      short_description: 'x',
      requested_for: 'x@example.org',
    });
    expect(status).toBe(201);
    const warning = { field: 'requested_for', message: 'is not in the directory' };
    expect(JSON.parse(headers.get('x-warnings') ?? '')).toEqual([warning]);
    const known = await agent.post('/requests', { short_description: 'x', requested_for: 'manager@example.com' });
    expect([known.status, known.headers.get('x-warnings')]).toEqual([201, null]);
  });

  it('go from approval to fulfilment, and no further', async () => {
    const { id } = await aRequest();
    expectProblem(await agent.patch(`/requests/${id}`, { state: 'fulfilled' }), 409, 'invalid_transition');
    expectProblem(await agent.patch(`/requests/${id}`, { state: 'approved' }), 409, 'invalid_transition');
    expect((await manager.post(`/requests/${id}/approve`, { note: 'ok' })).body).toMatchObject({
      state: 'approved',
      decision_note: 'ok',
    });
    expect((await agent.patch(`/requests/${id}`, { state: 'fulfilled' })).body.state).toBe('fulfilled');
    const rejected = await agent.patch(`/requests/${id}`, { state: 'cancelled' });
    expectProblem(rejected, 409, 'invalid_transition');
    expect(rejected.body.allowed_transitions).toEqual([]);
  });

  it('are fulfilled as they were approved', async () => {
    const { id } = await aRequest();
    await manager.post(`/requests/${id}/approve`, {});
    const answer = await manager.patch(`/requests/${id}`, {
      quantity: 100,
      requested_for: 'eve@example.com',
      item: 'car',
    });
    expectProblem(answer, 409, 'already_approved');
    const fields = answer.body.errors.map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['item', 'quantity', 'requested_for']);
  });

  it('end when they are rejected', async () => {
    const { id } = await aRequest();
    expect((await manager.post(`/requests/${id}/reject`, {})).body.state).toBe('rejected');
    expectProblem(await agent.patch(`/requests/${id}`, { state: 'fulfilled' }), 409, 'invalid_transition');
  });

  it('rejects approval by the requester and the recipient', async () => {
    const own = await aRequest({}, manager);
    const forThem = await aRequest({ requested_for: 'manager@clients.incidents.localhost' });
    for (const { id } of [own, forThem]) {
      expectProblem(await manager.post(`/requests/${id}/approve`, {}), 403, 'forbidden');
    }
    expectProblem(await agent.post(`/requests/${own.id}/approve`, {}), 403, 'forbidden');
  });

  it('are listed by state, item and people', async () => {
    const item = 'list-item';
    const one = await aRequest({ item, requested_for: 'ada@example.com' });
    const two = await aRequest({ item, description: 'For the **studio**.' }, manager);
    await manager.post(`/requests/${one.id}/approve`, {});
    const ids = async (query: string) =>
      (await viewer.get(`/requests?item=${item}&${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('order=asc')).toEqual([one.id, two.id]);
    expect(await ids('state=approved,fulfilled')).toEqual([one.id]);
    expect(await ids('requested_for=ada@example.com')).toEqual([one.id]);
    expect(await ids('requested_by=manager@clients.incidents.localhost')).toEqual([two.id]);
    expect(await ids('q=studio')).toEqual([two.id]);
  });

  it.each([
    { quantity: 0 },
    { quantity: 1.5 },
    { quantity: '2' },
    { quantity: null },
    { requested_for: 'ada' },
    { state: 'approved' },
    { decision_by: 'x@example.com' },
  ])('reject %j', async (fields) => {
    const answer = await agent.post('/requests', { short_description: 'x', ...fields });
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(Object.keys(fields));
  });

  it('emit events when they are submitted and approved', async () => {
    const { id } = await aRequest();
    await manager.post(`/requests/${id}/approve`, {});
    await service.advance('1s');
    const { data } = (await viewer.get('/events?limit=200')).body;
    const own = data.filter((event: { data: { id: string } }) => event.data.id === id);
    expect(own.map(({ event, data: { state } }: { event: string; data: { state: string } }) => [event, state])).toEqual(
      [
        ['request.submitted', 'submitted'],
        ['request.approved', 'approved'],
      ],
    );
  });
});
