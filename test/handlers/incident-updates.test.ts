import { incidentStates } from '../../contract/states.ts';
import { setFault } from '../faults/fault.ts';
import { call, expectProblem } from '../support/http.ts';
import { anIncident, anIncidentIn, countCalls, getApi, startTestService } from '../support/incidents.ts';

const { service, agent, viewer } = await startTestService('agent', 'viewer');

describe('updateIncident', () => {
  it('changes the given fields and keeps the rest', async () => {
    const { body } = await anIncident(agent, { category: 'email', description: 'Since nine.' });
    const patch = { priority: 'P2', assigned_to: 'ada.lovelace@example.com', category: 'network', impact: 'high' };
    const response = await agent.patch(`/incidents/${body.id}`, patch);
    expect(response.status).toBe(200);
    const sla_breach_at = new Date(Date.parse(body.created_at) + 8 * 3_600_000).toISOString();
    expect(response.body).toEqual({ ...body, ...patch, sla_breach_at, updated_at: expect.any(String) });
    expect(Date.parse(response.body.updated_at)).toBeGreaterThan(Date.parse(body.updated_at));
    expect(response.headers.get('etag')).toBe('"2-0"');
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(response.body);
  });

  it('clears an optional field with null', async () => {
    const { body } = await anIncident(agent, { category: 'email', resolution: 'x', subcategory: 'smtp' });
    const response = await agent.patch(`/incidents/${body.id}`, { category: null, resolution: null });
    expect(response.body).toMatchObject({ category: null, resolution: null, subcategory: 'smtp' });
  });

  it('writes nothing without a change', async () => {
    const { body, headers } = await anIncident(agent, { category: 'email' });
    for (const patch of [{}, { category: 'email' }, { state: 'new' }, { description: null }]) {
      const response = await agent.patch(`/incidents/${body.id}`, patch);
      expect(response).toMatchObject({ status: 200, body });
      expect(response.headers.get('etag')).toBe(headers.get('etag'));
    }
  });

  it('stores texts of the maximum length and their history', async () => {
    const { body } = await anIncident(agent, { description: '🔥'.repeat(32_000), resolution: '🔥'.repeat(8_000) });
    const patch = { description: '💧'.repeat(32_000), resolution: '💧'.repeat(8_000), work_note: '"'.repeat(32_000) };
    const response = await agent.patch(`/incidents/${body.id}`, patch);
    expect(response).toMatchObject({ status: 200, body: { description: patch.description } });
    const { body: history } = await agent.get(`/incidents/${body.id}/history`);
    expect(history.data[1].changes.resolution).toEqual({ from: body.resolution, to: patch.resolution });
    expectProblem(
      await agent.patch(`/incidents/${body.id}`, { description: 'x'.repeat(32_001) }),
      400,
      'invalid_input',
    );
  });

  it('adds a work note with the change', async () => {
    const { body } = await anIncident(agent);
    const response = await agent.patch(`/incidents/${body.id}`, { state: 'in_progress', work_note: 'On it.' });
    expect(response.body).toMatchObject({ state: 'in_progress', work_notes_count: 1 });
    expect(response.body).not.toHaveProperty('work_note');
    const { body: notes } = await agent.get(`/incidents/${body.id}/notes`);
    expect(notes.data).toEqual([
      expect.objectContaining({ body: 'On it.', visibility: 'team', author: 'agent@clients.incidents.localhost' }),
    ]);
  });

  it('adds a work note alone without a new version', async () => {
    const { body } = await anIncident(agent);
    const response = await agent.patch(`/incidents/${body.id}`, { work_note: 'Just saying.' });
    expect(response).toMatchObject({ status: 200, body: { ...body, work_notes_count: 1 } });
    expect(response.headers.get('etag')).toBe('"1-1"');
    expect((await agent.get(`/incidents/${body.id}/history`)).body.total).toBe(1);
  });

  it('adds no work note with a rejected change', async () => {
    const { body } = await anIncident(agent);
    expectProblem(
      await agent.patch(`/incidents/${body.id}`, { state: 'closed', work_note: 'x' }),
      409,
      'invalid_transition',
    );
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(body);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'null where a value is required',
      { short_description: null, state: null, priority: null },
      {
        short_description: 'must be a string',
        state: `must be one of ${incidentStates.join(', ')}`,
        priority: 'must be one of P1, P2, P3, P4',
      },
    ],
    [
      'fields that the service sets',
      { number: 'x', sla_breach_at: null, work_notes_count: 3 },
      {
        number: 'is read-only',
        sla_breach_at: 'is read-only',
        work_notes_count: 'is read-only',
      },
    ],
    [
      'unknown fields',
      { notify_stakeholders: true, nonsense: 1 },
      {
        notify_stakeholders: 'is not a known field',
        nonsense: 'is not a known field',
      },
    ],
    ['an empty note', { work_note: '' }, { work_note: 'must not be empty' }],
    [
      'bad values',
      { assigned_to: 'x@', ci_id: 'ci1', short_description: '', impact: 1 },
      {
        assigned_to: 'must be an e-mail address',
        ci_id: 'must be CI followed by seven digits',
        short_description: 'must not be empty',
        impact: 'must be one of high, medium, low',
      },
    ],
  ])('rejects %s and lists all problems', async (_name, patch, problems) => {
    const { body } = await anIncident(agent);
    const response = await agent.patch(`/incidents/${body.id}`, patch);
    expectProblem(response, 400, 'invalid_input');
    const found = response.body.errors.map(({ field, message }: { field: string; message: string }) => [
      field,
      message,
    ]);
    expect(Object.fromEntries(found)).toEqual(problems);
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(body);
  });

  it('returns 404 for unknown ids', async () => {
    expectProblem(await agent.patch('/incidents/INC0000000', { category: 'x' }), 404, 'not_found');
    expectProblem(await agent.patch('/incidents/nothing', { category: 'x' }), 404, 'not_found');
  });

  it('requires an agent', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.patch(`/incidents/${body.id}`, { category: 'x' }), 403, 'forbidden');
  });

  it('creates one version when the response of the database is lost', async () => {
    const { body } = await anIncident(agent);
    // The first update counts the request towards the rate limit.
    const target = { caller: 'incidents-local--update-incident', service: 'dynamodb', operation: 'UpdateItem' };
    await setFault(service, { ...target, kind: 'lost', after: 1, times: 1 });
    const ifMatch = { 'If-Match': '"1-0"' };
    const { status, headers } = await agent.patch(`/incidents/${body.id}`, { category: 'once' }, ifMatch);
    expect([status, headers.get('etag')]).toEqual([200, '"2-0"']);
    const { data } = (await agent.get(`/incidents/${body.id}/history`)).body;
    expect(data.map(({ version }: { version: number }) => version)).toEqual([1, 2]);
  });

  it('takes one read and a write for the note, besides the record and the rate limit', async () => {
    const { body } = await anIncident(agent);
    // The service levels are read again after five seconds.
    await service.hold(true);
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    const update = () => agent.patch(`/incidents/${body.id}`, { category: 'y', work_note: 'z' });
    const calls = await countCalls(service, 'update-incident', update);
    await service.hold(false);
    expect(calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.PutItem': 1 });
  });
});

