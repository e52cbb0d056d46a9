import { createChangeBuilders } from '../../support/changes.ts';
import { expectProblem } from '../../support/http.ts';
import { startTestService } from '../../support/incidents.ts';

const { service, agent, manager, viewer, admin } = await startTestService('agent', 'manager', 'viewer', 'admin');
const { aChange, aChangeIn, ways } = createChangeBuilders({ agent, manager, viewer });

describe('createChange', () => {
  it('submits the change with defaults, and notifies those who may approve it', async () => {
    const body = await aChange({ assignment_group: 'messaging' });
    expect(body).toMatchObject({
      id: expect.stringMatching(/^CHG[0-9A-HJKMNP-TV-Z]{7}$/),
      number: body.id,
      state: 'submitted',
      type: 'normal',
      risk: 'medium',
      ci_ids: [],
      planned_start: null,
      requested_by: 'agent@clients.incidents.localhost',
      decision_by: null,
    });
    const submitted = { event: 'change.submitted', record_id: body.id, requested_by: body.requested_by };
    const listFor = async (group: string) => (await manager.get(`/notifications?group=${group}`)).body.data;
    await service.advance('1ms', []);
    expect(await listFor('itsm_manager')).toContainEqual(expect.objectContaining(submitted));
    expect(await listFor('messaging')).not.toContainEqual(expect.objectContaining(submitted));
  });

  it('notifies nobody about a draft until it is submitted', async () => {
    const { id } = await aChange({ state: 'draft' });
    const countWaiting = async () => {
      await service.advance('1ms', []);
      const { data } = (await manager.get('/notifications?group=itsm_manager&limit=200')).body;
      return data.filter(({ record_id }: { record_id: string }) => record_id === id).length;
    };
    expect(await countWaiting()).toBe(0);
    expect((await agent.patch(`/changes/${id}`, { state: 'submitted' })).body.state).toBe('submitted');
    expect(await countWaiting()).toBe(1);
  });

  it('stores planned times in UTC', async () => {
    const planned = { planned_start: '2026-12-01T22:00:00+02:00', planned_end: '2026-12-01T21:00:00Z' };
    expect(await aChange(planned)).toMatchObject({
      planned_start: '2026-12-01T20:00:00.000Z',
      planned_end: '2026-12-01T21:00:00.000Z',
    });
  });

  it('warns about names that are not in the directory', async () => {
    const names = { assignment_group: 'nobody-knows', assigned_to: 'nobody@example.org' };
    const { status, headers } = await agent.post('/changes', { short_description: 'x', ...names });
    expect(status).toBe(201);
    const fields = JSON.parse(headers.get('x-warnings') ?? '').map(({ field }: { field: string }) => field);
    expect(fields).toEqual(['assigned_to', 'assignment_group']);
    const { id } = await aChange();
    const updated = await agent.patch(`/changes/${id}`, names);
    expect(updated.headers.get('x-warnings')).toContain('"assignment_group"');
  });

  it('stores and clears the plans', async () => {
    const plans = {
      implementation_plan: 'Install it.',
      backout_plan: 'Restore the **old** file.',
      test_plan: 'Send mail.',
    };
    const { id } = await aChange(plans);
    expect((await viewer.get(`/changes/${id}`)).body).toMatchObject(plans);
    const cleared = await agent.patch(`/changes/${id}`, { test_plan: null });
    expect(cleared.body).toMatchObject({ ...plans, test_plan: null });
  });

  it.each([
    ['backout_plan', { backout_plan: 'x'.repeat(4_001) }],
    ['test_plan', { test_plan: ' ' }],
    ['planned_end', { planned_start: '2026-12-01T20:00:00Z', planned_end: '2026-12-01T20:00:00Z' }],
    ['planned_start', { planned_start: '2026-12-01' }],
    ['planned_start', { planned_start: '1960-01-01T00:00:00Z' }],
    ['state', { state: 'approved' }],
    ['type', { type: 'huge' }],
    ['risk', { risk: null }],
    ['ci_ids', { ci_ids: ['CI0000001', 'CI0000001'] }],
    ['ci_ids[0]', { ci_ids: ['SRV1'] }],
    ['ci_ids[0]', { ci_ids: ['CI1'] }],
    ['ci_ids', { ci_ids: Array.from({ length: 51 }, (_, index) => `CI${1_000_000 + index}`) }],
    ['requested_by', { requested_by: 'somebody@example.com' }],
    ['short_description', { short_description: '' }],
  ])('rejects an invalid %s', async (field, fields) => {
    expectProblem(await agent.post('/changes', { short_description: 'x', ...fields }), 400, 'invalid_input', [field]);
  });

  it('requires an agent', async () => {
    expectProblem(await viewer.post('/changes', { short_description: 'x' }), 403, 'forbidden');
  });
});

