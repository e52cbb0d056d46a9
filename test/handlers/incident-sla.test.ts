import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { createFeedStore } from '../../lambdas/lists/feed-store.ts';
import { createItemStore } from '../../lambdas/records/item-store.ts';
import { createSweep as createSlaSweep } from '../../lambdas/service-levels/sweep-kinds.ts';
import { expectAccess } from '../support/access.ts';
import { expectProblem } from '../support/http.ts';
import {
  type Api,
  anIncident,
  anIncidentIn,
  createApi,
  type Fields,
  getApi,
  startTestService,
} from '../support/incidents.ts';
import { createPerson, signIn as signInPerson } from '../support/people.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';

// P1 has a target of four hours, so its warning is due after three.

let agent: Api;
let viewer: Api;
const { service } = await startTestService();
// Tokens expire within an hour, and these tests move the clock by more.
const signIn = async () => {
  [agent, viewer] = await Promise.all([getApi(service, 'agent'), getApi(service, 'viewer')]);
};
beforeEach(signIn);

async function advance(minutes: number): Promise<void> {
  await service.advanceThenRun(minutes, ['sweep-sla']);
  await signIn();
}

/** Creates incidents in a category that no other test uses. */
let categories = 0;
async function createSome(fields: readonly Fields[]): Promise<{ category: string; ids: string[] }> {
  const category = `statistics-${++categories}`;
  const ids: string[] = [];
  for (const each of fields) ids.push((await anIncident(agent, { category, ...each })).body.id);
  return { category, ids };
}

async function resolve(id: string): Promise<void> {
  for (const state of ['in_progress', 'resolved']) {
    expect((await agent.patch(`/incidents/${id}`, { state })).status).toBe(200);
  }
}