describe('updateIncident with If-Match', () => {
  it('changes only the given version', async () => {
    const { body, headers } = await anIncident(agent);
    const etag = headers.get('etag')!;
    const first = await agent.patch(`/incidents/${body.id}`, { category: 'a' }, { 'if-match': etag });
    expect(first.status).toBe(200);
    const second = await agent.patch(`/incidents/${body.id}`, { category: 'b' }, { 'if-match': etag });
    expectProblem(second, 412, 'precondition_failed');
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await agent.get(`/incidents/${body.id}`)).body.category).toBe('a');
  });

  it('ignores notes that were added since then', async () => {
    const { body, headers } = await anIncident(agent);
    await agent.post(`/incidents/${body.id}/notes`, { body: 'hello' });
    const response = await agent.patch(
      `/incidents/${body.id}`,
      { category: 'a' },
      { 'if-match': headers.get('etag')! },
    );
    expect(response).toMatchObject({ status: 200, body: { work_notes_count: 1 } });
  });

  it('accepts * and lists, and rejects weak, foreign and malformed tags', async () => {
    const { body } = await anIncident(agent);
    const patch = (category: string, tag: string) =>
      agent.patch(`/incidents/${body.id}`, { category }, { 'if-match': tag });
    expect((await patch('a', '*')).status).toBe(200);
    expect((await patch('b', '"9-0", "2-0"')).status).toBe(200);
    expectProblem(await patch('c', 'W/"3-0"'), 412, 'precondition_failed');
    expectProblem(await patch('c', '"something"'), 412, 'precondition_failed');
    expectProblem(await patch('c', '3-0'), 400, 'invalid_input');
  });

  it('checks the version also without changes or with only a note', async () => {
    const { body } = await anIncident(agent);
    for (const patch of [{}, { work_note: 'x' }]) {
      expectProblem(
        await agent.patch(`/incidents/${body.id}`, patch, { 'if-match': '"7-0"' }),
        412,
        'precondition_failed',
      );
    }
  });
});