describe('updateChange', () => {
  const byUpdate: Readonly<Record<string, readonly string[]>> = {
    draft: ['submitted', 'cancelled'],
    submitted: ['cancelled'],
    approved: ['implementing', 'cancelled'],
    implementing: ['completed'],
    rejected: [],
    completed: [],
    cancelled: [],
  };

  it.each(Object.entries(byUpdate))('lets %s change only to %j', async (from, allowed) => {
    const id = await aChangeIn(from);
    for (const to of Object.keys(byUpdate).filter((state) => state !== from && !allowed.includes(state))) {
      const response = await admin.patch(`/changes/${id}`, { state: to, risk: 'high' });
      expectProblem(response, 409, 'invalid_transition');
      expect(response.body.allowed_transitions).toEqual(allowed);
    }
    expect((await agent.patch(`/changes/${id}`, { state: from })).status).toBe(200);
    expect((await viewer.get(`/changes/${id}`)).body).toMatchObject({ state: from, risk: 'medium' });
  });

  it('rejects a new end before the stored start', async () => {
    const { id } = await aChange({ planned_start: '2026-12-01T20:00:00Z', planned_end: '2026-12-01T21:00:00Z' });
    const response = await agent.patch(`/changes/${id}`, { planned_end: '2026-12-01T19:00:00Z' });
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field: 'planned_end', message: 'must be after the planned start' }]);
    const cleared = await agent.patch(`/changes/${id}`, { planned_start: null, ci_ids: null });
    expect(cleared.body).toMatchObject({ planned_start: null, planned_end: '2026-12-01T21:00:00.000Z', ci_ids: [] });
  });
});

describe('listChanges', () => {
  const listIds = async (query: string) => {
    const response = await viewer.get(`/changes?order=asc&${query}`);
    expect(response.status).toBe(200);
    return response.body.data.map(({ id }: { id: string }) => id);
  };

  it('filters by every field and by combinations', async () => {
    const group = 'list-filters';
    const one = await aChange({
      assignment_group: group,
      risk: 'low',
      type: 'standard',
      assigned_to: 'ada@example.com',
    });
    const two = await aChange({ assignment_group: group, risk: 'high', type: 'emergency', ci_ids: ['CI0000777'] });
    const three = await aChange({ assignment_group: group, state: 'draft' }, manager);
    const all = `assignment_group=${group}`;
    expect(await listIds(all)).toEqual([one.id, two.id, three.id]);
    expect(await listIds(`${all}&risk=low,high`)).toEqual([one.id, two.id]);
    expect(await listIds(`${all}&type=emergency`)).toEqual([two.id]);
    expect(await listIds(`${all}&state=draft`)).toEqual([three.id]);
    expect(await listIds(`${all}&assigned_to=ada@example.com`)).toEqual([one.id]);
    expect(await listIds(`${all}&requested_by=manager@clients.incidents.localhost`)).toEqual([three.id]);
    expect(await listIds(`${all}&q=ci0000777`)).toEqual([two.id]);
    expect(await listIds(`${all}&q=certificate%20${three.id}`)).toEqual([three.id]);
    expect(await listIds(`${all}&sort=risk`)).toEqual([one.id, three.id, two.id]);
  });

  it('filters by overlap with a period', async () => {
    const group = 'list-windows';
    const planChange = (from: string, to: string) =>
      aChange({ assignment_group: group, planned_start: `${from}:00:00Z`, planned_end: `${to}:00:00Z` });
    const first = await planChange('2027-05-01T10', '2027-05-01T12');
    const second = await planChange('2027-05-01T11', '2027-05-02T12');
    await aChange({ assignment_group: group });
    const all = `assignment_group=${group}&sort=planned_start`;
    expect(await listIds(`${all}&planned_after=2027-05-01T12:00:00Z`)).toEqual([second.id]);
    expect(await listIds(`${all}&planned_before=2027-05-01T11:00:00Z`)).toEqual([first.id]);
    expect(await listIds(`${all}&planned_after=2027-05-01&planned_before=2027-05-02`)).toEqual([first.id, second.id]);
  });

  it.each(['state=open', 'risk=none', 'type=', 'sort=priority', 'planned_after=soon', 'ci_ids=nonsense', 'ci_id=CI1'])(
    'rejects %s',
    async (query) => {
      expectProblem(await viewer.get(`/changes?${query}`), 400, 'invalid_input');
    },
  );
});