async function read(path: string, query: Record<string, string>) {
  const response = await viewer.get(`${path}?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  return response.body;
}

const listIds = async (query: Record<string, string>): Promise<string[]> =>
  (await read('/incidents', query)).data.map(({ id }: { id: string }) => id);

const statistics = (query: Record<string, string>) => read('/incidents/statistics', query);

describe('listIncidents', () => {
  it('filters by SLA status as time passes, and keeps a breach while the clock is paused or ended', async () => {
    const { category, ids } = await createSome([{ priority: 'P1' }, { priority: 'P1' }, { priority: 'P1' }]);
    const [open, held, resolved] = ids as [string, string, string];
    const listByStatus = async (sla: string) => (await listIds({ category, sla })).sort();
    expect(await listByStatus('breached,due_soon,at_risk')).toEqual([]);
    await advance(185);
    expect(await listByStatus('at_risk')).toEqual([...ids].sort());
    expect(await listByStatus('due_soon')).toEqual([...ids].sort());
    await agent.patch(`/incidents/${held}`, { state: 'in_progress' });
    await agent.patch(`/incidents/${held}`, { state: 'on_hold' });
    expect(await listByStatus('at_risk')).toEqual([open, resolved].sort());
    await advance(60);
    await resolve(resolved);
    expect(await listByStatus('breached')).toEqual([open, resolved].sort());
    expect(await listByStatus('at_risk,due_soon')).toEqual([]);
    expect(await listByStatus('breached,at_risk')).toEqual([open, resolved].sort());
  });

  it('sorts by time to breach on all pages, with incidents without a breach last in both orders', async () => {
    const { category, ids } = await createSome([{ priority: 'P3' }, { priority: 'P1' }, { priority: 'P2' }, {}]);
    const [low, high, middle, done] = ids as [string, string, string, string];
    await resolve(done);
    const sorted = [high, middle, low, done];
    expect(await listIds({ category, sort: 'sla_breach_at', order: 'asc' })).toEqual(sorted);
    expect(await listIds({ category, sort: 'sla_breach_at' })).toEqual([low, middle, high, done]);
    const walked: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 4; page++) {
      const query = { category, sort: 'sla_breach_at', order: 'asc', limit: '1', ...(cursor && { cursor }) };
      const { data, next_cursor } = await read('/incidents', query);
      walked.push(data[0].id);
      cursor = next_cursor;
    }
    expect([walked, cursor]).toEqual([sorted, undefined]);
  });

  it('filters by missing assignee, age and time of resolution', async () => {
    const { category, ids } = await createSome([{ assigned_to: 'ada@example.com' }, {}]);
    const [assigned, unassigned] = ids as [string, string];
    expect(await listIds({ category, unassigned: 'true' })).toEqual([unassigned]);
    expect(await listIds({ category, unassigned: 'false', assigned_to: 'ada@example.com' })).toEqual([assigned]);
    expect(await listIds({ category, min_age_hours: '2' })).toEqual([]);
    await advance(120);
    const young = (await anIncident(agent, { category })).body.id;
    expect(await listIds({ category, min_age_hours: '2', order: 'asc' })).toEqual([assigned, unassigned]);
    expect(await listIds({ category, max_age_hours: '1' })).toEqual([young]);
    await resolve(assigned);
    expect(await listIds({ category, resolved_after: '2020-01-01' })).toEqual([assigned]);
    expect(await listIds({ category, resolved_before: '2020-01-01' })).toEqual([]);
  });

  it('pages through a relative filter while time passes', async () => {
    const { category, ids } = await createSome([{}, {}]);
    const query = { category, max_age_hours: '5', limit: '1' };
    const first = await read('/incidents', query);
    await service.advance('1s');
    const second = await read('/incidents', { ...query, cursor: first.next_cursor });
    expect([first.data[0].id, second.data[0].id]).toEqual([ids[1], ids[0]]);
    expectProblem(
      await viewer.get(`/incidents?category=${category}&max_age_hours=6&limit=1&cursor=${first.next_cursor}`),
      400,
      'invalid_input',
    );
  });

  it.each([
    ['sla=late', 'sla'],
    ['unassigned=yes', 'unassigned'],
    ['unassigned=true&assigned_to=ada@example.com', 'unassigned'],
    ['min_age_hours=-1', 'min_age_hours'],
    ['max_age_hours=1.5', 'max_age_hours'],
    ['resolved_after=yesterday', 'resolved_after'],
  ])('rejects %s', async (query, field) => {
    expectProblem(await viewer.get(`/incidents?${query}`), 400, 'invalid_input', [field]);
  });
});

describe('getIncidentStatistics', () => {
  it('counts by two fields, with SLA attainment and mean time to resolve', async () => {
    const { category, ids } = await createSome([
      { priority: 'P1', assignment_group: 'network' },
      { priority: 'P1', assignment_group: 'network' },
      { priority: 'P2' },
    ]);
    await service.hold(true);
    try {
      await advance(60);
      await resolve(ids[0]!);
      await advance(240);
      await resolve(ids[1]!);
      const found = await statistics({ category, group_by: 'priority,assignment_group' });
      expect(found).toMatchObject({
        count: 3,
        resolved: 2,
        sla_met: 1,
        sla_breached: 1,
        sla_attainment: 0.5,
        other: 0,
      });
      expect(found.mean_time_to_resolve_minutes).toBeCloseTo(180, 0);
      expect(found.groups).toMatchObject([
        { values: { priority: 'P1', assignment_group: 'network' }, count: 2, resolved: 2, sla_breached: 1 },
        {
          values: { priority: 'P2', assignment_group: null },
          count: 1,
          resolved: 0,
          sla_attainment: null,
          mean_time_to_resolve_minutes: null,
        },
      ]);
    } finally {
      await service.hold(false);
    }
  });

  it('counts creations and resolutions per day, without gaps and with any filter', async () => {
    const { category, ids } = await createSome([{}, {}]);
    await resolve(ids[0]!);
    const { days } = await statistics({ category, interval: 'day', days: '4' });
    const sum = (field: string) =>
      days.reduce((total: number, each: Record<string, number>) => total + each[field]!, 0);
    expect([days.length, sum('created'), sum('resolved'), sum('sla_met')]).toEqual([4, 2, 1, 1]);
    const dates = days.map(({ date }: { date: string }) => Date.parse(date));
    expect(dates.slice(1).map((date: number, index: number) => date - dates[index]!)).toEqual(
      Array(3).fill(86_400_000),
    );
    const open = await statistics({ category, state: 'new', interval: 'day', days: '4' });
    expect(open.count).toBe(1);
    expect(await statistics({ category, unassigned: 'true', q: 'nothing' })).toMatchObject({ count: 0, resolved: 0 });
    expect(await statistics({ category })).not.toHaveProperty('days');
  });

  it('compares with other filters, leaves values out, and returns medians, weeks, months and the top groups', async () => {
    const { category, ids } = await createSome([
      { assignment_group: 'network' },
      { assignment_group: 'network' },
      { assignment_group: 'messaging' },
    ]);
    await service.hold(true);
    try {
      await advance(10);
      await resolve(ids[0]!);
      await agent.patch(`/incidents/${ids[0]}`, { state: 'reopened' });
      await agent.patch(`/incidents/${ids[0]}`, { state: 'in_progress' });
      await advance(20);
      await resolve(ids[0]!);
      await resolve(ids[2]!);
      const compared = await statistics({
        category,
        assignment_group: 'network',
        compare: 'assignment_group=messaging',
        median: 'true',
      });
      expect(compared).toMatchObject({
        count: 2,
        reopened: 1,
        compared: { count: 1, reopened: 0, resolved: 1 },
        difference: { count: 1, reopened: 1, resolved: 0 },
      });
      expect(compared.median_time_to_resolve_minutes).toBeCloseTo(30, 0);
      expect(await statistics({ category, not: 'assignment_group:network' })).toMatchObject({ count: 1 });
      expect(await statistics({ category, assignment_group: 'network,messaging' })).toMatchObject({ count: 3 });
      expect(await statistics({ category, reopened: 'true' })).toMatchObject({ count: 1 });
      const top = await statistics({
        category,
        group_by: 'assignment_group',
        sort: 'resolved',
        order: 'asc',
        top: '1',
      });
      expect(top).toMatchObject({ groups: [{ resolved: 1 }], other: 1 });
      const { periods } = await statistics({ category, interval: 'month', days: '32' });
      expect(periods.length).toBeGreaterThan(1);
      expect(periods.at(-1)).toMatchObject({ created: 3, resolved: 2, reopened: 1 });
      const byOpener = await statistics({ category, group_by: 'opened_by' });
      expect(byOpener.groups).toHaveLength(1);
    } finally {
      await service.hold(false);
    }
  });

  it('measures changes and requests until they are done', async () => {
    const group = `measured ${Date.now()}`;
    const change = (await agent.post('/changes', { short_description: 'Measured', assignment_group: group })).body;
    const found = await read('/changes/statistics', { assignment_group: group, group_by: 'state', median: 'true' });
    expect(found).toMatchObject({ count: 1, resolved: 0, groups: [{ values: { state: change.state } }] });
    expect(found).toHaveProperty('median_time_to_resolve_minutes', null);
    expect(await read('/requests/statistics', { item: group, interval: 'week' })).toMatchObject({ count: 0 });
    expectProblem(await viewer.get('/changes/statistics?group_by=priority&days=0'), 400, 'invalid_input', [
      'days',
      'group_by',
    ]);
    expectProblem(await viewer.get('/requests/statistics?top=0'), 400, 'invalid_input', ['top']);
  });

  it.each([
    ['group_by=priority,state,category', 'group_by'],
    ['group_by=short_description', 'group_by'],
    ['interval=year', 'interval'],
    ['compare=created_after%3Dyesterday', 'compare'],
    ['not=colour:red', 'not'],
    ['interval=day&days=367', 'days'],
    ['limit=5', 'limit'],
  ])('rejects %s', async (query, field) => {
    expectProblem(await viewer.get(`/incidents/statistics?${query}`), 400, 'invalid_input', [field]);
  });

  it('requires a token and a role', async () => {
    await expectAccess(service, [
      ['GET', '/incidents/statistics'],
      ['GET', '/changes/statistics'],
      ['GET', '/requests/statistics'],
    ]);
    const token = await signInPerson(service, await createPerson(service, 'nobody-counts@example.com'));
    expectProblem(await createApi(service, token).get('/incidents/statistics'), 403, 'forbidden');
  });
});

const hour = 3_600_000;

describe('getIncidentSla', () => {
  it('returns the target, the elapsed time and the remaining time', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P2' });
    await service.advance('30m', []);
    const { status, body } = await viewer.get(`/incidents/${incident.id}/sla`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      incident_id: incident.id,
      priority: 'P2',
      simulated: false,
      clock: 'running',
      target_minutes: 480,
      started_at: incident.created_at,
      ended_at: null,
      paused_ms: 0,
      breached: false,
      breach_at: incident.sla_breach_at,
      warned_at: null,
      breached_at: null,
    });
    expect(Date.parse(body.warning_at)).toBe(Date.parse(incident.created_at) + 6 * hour);
    expect(body.running_ms).toBeGreaterThanOrEqual(hour / 2);
    expect(body.running_ms + body.remaining_ms).toBe(8 * hour);
    expect(body.intervals).toEqual([
      { clock: 'running', from: incident.created_at, to: null, duration_ms: body.running_ms },
    ]);
    expect(Date.parse(body.at) - Date.parse(body.started_at)).toBe(body.elapsed_ms);
  });

  it('simulates another target without writing', async () => {
    const { body: incident, headers } = await anIncident(agent, { priority: 'P4' });
    const { body } = await viewer.get(`/incidents/${incident.id}/sla?simulate=priority:P1`);
    expect(body).toMatchObject({ priority: 'P1', simulated: true, target_minutes: 240 });
    expect(Date.parse(body.breach_at)).toBe(Date.parse(incident.created_at) + 4 * hour);
    const after = await viewer.get(`/incidents/${incident.id}`);
    expect(after.body).toEqual(incident);
    expect(after.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('keeps start and pauses when the priority changes', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const { body: before } = await agent.get(`/incidents/${id}/sla`);
    await agent.patch(`/incidents/${id}`, { priority: 'P1' });
    const { body: after } = await agent.get(`/incidents/${id}/sla`);
    expect(after).toMatchObject({ priority: 'P1', clock: 'paused', breach_at: null, warning_at: null });
    expect(after.started_at).toBe(before.started_at);
    expect(after.running_ms).toBe(before.running_ms);
  });

  it('ends when the incident is resolved, and resumes when it is reopened', async () => {
    const id = await anIncidentIn(agent, 'resolved');
    const { body: ended } = await agent.get(`/incidents/${id}/sla`);
    expect(ended).toMatchObject({ clock: 'ended', breach_at: null });
    await agent.patch(`/incidents/${id}`, { state: 'reopened' });
    const { body: running } = await agent.get(`/incidents/${id}/sla`);
    expect(running).toMatchObject({ clock: 'running', ended_at: null });
    expect(running.running_ms).toBeGreaterThanOrEqual(ended.running_ms);
    expect(running.intervals.map(({ clock }: { clock: string }) => clock)).toEqual(['running', 'paused', 'running']);
  });

  it.each(['priority:P5', 'P1', 'state:new', ''])('rejects simulate=%s', async (simulate) => {
    const { body } = await anIncident(agent);
    const answer = await viewer.get(`/incidents/${body.id}/sla?simulate=${simulate}`);
    expectProblem(answer, 400, 'invalid_input', ['simulate']);
  });

  it('returns 404 for unknown ids, and requires a token', async () => {
    expectProblem(await viewer.get('/incidents/INC0000000/sla'), 404, 'not_found');
    expect((await fetch(`${service.baseUrl}/prod/api/v1/incidents/INC0000000/sla`)).status).toBe(401);
  });
});

describe('changed SLA minutes', () => {
  const client = createTableClient(service);
  afterAll(() => client.destroy());

  /** The sweep of a deployment with other minutes for P2, on the tables of the running service. */
  async function createSweep(minutesOfP2: number) {
    const table = await findRecordsTable(client);
    const nowMs = Date.parse((await agent.get('/health')).body.time);
    let aheadMs = 0;
    const clock = { now: () => nowMs + aheadMs };
    const run = createSlaSweep({
      store: createItemStore(client, table),
      openFeed: (type) => createFeedStore(client, table, type),
      minutes: { P1: 240, P2: minutesOfP2, P3: 1_440, P4: 4_320 },
      clock,
      log: () => {},
    });
    const readDueKey = async (id: string) => {
      const Key = { pk: { S: id }, sk: { S: '#' } };
      return (await client.send(new GetItemCommand({ TableName: table, Key }))).Item?.due_sk?.S;
    };
    const setDueKey = async (id: string, key: string) => {
      const update = { UpdateExpression: 'SET due_sk = :key', ExpressionAttributeValues: { ':key': { S: key } } };
      await client.send(new UpdateItemCommand({ TableName: table, Key: { pk: { S: id }, sk: { S: '#' } }, ...update }));
    };
    const sweep = (minutesAhead = 0) => {
      aheadMs = minutesAhead * 60_000;
      return run();
    };
    return { clock, sweep, readDueKey, setDueKey };
  }

  const addMinutes = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString();

  it('reach open incidents with the next sweep, their lists and their history', async () => {
    const fields = { priority: 'P2', category: 'other minutes' };
    const { body: open } = await anIncident(agent, fields);
    const { body: resolved } = await anIncident(agent, fields);
    await resolve(resolved.id);
    const { sweep, readDueKey } = await createSweep(60);
    await sweep();
    const breachAt = addMinutes(open.created_at, 60);
    const { body: repaired } = await agent.get(`/incidents/${open.id}`);
    expect(repaired.sla_breach_at).toBe(breachAt);
    expect(await readDueKey(open.id)).toBe(`${addMinutes(open.created_at, 45)}#${open.id}`);
    const { data } = (await agent.get(`/incidents/${open.id}/history`)).body;
    expect(data.at(-1)).toMatchObject({
      actor: 'sla',
      changes: { sla_breach_at: { from: open.sla_breach_at, to: breachAt } },
    });
    const filter = new URLSearchParams({ category: 'other minutes', sort: 'sla_breach_at', order: 'asc' });
    expect((await agent.get(`/incidents?${filter}`)).body.data).toMatchObject([
      { id: open.id, sla_breach_at: breachAt },
      { id: resolved.id, sla_breach_at: null },
    ]);
    await sweep();
    expect((await agent.get(`/incidents/${open.id}`)).body.updated_at).toBe(repaired.updated_at);
  });

  it('reach incidents that a function of the previous release writes later', async () => {
    const { sweep } = await createSweep(90);
    await sweep();
    const { body: late } = await anIncident(agent, { priority: 'P2' });
    await sweep(5);
    const { body } = await agent.get(`/incidents/${late.id}`);
    expect(body.sla_breach_at).toBe(addMinutes(late.created_at, 90));
  });

  it('move overdue keys that are no longer due', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P2' });
    const { clock, sweep, readDueKey, setDueKey } = await createSweep(480);
    await setDueKey(incident.id, `${incident.created_at}#${incident.id}`);
    await sweep();
    expect((await readDueKey(incident.id))! > new Date(clock.now()).toISOString()).toBe(true);
  });
});