describe('incident states', () => {
  const allowed: Record<string, string[]> = {
    new: ['in_progress', 'cancelled'],
    in_progress: ['on_hold', 'resolved'],
    on_hold: ['in_progress'],
    resolved: ['closed', 'reopened'],
    reopened: ['in_progress'],
    closed: [],
    cancelled: [],
  };

  it.each(incidentStates)('change from %s only as the transition table allows', async (from) => {
    const id = await anIncidentIn(agent, from);
    const before = (await agent.get(`/incidents/${id}`)).body;
    for (const to of incidentStates.filter((state) => !allowed[from]!.includes(state))) {
      const response = await agent.patch(`/incidents/${id}`, { state: to });
      if (to === from) {
        expect(response).toMatchObject({ status: 200, body: before });
        continue;
      }
      expectProblem(response, 409, 'invalid_transition');
      expect(response.body.allowed_transitions).toEqual(allowed[from]);
    }
    expect((await agent.get(`/incidents/${id}`)).body).toEqual(before);
    for (const to of allowed[from]!) {
      const response = await agent.patch(`/incidents/${await anIncidentIn(agent, from)}`, { state: to });
      expect(response).toMatchObject({ status: 200, body: { state: to } });
    }
    await service.advance('2s');
  });

  it('set resolved_at, closed_at and reopen_count automatically', async () => {
    const { body: created } = await anIncident(agent);
    const to = async (state: string, more = {}) =>
      (await agent.patch(`/incidents/${created.id}`, { state, ...more })).body;
    expect(await to('in_progress')).toMatchObject({ resolved_at: null, closed_at: null, reopen_count: 0 });
    const resolved = await to('resolved', { resolution: 'Restarted the relay.' });
    expect(resolved).toMatchObject({ resolved_at: resolved.updated_at, closed_at: null, sla_breach_at: null });
    const reopened = await to('reopened');
    expect(reopened).toMatchObject({ state: 'reopened', resolved_at: null, reopen_count: 1 });
    await to('in_progress');
    const again = await to('resolved');
    expect(again).toMatchObject({ resolved_at: again.updated_at, reopen_count: 1, resolution: 'Restarted the relay.' });
    const closed = await to('closed');
    expect(closed).toMatchObject({ resolved_at: again.resolved_at, closed_at: closed.updated_at, sla_breach_at: null });
  });

  it('allow changes to other fields of a final incident', async () => {
    const id = await anIncidentIn(agent, 'cancelled');
    expect((await agent.patch(`/incidents/${id}`, { category: 'x' })).body).toMatchObject({
      category: 'x',
      state: 'cancelled',
    });
  });
});

