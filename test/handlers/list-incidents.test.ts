import { call, expectProblem } from '../support/http.ts';
import { anIncident, countCalls, type Fields, startTestService } from '../support/incidents.ts';
import { createPerson, signIn } from '../support/people.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

/** Incidents that no other test sees: they have a category of their own. */
let categories = 0;
async function createIncidents(fields: readonly Fields[]): Promise<{ category: string; ids: string[] }> {
  const category = `list-${++categories}`;
  const ids: string[] = [];
  for (const each of fields) ids.push((await anIncident(agent, { category, ...each })).body.id);
  return { category, ids };
}

async function list(query: Record<string, string | number>) {
  const response = await viewer.get(`/incidents?${new URLSearchParams(query as Record<string, string>)}`);
  expect(response.status).toBe(200);
  return { ...response.body, ids: response.body.data.map(({ id }: { id: string }) => id) };
}

describe('listIncidents', () => {
  it('lists full records, newest first, with the exact total', async () => {
    const { category, ids } = await createIncidents([{}, {}, {}]);
    const { data, total, next_cursor } = await list({ category });
    expect(data.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
    expect(data[0]).toEqual((await viewer.get(`/incidents/${ids[2]}`)).body);
    expect([total, next_cursor]).toEqual([3, undefined]);
  });

  it('returns an empty list if nothing matches', async () => {
    const response = await viewer.get('/incidents?category=nobody-has-this');
    expect(response).toMatchObject({ status: 200, body: { data: [], total: 0 } });
    expect(response.body).not.toHaveProperty('next_cursor');
  });

  it('shows a write in the next list of every caller', async () => {
    const { category, ids } = await createIncidents([{}]);
    for (const state of ['in_progress', 'on_hold', 'in_progress', 'resolved']) {
      await agent.patch(`/incidents/${ids[0]}`, { state });
      expect((await list({ category, state })).ids).toEqual(ids);
    }
  });

  it('omits deleted incidents', async () => {
    const { category, ids } = await createIncidents([{}, {}]);
    await manager.delete(`/incidents/${ids[0]}`);
    expect(await list({ category })).toMatchObject({ ids: [ids[1]], total: 1 });
  });

  it('filters by state and priority, one or several', async () => {
    const { category, ids } = await createIncidents([{ priority: 'P1' }, { priority: 'P2' }, { priority: 'P3' }]);
    await agent.patch(`/incidents/${ids[1]}`, { state: 'in_progress' });
    expect((await list({ category, priority: 'P1' })).ids).toEqual([ids[0]]);
    expect((await list({ category, priority: 'P1,P3', order: 'asc' })).ids).toEqual([ids[0], ids[2]]);
    expect((await list({ category, state: 'in_progress,closed' })).ids).toEqual([ids[1]]);
    expect((await list({ category, state: 'new', priority: 'P2' })).ids).toEqual([]);
  });

  it('filters by group, assignee and creator', async () => {
    const { category, ids } = await createIncidents([
      { assignment_group: 'network', assigned_to: 'ada@example.com' },
      { assignment_group: 'network', assigned_to: 'eve@example.com' },
      { assignment_group: 'mail' },
    ]);
    expect((await list({ category, assignment_group: 'network', order: 'asc' })).ids).toEqual(ids.slice(0, 2));
    expect((await list({ category, assigned_to: 'eve@example.com' })).ids).toEqual([ids[1]]);
    expect((await list({ category, assignment_group: 'mail', assigned_to: 'eve@example.com' })).total).toBe(0);
    const { body: other } = await anIncident(manager, { category });
    expect((await list({ category, opened_by: other.opened_by })).ids).toEqual([other.id]);
    const { opened_by } = (await viewer.get(`/incidents/${ids[0]}`)).body;
    expect((await list({ category, opened_by: `${opened_by},${other.opened_by}` })).total).toBe(4);
  });

  it('filters by what never happened: acknowledged, reopened, breached', async () => {
    const { category, ids } = await createIncidents([{}, {}, { priority: 'P1' }]);
    const [acknowledged, reopened, breached] = ids as [string, string, string];
    await agent.post(`/incidents/${acknowledged}/acknowledge`, undefined);
    for (const state of ['in_progress', 'resolved', 'reopened']) await agent.patch(`/incidents/${reopened}`, { state });
    const pick = async (query: Record<string, string>) => (await list({ category, ...query })).ids.sort();
    expect(await pick({ missing: 'acknowledged_at' })).not.toContain(acknowledged);
    expect(await pick({ missing: 'acknowledged_at' })).toContain(breached);
    expect(await pick({ missing: 'reopen_count' })).toEqual([acknowledged, breached].sort());
    expect(await pick({ sla: 'kept' })).toEqual([...ids].sort());
    await service.advance('5h', []);
    expect(await pick({ sla: 'kept' })).not.toContain(breached);
    expect(await pick({ sla: 'breached' })).toContain(breached);
  });

  it('filters by time of creation, both ends excluded', async () => {
    const { category, ids } = await createIncidents([{}, {}, {}]);
    const times = (await list({ category, order: 'asc' })).data.map((each: { created_at: string }) => each.created_at);
    expect((await list({ category, created_after: times[0], order: 'asc' })).ids).toEqual(ids.slice(1));
    expect((await list({ category, created_before: times[2], order: 'asc' })).ids).toEqual(ids.slice(0, 2));
    expect((await list({ category, created_after: times[0], created_before: times[2] })).ids).toEqual([ids[1]]);
    expect((await list({ category, created_after: '2020-01-01' })).total).toBe(3);
    expect((await list({ category, created_before: '2020-01-01' })).total).toBe(0);
  });

  it('finds all words of q, in any field, case and accent', async () => {
    const { category, ids } = await createIncidents([
      { short_description: 'Drucker im Büro druckt nicht', description: 'Papierstau seit **heute**.' },
      { short_description: 'Printer is out of paper' },
    ]);
    const findIds = async (q: string) => (await list({ category, q })).ids;
    for (const q of ['DRUCKER', 'buro', 'Büro papierstau', 'heute drucker', 'nicht,im']) {
      expect([q, await findIds(q)]).toEqual([q, [ids[0]]]);
    }
    expect(await findIds('drucker paper')).toEqual([]);
    expect(await findIds('druck')).toEqual([]);
    expect(await findIds(category)).toHaveLength(2);
    for (const q of [ids[1]!, ids[1]!.toLowerCase(), `printer ${ids[1]}`]) expect(await findIds(q)).toEqual([ids[1]]);
  });

  it('finds an incident only by its current text', async () => {
    const { category, ids } = await createIncidents([{ short_description: 'first wording' }]);
    await agent.patch(`/incidents/${ids[0]}`, { short_description: 'another sentence' });
    expect((await list({ category, q: 'sentence' })).ids).toEqual(ids);
    expect((await list({ category, q: 'wording' })).ids).toEqual([]);
  });

  it('sorts by priority, P1 first when ascending, and by the last change', async () => {
    const { category, ids } = await createIncidents([{ priority: 'P2' }, { priority: 'P1' }, { priority: 'P4' }]);
    const sortIds = async (sort: string, order: string) => (await list({ category, sort, order })).ids;
    expect(await sortIds('priority', 'asc')).toEqual([ids[1], ids[0], ids[2]]);
    expect(await sortIds('priority', 'desc')).toEqual([ids[2], ids[0], ids[1]]);
    await agent.patch(`/incidents/${ids[0]}`, { subcategory: 'touched' });
    expect(await sortIds('updated_at', 'desc')).toEqual([ids[0], ids[2], ids[1]]);
    expect(await sortIds('created_at', 'asc')).toEqual(ids);
  });

  it('breaks ties of the priority by the time of the breach, then by id, in the direction of the order', async () => {
    const { category, ids } = await createIncidents([{}, {}, {}]);
    expect((await list({ category, sort: 'priority', order: 'asc' })).ids).toEqual(ids);
    expect((await list({ category, sort: 'priority', order: 'desc' })).ids).toEqual(ids.toReversed());
    for (const state of ['in_progress', 'on_hold']) {
      for (const id of ids) await agent.patch(`/incidents/${id}`, { state });
    }
    expect((await list({ category, sort: 'priority', order: 'asc' })).ids).toEqual([...ids].sort());
    expect((await list({ category, sort: 'priority', order: 'desc' })).ids).toEqual([...ids].sort().reverse());
  });

  it('walks cursors and pages to the same records', async () => {
    const { category, ids } = await createIncidents(Array.from({ length: 7 }, () => ({})));
    const walked: string[] = [];
    let cursor: string | undefined;
    for (const expected of [3, 3, 1]) {
      const page = await list({ category, limit: 3, order: 'asc', ...(cursor && { cursor }) });
      expect([page.ids.length, page.total]).toEqual([expected, 7]);
      walked.push(...page.ids);
      cursor = page.next_cursor;
    }
    expect([walked, cursor]).toEqual([ids, undefined]);
    const second = await list({ category, limit: 3, order: 'asc', page: 2 });
    expect(second.ids).toEqual(ids.slice(3, 6));
    expect((await list({ category, limit: 3, order: 'asc', cursor: second.next_cursor })).ids).toEqual(ids.slice(6));
    expect(await list({ category, limit: 3, page: 4 })).toMatchObject({ ids: [], total: 7 });
  });

  it('continues after a record that was changed or deleted in between', async () => {
    const { category, ids } = await createIncidents([{}, {}, {}, {}]);
    const { next_cursor } = await list({ category, limit: 2, order: 'asc' });
    await manager.delete(`/incidents/${ids[1]}`);
    expect((await list({ category, limit: 2, order: 'asc', cursor: next_cursor })).ids).toEqual(ids.slice(2));
  });

  it('returns 25 records by default and up to 200', async () => {
    const { category } = await createIncidents(Array.from({ length: 26 }, () => ({})));
    expect((await list({ category })).ids).toHaveLength(25);
    expect((await list({ category, limit: 200 })).ids).toHaveLength(26);
    expect((await list({ category, limit: 1 })).ids).toHaveLength(1);
  });

  it.each([
    ['limit=0', ['limit']],
    ['limit=201', ['limit']],
    ['limit=abc', ['limit']],
    ['limit=2.5', ['limit']],
    ['page=0', ['page']],
    ['state=open', ['state']],
    ['state=new,open', ['state']],
    ['state=', ['state']],
    ['priority=P5', ['priority']],
    ['sort=id', ['sort']],
    ['order=up', ['order']],
    ['created_after=yesterday', ['created_after']],
    ['created_before=2026-13-01', ['created_before']],
    ['q=', ['q']],
    ['q=%21%3F', ['q']],
    ['status=new', ['status']],
    ['limit=5&limit=6', ['limit']],
    ['cursor=abc', ['cursor']],
    ['limit=0&state=x&foo=1&created_after=no', ['limit', 'state', 'foo', 'created_after']],
    ['limit=0&q=!&page=1&cursor=x', ['limit', 'q', 'page']],
  ])('rejects %s and lists all problems', async (query, fields) => {
    const response = await viewer.get(`/incidents?${query}`);
    expectProblem(response, 400, 'invalid_input');
    const named = response.body.errors.map(({ field }: { field: string }) => field);
    expect([...named].sort()).toEqual([...fields].sort());
  });

  it('rejects cursor and page together', async () => {
    const { category } = await createIncidents([{}, {}]);
    const { next_cursor } = await list({ category, limit: 1 });
    expectProblem(
      await viewer.get(`/incidents?category=${category}&limit=1&page=1&cursor=${next_cursor}`),
      400,
      'invalid_input',
    );
  });

  it('rejects a modified cursor and a cursor of another list', async () => {
    const { category } = await createIncidents([{}, {}, {}]);
    const { next_cursor: cursor } = await list({ category, limit: 1 });
    const altered = cursor.slice(0, -2) + (cursor.endsWith('AA') ? 'BB' : 'AA');
    const tries = [
      `category=${category}&cursor=${altered}`,
      `category=${category}x&cursor=${cursor}`,
      `cursor=${cursor}`,
      `category=${category}&order=asc&cursor=${cursor}`,
      `category=${category}&sort=priority&cursor=${cursor}`,
      `category=${category}&q=mail&cursor=${cursor}`,
      `category=${category}&cursor=${cursor}%3D`,
    ];
    for (const query of tries) {
      const response = await viewer.get(`/incidents?${query}`);
      expectProblem(response, 400, 'invalid_input');
      expect(response.body.errors).toMatchObject([{ field: 'cursor' }]);
    }
    expect((await list({ category, limit: 2, cursor })).ids).toHaveLength(2);
  });

  it('ends a page early if the response is too large, and continues with the next record', async () => {
    const description = '\u{1F525}'.repeat(32_000);
    const { category, ids } = await createIncidents(Array.from({ length: 45 }, () => ({ description })));
    const first = await list({ category, limit: 200, order: 'asc' });
    expect(first.ids.length).toBeGreaterThan(20);
    expect(first.ids.length).toBeLessThan(45);
    const rest = await list({ category, limit: 200, order: 'asc', cursor: first.next_cursor });
    expect([...first.ids, ...rest.ids]).toEqual(ids);
    expect(rest).not.toHaveProperty('next_cursor');
    const numbered = await list({ category, limit: 200, order: 'asc', page: 1 });
    expect(numbered).toMatchObject({ ids: first.ids, total: 45, next_cursor: first.next_cursor });
  });

  it('requires a token and a role', async () => {
    expectProblem(await call(service, '/v1/incidents'), 401, 'unauthorized');
    const token = await signIn(service, await createPerson(service, 'nobody-lists@example.com'));
    expectProblem(await call(service, '/v1/incidents', { token }), 403, 'forbidden');
  });

  it('takes one query per shard, and one read for uncached records', async () => {
    const { category } = await createIncidents([{}]);
    await list({ category });
    await service.advance('10s');
    const again = await countCalls(service, 'list-incidents', () => list({ category }));
    expect(again).toEqual({ 'dynamodb.Query': 4 });
    await anIncident(agent, { category });
    await service.advance('10s');
    const more = await countCalls(service, 'list-incidents', () => list({ category }));
    expect(more).toEqual({ 'dynamodb.Query': 4, 'dynamodb.BatchGetItem': 1 });
  });

  it('shows changed fields, notes and deletions on a cached page', async () => {
    const { body } = await anIncident(agent, { category: 'shown again' });
    const loadPage = async () => (await list({ category: 'shown again' })).data;
    expect(await loadPage()).toMatchObject([{ subcategory: null, work_notes_count: 0 }]);
    await agent.patch(`/incidents/${body.id}`, { subcategory: 'b' });
    expect(await loadPage()).toMatchObject([{ subcategory: 'b', work_notes_count: 0 }]);
    await agent.post(`/incidents/${body.id}/notes`, { body: 'one' });
    await agent.post(`/incidents/${body.id}/notes`, { body: 'two', visibility: 'private' });
    expect(await loadPage()).toMatchObject([{ work_notes_count: 2 }]);
    await agent.patch(`/incidents/${body.id}`, { work_note: 'three' });
    expect(await loadPage()).toMatchObject([{ work_notes_count: 3 }]);
  });
});
