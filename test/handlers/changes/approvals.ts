import { environments } from '../../../lib/environments.ts';
import { expectAccess } from '../../support/access.ts';
import { createChangeBuilders } from '../../support/changes.ts';
import { type ClientName, expectProblem } from '../../support/http.ts';
import { type Api, countCalls, createApi, type Fields, getApi, startTestService } from '../../support/incidents.ts';
import { createPerson, signIn } from '../../support/people.ts';

const { service, agent, manager, viewer, admin } = await startTestService('agent', 'manager', 'viewer', 'admin');
const { aChange, aChangeIn } = createChangeBuilders({ agent, manager, viewer });

async function aRequest(fields: Fields = {}, by: Api = agent): Promise<{ id: string } & Record<string, unknown>> {
  const response = await by.post('/requests', { short_description: 'A laptop', ...fields });
  expect(response.status).toBe(201);
  return response.body;
}

describe('notes', () => {
  it('can be added by agents, and by the people whose request it is', async () => {
    const [own, other] = [await aRequest({}, viewer), await aRequest()];
    const { body: note } = await viewer.post(`/requests/${own.id}/notes`, { body: 'When will it arrive?' });
    expect(note).toMatchObject({ record_id: own.id, body: 'When will it arrive?', visibility: 'team' });
    await agent.post(`/requests/${own.id}/notes`, { body: 'Tomorrow.' });
    const { body: notes } = await viewer.get(`/requests/${own.id}/notes`);
    expect(notes.data.map(({ body }: { body: string }) => body)).toEqual(['When will it arrive?', 'Tomorrow.']);
    await service.advance('1ms', []);
    const { data } = (await viewer.get('/notifications')).body;
    expect(data[0]).toMatchObject({ event: 'note.added', record_id: own.id });
    expectProblem(await viewer.post(`/requests/${other.id}/notes`, { body: 'x' }), 403, 'forbidden');
    expectProblem(await viewer.post('/requests/REQ0000000/notes', { body: 'x' }), 404, 'not_found');
  });

  it('of changes can be read by all and added by agents', async () => {
    const { id } = await aChange();
    expect((await agent.post(`/changes/${id}/notes`, { body: 'Tested.' })).body.record_id).toBe(id);
    expect((await viewer.get(`/changes/${id}/notes`)).body.total).toBe(1);
    expectProblem(await viewer.post(`/changes/${id}/notes`, { body: 'x' }), 403, 'forbidden');
    expectProblem(await agent.post(`/changes/${id}/notes`, {}), 400, 'invalid_input', ['body']);
    const paths = [`/changes/${id}/notes`, `/requests/${(await aRequest()).id}/notes`];
    const requests = paths.flatMap((path): [string, string, object?][] => [
      ['GET', path],
      ['POST', path, { body: 'x' }],
    ]);
    await expectAccess(service, requests);
  });
});