describe('acknowledgeIncident', () => {
  const me = 'agent@clients.incidents.localhost';

  it('records who acknowledged and moves a new incident to in_progress', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    expect(body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
    const response = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    expect(response).toMatchObject({ status: 200, body: { state: 'in_progress', acknowledged_by: me } });
    expect(response.body.acknowledged_at).toBe(response.body.updated_at);
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(response.body);
    const { body: history } = await agent.get(`/incidents/${body.id}/history`);
    expect(history.data[1].changes).toMatchObject({ state: { to: 'in_progress' }, acknowledged_by: { to: me } });
  });

  it('changes nothing when it is repeated', async () => {
    const { body } = await anIncident(agent);
    const first = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const second = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('gives many concurrent callers the same acknowledgement', async () => {
    const { body } = await anIncident(agent);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/incidents/${body.id}/acknowledge`, undefined)),
    );
    expect(new Set(all.map((one) => one.body.acknowledged_at)).size).toBe(1);
  });

  it('keeps the state of an incident on hold', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const { body } = await agent.post(`/incidents/${id}/acknowledge`, undefined);
    expect(body).toMatchObject({ state: 'on_hold', acknowledged_by: me });
  });

  it('is cleared by a reopening and by another group', async () => {
    const { body } = await anIncident(agent, { assignment_group: 'network' });
    await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const same = await agent.patch(`/incidents/${body.id}`, { assignment_group: 'network', category: 'vpn' });
    expect(same.body.acknowledged_by).toBe(me);
    const other = await agent.patch(`/incidents/${body.id}`, { assignment_group: 'mail' });
    expect(other.body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
    await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const resolved = await agent.patch(`/incidents/${body.id}`, { state: 'resolved' });
    expect(resolved.body.acknowledged_by).toBe(me);
    const reopened = await agent.patch(`/incidents/${body.id}`, { state: 'reopened' });
    expect(reopened.body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
  });

  it('rejects an incident that needs no work', async () => {
    const id = await anIncidentIn(agent, 'cancelled');
    const response = await agent.post(`/incidents/${id}/acknowledge`, undefined);
    expectProblem(response, 409, 'invalid_transition');
    expect(response.body.allowed_transitions).toEqual([]);
  });

  it('rejects writing the fields directly', async () => {
    const { body } = await anIncident(agent);
    const fields = { acknowledged_at: body.created_at, acknowledged_by: 'ada.lovelace@example.com' };
    const response = await agent.patch(`/incidents/${body.id}`, fields);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual(Object.keys(fields).map((field) => ({ field, message: 'is read-only' })));
  });

  it('is limited to agents', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.post(`/incidents/${body.id}/acknowledge`, undefined), 403, 'forbidden');
    const anonymous = await call(service, `/v1/incidents/${body.id}/acknowledge`, { method: 'POST' });
    expectProblem(anonymous, 401, 'unauthorized');
    expectProblem(await agent.post('/incidents/INC0000000/acknowledge', undefined), 404, 'not_found');
  });

  it('appears in the filters and in the statistics by priority and group', async () => {
    const group = 'acknowledgement-statistics';
    const { body: one } = await anIncident(agent, { priority: 'P1', assignment_group: group });
    await anIncident(agent, { priority: 'P2', assignment_group: group });
    await service.advance('4m', []);
    const { body: acknowledged } = await agent.post(`/incidents/${one.id}/acknowledge`, undefined);
    const since = `assignment_group=${group}&acknowledged_after=${one.created_at}`;
    expect((await agent.get(`/incidents?${since}`)).body.data).toEqual([acknowledged]);
    const { body } = await agent.get(`/incidents/statistics?assignment_group=${group}&group_by=priority`);
    expect(body).toMatchObject({ count: 2, acknowledged: 1 });
    expect(body.mean_time_to_acknowledge_minutes).toBeCloseTo(4, 0);
    const [p1, p2] = ['P1', 'P2'].map((priority) =>
      body.groups.find(({ values }: { values: { priority: string } }) => values.priority === priority),
    );
    expect(p1.acknowledged).toBe(1);
    expect(p2).toMatchObject({ acknowledged: 0, mean_time_to_acknowledge_minutes: null });
  });
});

describe('listIncidentHistory', () => {
  it('lists every change with its actor and fields, oldest first', async () => {
    const { body } = await anIncident(agent, { category: 'email' });
    const manager = await getApi(service, 'manager');
    const changed = await manager.patch(`/incidents/${body.id}`, { category: null, state: 'in_progress' });
    const response = await viewer.get(`/incidents/${body.id}/history`);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      data: [
        {
          version: 1,
          at: body.created_at,
          actor: 'agent@clients.incidents.localhost',
          origin: { kind: 'api', id: null },
          changes: expect.objectContaining({
            short_description: { from: null, to: body.short_description },
            category: { from: null, to: 'email' },
            state: { from: null, to: 'new' },
          }),
        },
        {
          version: 2,
          at: changed.body.updated_at,
          actor: 'manager@clients.incidents.localhost',
          origin: { kind: 'api', id: null },
          changes: { category: { from: 'email', to: null }, state: { from: 'new', to: 'in_progress' } },
        },
      ],
      total: 2,
    });
  });

  it('lists every change once across pages', async () => {
    const { body } = await anIncident(agent);
    for (const category of ['a', 'b', 'c', 'd', 'e', 'f']) await agent.patch(`/incidents/${body.id}`, { category });
    const versions: number[] = [];
    let cursor = '';
    for (let page = 1; page <= 3; page++) {
      const response = await agent.get(`/incidents/${body.id}/history?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(response.body.total).toBe(7);
      versions.push(...response.body.data.map(({ version }: { version: number }) => version));
      expect('next_cursor' in response.body).toBe(page < 3);
      cursor = response.body.next_cursor;
    }
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('has no next page if the last page is exactly full', async () => {
    const { body } = await anIncident(agent);
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    expect((await agent.get(`/incidents/${body.id}/history?limit=2`)).body).not.toHaveProperty('next_cursor');
  });

  it('rejects modified, foreign and malformed cursors', async () => {
    const [one, other] = [await anIncident(agent), await anIncident(agent)];
    for (const { body } of [one, other]) {
      await agent.patch(`/incidents/${body.id}`, { category: 'x', work_note: 'n' });
      await agent.patch(`/incidents/${body.id}`, { work_note: 'n' });
    }
    const path = `/incidents/${one.body.id}/history`;
    const { next_cursor } = (await agent.get(`${path}?limit=1`)).body;
    expect((await agent.get(`${path}?limit=1&cursor=${next_cursor}`)).status).toBe(200);
    const flipped = `${next_cursor.slice(0, -1)}${next_cursor.endsWith('A') ? 'B' : 'A'}`;
    const foreign = (await agent.get(`/incidents/${other.body.id}/history?limit=1`)).body.next_cursor;
    const ofNotes = (await agent.get(`/incidents/${one.body.id}/notes?limit=1`)).body.next_cursor;
    for (const cursor of [flipped, foreign, ofNotes, 'hello', 'AAAA', `${next_cursor}x`]) {
      const response = await agent.get(`${path}?limit=1&cursor=${cursor}`);
      expectProblem(response, 400, 'invalid_input');
      expect(response.body.errors[0].field).toBe('cursor');
    }
  });

  it.each(['limit=0', 'limit=201', 'limit=abc', 'limit=1.5', 'limit=', 'cursor=', 'page=2', 'limit=1&limit=2'])(
    'rejects %s',
    async (query) => {
      const { body } = await anIncident(agent);
      expectProblem(await agent.get(`/incidents/${body.id}/history?${query}`), 400, 'invalid_input');
    },
  );

  it('returns 404 for unknown ids', async () => {
    expectProblem(await agent.get('/incidents/INC0000000/history'), 404, 'not_found');
  });
});