describe('getChangeCalendar', () => {
  const planChange = (from: string, to: string, ...ci_ids: string[]) =>
    aChange({ planned_start: `${from}:00Z`, planned_end: `${to}:00Z`, ci_ids });

  it('returns the changes of a period in order, with collisions on the same item', async () => {
    const late = await planChange('2028-01-10T12:00', '2028-01-10T14:00', 'CI0000501', 'CI0000502');
    const early = await planChange('2028-01-10T10:00', '2028-01-10T13:00', 'CI0000501');
    await planChange('2028-01-10T10:00', '2028-01-10T13:00', 'CI0000503');
    await planChange('2028-01-11T00:00', '2028-01-11T01:00', 'CI0000501');
    const { id: cancelled } = await planChange('2028-01-10T10:00', '2028-01-10T13:00', 'CI0000501');
    await ways.cancelled!(cancelled);
    const { status, body } = await viewer.get('/changes/calendar?from=2028-01-10&to=2028-01-11');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, collisions_total: 1 });
    expect(body.data.at(-1)).toMatchObject({ id: late.id, state: 'submitted', ci_ids: ['CI0000501', 'CI0000502'] });
    expect(body.data[0]).not.toHaveProperty('description');
    expect(body.collisions).toEqual([
      {
        change_ids: [early.id, late.id],
        from: '2028-01-10T12:00:00.000Z',
        to: '2028-01-10T13:00:00.000Z',
        reason: 'same_ci',
        ci_ids: ['CI0000501'],
      },
    ]);
  });

  it('finds collisions on dependencies', async () => {
    const ci = async (name: string, relations: object[] = []) =>
      (await manager.post('/cmdb/cis', { name, class: 'server', relations })).body.id as string;
    const host = await ci('calendar-host');
    const database = await ci('calendar-database', [{ type: 'runs_on', ci_id: host }]);
    const shop = await ci('calendar-shop', [{ type: 'depends_on', ci_id: database }]);
    const restart = await planChange('2028-02-10T10:00', '2028-02-10T13:00', host);
    const release = await planChange('2028-02-10T12:00', '2028-02-10T14:00', shop);
    await planChange('2028-02-10T12:00', '2028-02-10T14:00', 'CI0000509');
    const { body } = await viewer.get('/changes/calendar?from=2028-02-10&to=2028-02-11');
    expect(body.collisions).toMatchObject([
      { change_ids: [restart.id, release.id], reason: 'dependency', ci_ids: [host] },
    ]);
    expect(body.truncated).toEqual({ changes: false, collisions: false, dependencies: false });
  });

  it('reports when the dependency search was truncated', async () => {
    let below: string | undefined;
    for (let step = 0; step < 7; step++) {
      const relations = below === undefined ? [] : [{ type: 'runs_on', ci_id: below }];
      below = (await manager.post('/cmdb/cis', { name: `deep-${step}`, class: 'server', relations })).body.id;
    }
    const { id } = await planChange('2028-03-10T10:00', '2028-03-10T13:00', below!);
    const getTruncation = async () =>
      (await viewer.get('/changes/calendar?from=2028-03-10&to=2028-03-11')).body.truncated;
    expect(await getTruncation()).toEqual({ changes: false, collisions: false, dependencies: true });
    await ways.completed!(id);
    expect(await getTruncation()).toEqual({ changes: false, collisions: false, dependencies: false });
  });

  it.each([
    ['from=2028-01-10', 'to', 'is required'],
    ['from=2028-01-10&to=2028-01-10', 'to', 'must be after from'],
    ['from=2028-01-10&to=2028-04-12T00:00:01Z', 'to', 'must be at most 92 days after from'],
    ['from=2028-01-10&to=2028-01-11&state=draft', 'state', 'is not a known parameter'],
  ])('rejects %s', async (query, field, message) => {
    const response = await viewer.get(`/changes/calendar?${query}`);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field, message }]);
  });
});