describe('service requests', () => {
  it('are submitted when they are created', async () => {
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
      sla_breach_at: null,
      sla_breached_at: null,
      deleted: false,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    await service.advance('1ms', []);
    const { data } = (await manager.get('/notifications?group=itsm_manager')).body;
    expect(data[0]).toMatchObject({ event: 'request.submitted', record_id: body.id });
  });

  it.each(['viewer', 'agent', 'manager', 'admin'] as const)('can be created and read by the %s', async (name) => {
    const api = await getApi(service, name);
    const { id } = await aRequest({ item: 'something that no catalog has' }, api);
    const requested_by = `${name}@clients.incidents.localhost`;
    expect((await api.get(`/requests/${id}`)).body).toMatchObject({ requested_by, state: 'submitted' });
    const own = await api.get(`/requests?requested_by=${requested_by}&limit=1`);
    expect(own.body.data).toMatchObject([{ id }]);
  });

  it('can be changed only by agents and above', async () => {
    const { id } = await aRequest({}, viewer);
    expectProblem(await viewer.patch(`/requests/${id}`, { state: 'cancelled' }), 403, 'forbidden');
    expectProblem(await viewer.post(`/requests/${id}/approve`, {}), 403, 'forbidden');
    expect((await agent.patch(`/requests/${id}`, { state: 'cancelled' })).status).toBe(200);
  });

  it('have a catalog of items', async () => {
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

  it('change from approved to fulfilled, which is final', async () => {
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

  it('cannot change approved fields', async () => {
    const { id } = await aRequest();
    await manager.post(`/requests/${id}/approve`, {});
    const response = await manager.patch(`/requests/${id}`, {
      quantity: 100,
      requested_for: 'eve@example.com',
      item: 'car',
    });
    expectProblem(response, 409, 'already_approved', ['item', 'quantity', 'requested_for']);
  });

  it('are final when they are rejected', async () => {
    const { id } = await aRequest();
    expect((await manager.post(`/requests/${id}/reject`, {})).body.state).toBe('rejected');
    expectProblem(await agent.patch(`/requests/${id}`, { state: 'fulfilled' }), 409, 'invalid_transition');
  });

  it('cannot be approved by the requester or the recipient', async () => {
    const own = await aRequest({}, manager);
    const forThem = await aRequest({ requested_for: 'manager@clients.incidents.localhost' });
    for (const { id } of [own, forThem]) {
      expectProblem(await manager.post(`/requests/${id}/approve`, {}), 403, 'forbidden');
    }
    expectProblem(await agent.post(`/requests/${own.id}/approve`, {}), 403, 'forbidden');
  });

  it('are listed by state, item, requester and recipient', async () => {
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
    const response = await agent.post('/requests', { short_description: 'x', ...fields });
    expectProblem(response, 400, 'invalid_input', Object.keys(fields));
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

describe('approved fields of a change', () => {
  const other = {
    type: 'emergency',
    risk: 'high',
    planned_start: '2026-12-02T20:00:00Z',
    planned_end: '2026-12-02T21:00:00Z',
    ci_ids: ['CI0000007'],
  };

  it.each(['approved', 'implementing', 'completed'])('cannot change while the change is %s', async (state) => {
    const id = await aChangeIn(state);
    const before = (await viewer.get(`/changes/${id}`)).body;
    const response = await admin.patch(`/changes/${id}`, { ...other, assigned_to: 'ada@example.com' });
    expectProblem(response, 409, 'already_approved', Object.keys(other));
    expect((await viewer.get(`/changes/${id}`)).body).toEqual(before);
    const who = { assigned_to: 'ada@example.com', description: 'Done by hand.', risk: before.risk };
    expect((await agent.patch(`/changes/${id}`, who)).body).toMatchObject(who);
  });

  it.each(['draft', 'submitted'])('can change while the change is %s', async (state) => {
    expect((await agent.patch(`/changes/${await aChangeIn(state)}`, other)).status).toBe(200);
  });
});

describe('approveChange and rejectChange', () => {
  it.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('%s stores who decided, when and why', async (verb, state) => {
    const { id } = await aChange();
    const response = await manager.post(`/changes/${id}/${verb}`, { note: 'As discussed.' });
    expect(response).toMatchObject({
      status: 200,
      body: { state, decision_by: 'manager@clients.incidents.localhost', decision_note: 'As discussed.' },
    });
    expect(response.body.decision_at).toBe(response.body.updated_at);
    expect(response.headers.get('etag')).toBe('"2-0"');
    const { data } = (await viewer.get(`/changes/${id}/history`)).body;
    expect(data[1].changes.state).toEqual({ from: 'submitted', to: state });
  });

  it('does not require a note', async () => {
    const { id } = await aChange();
    const token = await getApi(service, 'manager');
    expect((await token.post(`/changes/${id}/approve`, undefined)).body).toMatchObject({ decision_note: null });
  });

  it.each(['approve', 'reject'])('does not %s twice', async (verb) => {
    const id = await aChangeIn('approved');
    const response = await manager.post(`/changes/${id}/${verb}`, {});
    expectProblem(response, 409, 'invalid_transition');
    expect(response.body.allowed_transitions).toEqual(['implementing', 'cancelled']);
  });

  it('lets only a super_admin decide on their own change', async () => {
    const own = await aChange({}, manager);
    for (const verb of ['approve', 'reject']) {
      expectProblem(await manager.post(`/changes/${own.id}/${verb}`, {}), 403, 'forbidden');
    }
    expect((await viewer.get(`/changes/${own.id}`)).body.state).toBe('submitted');
    const administered = await aChange({}, admin);
    expect((await admin.post(`/changes/${administered.id}/approve`, {})).status).toBe(200);
  });

  it.each(['agent', 'viewer'] as ClientName[])('rejects the %s', async (name) => {
    const { id } = await aChange();
    const api = await getApi(service, name);
    for (const verb of ['approve', 'reject']) {
      expectProblem(await api.post(`/changes/${id}/${verb}`, {}), 403, 'forbidden');
    }
  });

  it('lets exactly one of several concurrent decisions succeed', async () => {
    const person = await createPerson(service, 'second.manager@example.com', 'itsm_manager');
    const second = createApi(service, await signIn(service, person));
    for (let round = 0; round < 5; round++) {
      const { id } = await aChange();
      const responses = await Promise.all([
        manager.post(`/changes/${id}/approve`, { note: 'yes' }),
        second.post(`/changes/${id}/reject`, { note: 'no' }),
        admin.post(`/changes/${id}/approve`, { note: 'sure' }),
        second.post(`/changes/${id}/approve`, { note: 'well' }),
      ]);
      const winners = responses.filter(({ status }) => status === 200);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      const { body } = await viewer.get(`/changes/${id}`);
      expect(body).toEqual(winners[0]!.body);
      expect((await viewer.get(`/changes/${id}/history`)).body.total).toBe(2);
    }
  });

  it('honours If-Match', async () => {
    const { id } = await aChange();
    await agent.patch(`/changes/${id}`, { risk: 'high' });
    const seen = { 'if-match': '"1-0"' };
    expectProblem(await manager.post(`/changes/${id}/approve`, {}, seen), 412, 'precondition_failed');
    expect((await manager.post(`/changes/${id}/approve`, {}, { 'if-match': '"2-0"' })).status).toBe(200);
  });

  it.each([
    [{ note: '' }, 'note'],
    [{ note: 'x'.repeat(4_001) }, 'note'],
    [{ reason: 'x' }, 'reason'],
  ])('rejects %j', async (body, field) => {
    const { id } = await aChange();
    const response = await manager.post(`/changes/${id}/approve`, body);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors[0].field).toBe(field);
  });

  it('takes one read and one update, which needs no transaction', async () => {
    const [{ id: first }, { id: second }] = [await aChange(), await aChange()];
    const approve = (id: string) => manager.post(`/changes/${id}/approve`, {});
    // The service levels are read again after five seconds.
    await service.hold(true);
    await approve(first);
    const calls = await countCalls(service, 'approve-change', () => approve(second));
    await service.hold(false);
    expect(calls).toEqual({ 'dynamodb.GetItem': 1 });
  });
});