describe('getChangeCollisions', () => {
  const window = 'from=2028-04-10T10:00:00Z&to=2028-04-10T12:00:00Z';
  const planFields = (ci_id: string) => ({
    planned_start: '2028-04-10T11:00:00Z',
    planned_end: '2028-04-10T14:00:00Z',
    ci_ids: [ci_id],
  });
  const listCollisions = async (query: string) => {
    const { status, body } = await viewer.get(`/changes/collisions?${window}&${query}`);
    expect(status).toBe(200);
    return body.data;
  };

  it('compares any window with pending changes', async () => {
    const host = (await manager.post('/cmdb/cis', { name: 'collision-host', class: 'server' })).body.id;
    const relations = [{ type: 'runs_on', ci_id: host }];
    const shop = (await manager.post('/cmdb/cis', { name: 'collision-shop', class: 'service', relations })).body.id;
    const { id } = await aChange(planFields(shop));
    const overlap = { from: '2028-04-10T11:00:00.000Z', to: '2028-04-10T12:00:00.000Z' };
    expect(await listCollisions(`ci_ids=CI999,${shop}`)).toEqual([
      { change: expect.objectContaining({ id, state: 'submitted' }), ...overlap, reason: 'same_ci', ci_ids: [shop] },
    ]);
    expect(await listCollisions(`ci_ids=${host}`)).toMatchObject([
      { ...overlap, reason: 'dependency', ci_ids: [host] },
    ]);
    expect(await listCollisions('ci_ids=CI999')).toEqual([]);
    expect(await listCollisions(`ci_ids=${shop}&change_id=${id}`)).toEqual([]);
    await ways.cancelled!(id);
    expect(await listCollisions(`ci_ids=${shop}`)).toEqual([]);
  });

  it.each([
    [`${window}`, 'ci_ids'],
    [`${window}&ci_ids=SRV1`, 'ci_ids[0]'],
    [`${window}&ci_ids=${Array.from({ length: 51 }, (_, index) => `CI${index}`)}`, 'ci_ids'],
    [`${window}&ci_ids=CI1&change_id=INC1`, 'change_id'],
    ['from=2028-04-10&to=2028-04-10&ci_ids=CI1', 'to'],
  ])('rejects %s', async (query, field) => {
    expectProblem(await viewer.get(`/changes/collisions?${query}`), 400, 'invalid_input', [field]);
  });
});

describe('events', () => {
  it('are emitted for the submission and the decision, with the fields of the change', async () => {
    const { id } = await aChange();
    await manager.post(`/changes/${id}/reject`, {});
    await service.advance('1s');
    const { data } = (await viewer.get('/events?limit=200')).body;
    const own = data.filter((event: { data: { id: string } }) => event.data.id === id);
    expect(own.map(({ event }: { event: string }) => event)).toEqual(['change.submitted', 'change.rejected']);
    expect(own[1].data).toEqual({
      id,
      short_description: 'Renew the certificate',
      state: 'rejected',
      url: `${service.baseUrl}/console/changes/${id}`,
      api_url: `${service.baseUrl}/prod/api/v1/changes/${id}`,
    });
  });
});
