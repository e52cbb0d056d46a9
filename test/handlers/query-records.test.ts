import { expectProblem } from '../support/http.ts';
import { anIncident, getApi, startTestService } from '../support/incidents.ts';

const started = await startTestService('agent', 'viewer');
const { service } = started;
let { agent, viewer } = started;

describe('queryRecords', () => {
  it('looks up records with read-only tools, and returns the calls', async () => {
    const { body: incident } = await anIncident(agent, { short_description: 'Core switch is down', priority: 'P1' });
    const { status, body, headers } = await viewer.post('/ai/query', { query: 'Which P1 incidents are new?' });
    expect(status).toBe(200);
    expect(body.answer).toContain(incident.id);
    expect(body.records).toContainEqual({ type: 'incident', id: incident.id, title: 'Core switch is down' });
    expect(body.tools_used[0]).toMatchObject({ name: 'search', input: { kind: 'incidents' } });
    expect(body).toMatchObject({ conversation_id: expect.stringMatching(/^conv_/), model_used: expect.any(String) });
    expect(headers.get('x-ratelimit-limit')).toBe('30');
    const next = await viewer.post('/ai/query', { question: 'And P2?', conversation_id: body.conversation_id });
    expect(next.body.conversation_id).toBe(body.conversation_id);
    const foreign = await agent.post('/ai/query', { query: 'And?', conversation_id: body.conversation_id });
    expectProblem(foreign, 404, 'not_found');
  });

  it('finds exactly the open P1 incidents of the network team since Monday', async () => {
    const fields = { assignment_group: 'network', category: 'hardware', priority: 'P1' };
    const wanted: string[] = [];
    for (const number of [1, 2]) {
      const short_description = `Router ${number} restarts`;
      wanted.push((await anIncident(agent, { ...fields, short_description })).body.id);
    }
    await anIncident(agent, { ...fields, priority: 'P2', short_description: 'Router 3 is warm' });
    const other = { ...fields, assignment_group: 'service desk', category: 'network' };
    await anIncident(agent, { ...other, short_description: 'The network team does not pick up the phone' });
    const { body: gone } = await anIncident(agent, { ...fields, short_description: 'Router 4 restarts' });
    await agent.patch(`/incidents/${gone.id}`, { state: 'cancelled' });
    const query = 'open P1 incidents of the network team since Monday';
    const { body } = await viewer.post('/ai/query', { query });
    expect(body.records.map(({ id }: { id: string }) => id).sort()).toEqual(wanted.sort());
    expect(body.answer).toMatch(/^2 open P1 incidents of the network team created since \d{4}-\d\d-\d\d:/);
    const [path] = body.lists;
    const { body: list } = await viewer.get(path);
    expect(list.data.map(({ id }: { id: string }) => id).sort()).toEqual(wanted.sort());
    expect(body.tools_used).toHaveLength(1);
    expect(new Date(body.tools_used[0].input.created_after).getUTCDay()).toBe(0);
    const before = await viewer.post('/ai/query', { query: query.replace('since', 'before') });
    expect(before.body).toMatchObject({
      records: [],
      answer: expect.stringMatching(
        /^No open P1 incidents of the network team created before .*2 without the filter for the created time/s,
      ),
    });
    const grouped = await viewer.post('/ai/query', { query: 'How many P1 incidents of the network team by state?' });
    expect(grouped.body.answer).toMatch(
      /^Highest: \*\*new\*\* with \*\*2\*\* incidents\.\n\n\*\*3\*\* P1 incidents of the network team\.\n\n.*\| new \| 2 \|\n\| cancelled \| 1 \|$/s,
    );
    const { body: figures } = await viewer.get(grouped.body.lists[0]);
    expect(figures).toMatchObject({ count: 3, groups: [{ count: 2 }, { count: 1 }] });
    const top = await viewer.post('/ai/query', { query: 'top 2 teams by number of incidents' });
    expect(top.body.answer).toMatch(/(\n\| [a-z ]+ \| \d+ \|){2}/);
    const latest = await viewer.post('/ai/query', { query: 'the 2 oldest P1 incidents of the network team' });
    expect(latest.body.answer).toMatch(/^2 of 3 P1 incidents of the network team, oldest first:/);
    const week = await viewer.post('/ai/query', { query: 'P2 incidents of the network team last week' });
    expect(week.body.answer).toMatch(
      /^No P2 incidents of the network team created from (.*) to (.*)\.\nThere are more .*: 1 without the filter for the created time\.$/,
    );
    const nobody = await viewer.post('/ai/query', { query: 'unassigned P2 incidents of the network team' });
    expect(nobody.body.answer).toMatch(/^1 unassigned P2 incident of the network team:/);
  });

  it('lists problems and known errors, and shows one', async () => {
    const create = async (fields: object) => (await agent.post('/problems', fields)).body.id;
    const leak = await create({
      short_description: 'Memory leak in the proxy',
      priority: 'P1',
      known_error: true,
      workaround: 'Restart the proxy every night.',
    });
    const loose = await create({ short_description: 'Loose cables in rack 4', assignment_group: 'network' });
    const ask = async (query: string) => (await viewer.post('/ai/query', { query })).body;
    const listIds = ({ records }: { records: { id: string }[] }) => records.map(({ id }) => id).sort();
    const open = await ask('Show all open problems');
    expect(listIds(open)).toEqual([leak, loose].sort());
    expect(open.tools_used[0]).toMatchObject({ name: 'search', input: { kind: 'problems' } });
    expect(listIds(await ask('Which known errors do we have?'))).toEqual([leak]);
    expect(listIds(await ask('open problems of the network team'))).toEqual([loose]);
    expect((await ask(`What is the workaround of ${leak}?`)).answer).toContain('Restart the proxy every night.');
    expect((await ask('Any problems with the printer?')).tools_used[0]?.input.kind).not.toBe('problems');
  });

  it('understands the caller, SLA clocks and item names', async () => {
    const { body: me } = await agent.get('/me');
    const { body: mine } = await anIncident(agent, { short_description: 'Docking station', assigned_to: me.email });
    const query = async (query: string) => (await agent.post('/ai/query', { query })).body;
    expect(listIds(await query('my open incidents'))).toEqual([mine.id]);
    const reported = await query('incidents I reported');
    const { body: opened } = await agent.get(reported.lists[0]);
    expect(reported.lists).toEqual([`/incidents?opened_by=${me.email}`]);
    expect(reported.answer).toMatch(new RegExp(`^${opened.total} incidents reported by you\\b`));
    const { body: item } = await agent.post('/cmdb/cis', { name: 'vpn-gateway-1', class: 'gateway' });
    const tunnel = { short_description: 'Tunnel drops', ci_id: item.id, priority: 'P1' };
    const { body: about } = await anIncident(agent, tunnel);
    const ofItem = await query('incidents on vpn-gateway-1');
    expect(listIds(ofItem)).toEqual([about.id]);
    expect(ofItem.lists).toEqual([`/incidents?ci_id=${item.id}`]);
    expect(listIds(await query(`open incidents of ${item.id}`))).toEqual([about.id]);
    expect((await query('Which incidents breached their SLA?')).answer).toMatch(
      /^No incidents that breached their SLA\.$/m,
    );
    await service.advanceThenRun(300, ['sweep-sla']);
    // Tokens have expired meanwhile.
    [agent, viewer] = await Promise.all([getApi(service, 'agent'), getApi(service, 'viewer')]);
    const breached = await query('Which incidents breached their SLA?');
    expect(listIds(breached)).toContain(about.id);
    const { body: list } = await agent.get(breached.lists[0]);
    expect(list.data.map(({ id }: { id: string }) => id)).toEqual(listIds(breached));
  });

  it('finds an item by its description, and lists the items when several fit', async () => {
    const query = async (query: string) => (await agent.post('/ai/query', { query })).body;
    const { body: database } = await agent.post('/cmdb/cis', { name: 'erp-db-1', class: 'database' });
    const relations = [{ type: 'depends_on', ci_id: database.id }];
    const { body: app } = await agent.post('/cmdb/cis', { name: 'erp-app', class: 'application', relations });
    const dependents = await query('what depends on the main database?');
    expect(dependents.records).toEqual([expect.objectContaining({ id: app.id })]);
    expect(dependents.lists).toEqual([`/cmdb/cis?depends_on=${database.id}&transitive=true`]);
    const { body: other } = await agent.post('/cmdb/cis', { name: 'crm-db-1', class: 'database' });
    const candidates = await query('what depends on the main database?');
    expect(candidates.answer).toMatch(
      /^I did not understand: no configuration item is called "main database"; it could be (erp|crm)-db-1, (erp|crm)-db-1\.\n2 configuration items:/,
    );
    expect(listIds(candidates).sort()).toEqual([database.id, other.id].sort());
    const none = await query('what depends on the flux capacitor?');
    expect(none.answer).toMatch(
      /^I did not understand: no configuration item is called "flux capacitor"\.\nNo configuration items that depend on flux capacitor\./,
    );
    expect(none).toMatchObject({ records: [], lists: [] });
  });

  it('knows reporters by the people of other records, classes in the plural, and places by their part', async () => {
    const query = async (query: string) => (await agent.post('/ai/query', { query })).body;
    await agent.post('/requests', {
      short_description: 'Badge',
      item: 'badge',
      requested_for: 'grace.mensah@example.com',
    });
    expect((await query('tickets reported by Grace Mensah')).lists).toEqual([
      '/incidents?opened_by=grace.mensah@example.com',
    ]);
    const create = async (name: string, location: string) =>
      (await agent.post('/cmdb/cis', { name, class: 'load balancer', location, owner: 'web platform' })).body.id;
    const ids = [await create('lb-1', 'Lisbon'), await create('lb-2', 'Lisbon, floor 2')];
    const { body: about } = await anIncident(agent, { short_description: 'Pool is empty', ci_id: ids[1] });
    expect(listIds(await query('incidents on the load balancers'))).toEqual([about.id]);
    expect(listIds(await query('configuration items in Lisbon')).sort()).toEqual([...ids].sort());
    expect((await query('who owns lb-1?')).answer).toMatch(/owner: web platform/);
  });

  it.each([
    'tickets without a category',
    'unassigned tickets',
    'incidents updated today',
    'incidents on vpn-gateway-1',
    'tickets I opened today',
  ])('links a list with the same records for "%s"', async (query) => {
    const { body } = await agent.post('/ai/query', { query });
    const { body: list } = await agent.get(body.lists[0]);
    expect(list.total).toBeGreaterThan(0);
    expect(body.answer).toMatch(new RegExp(`^${list.total} .*incidents?\\b`));
  });

  it('finds changes that need approval', async () => {
    const fields = { short_description: 'Replace the core switch', type: 'normal', risk: 'high', state: 'submitted' };
    const planned = { planned_start: '2027-03-07T20:00:00Z', planned_end: '2027-03-07T22:00:00Z' };
    const { status, body: change } = await agent.post('/changes', { ...fields, ...planned });
    expect(status).toBe(201);
    const { body } = await agent.post('/ai/query', { query: 'changes waiting for approval' });
    expect(body.records).toEqual([expect.objectContaining({ type: 'change', id: change.id })]);
    expect(body.lists).toEqual(['/changes?state=submitted']);
  });

  it('names words that it did not understand instead of a wrong "none"', async () => {
    const query = async (query: string) => (await viewer.post('/ai/query', { query })).body.answer;
    expect(await query('incidents of the netwrk team')).toMatch(/^4 incidents of the network team, 3 of them open:/);
    expect(await query('incidents of the zebra team')).toMatch(
      /^I did not understand: no team is called "zebra"\.\nWithout that, there are \d+ incidents\.$/,
    );
    expect(await query('incidents of my team')).toMatch(
      /^I did not understand: your team is not known, because no incident is assigned to you\.\nWithout that, there are \d+ incidents\.$/,
    );
    expect(await query('is mail-relay-9 up?')).toMatch(
      /^I did not understand: no configuration item is called "mail-relay-9"; searched for its words instead\.\nNo configuration items mentioning "mail-relay-9"\./,
    );
    expect(await query('incidents on mail-relay-9')).toMatch(/no configuration item is called "mail-relay-9"/);
    expect(await query('open incidents with flibber')).toMatch(
      /^I did not understand "(?:with )?flibber"\.\n\n\d+ open incidents:/,
    );
    expect(await query('P4 incidents of the network team')).toMatch(
      /^No P4 incidents of the network team\.\n.*4 without the filter for the priority/,
    );
  });

  it('answers a greeting and a long text with what it can do', async () => {
    for (const query of ['good morning', 'blah '.repeat(400)]) {
      const { body } = await viewer.post('/ai/query', { query });
      expect(body.answer).toMatch(/I can look up and count incidents/);
      expect(body).toMatchObject({ records: [], citations: [], lists: [] });
    }
  });

  it('leads with the requested field, computes figures and compares, and links the same figures', async () => {
    const query = async (query: string) => (await agent.post('/ai/query', { query })).body;
    const { body: me } = await agent.get('/me');
    const { body: incident } = await anIncident(agent, { short_description: 'Tape is full', priority: 'P3' });
    expect((await query(`who is assigned to ${incident.id}?`)).answer).toMatch(
      /^Incident INC\w+ is assigned to nobody\b/,
    );
    await agent.post(`/incidents/${incident.id}/notes`, { body: 'Ordered new tapes.', visibility: 'team' });
    await agent.patch(`/incidents/${incident.id}`, { state: 'in_progress', assigned_to: me.email });
    await agent.patch(`/incidents/${incident.id}`, { state: 'resolved', resolution: 'New tapes.' });
    expect((await query(`who resolved ${incident.id}?`)).answer).toContain(`was resolved by **${me.email}**`);
    expect((await query(`work notes of ${incident.id}`)).answer).toContain('Ordered new tapes.');
    expect((await query(`history of ${incident.id}`)).answer).toContain('state new → in progress');
    const mean = await query('mean time to resolve P3 incidents');
    expect(mean.answer).toMatch(/^Mean time to resolve: \*\*/);
    expect((await agent.get(mean.lists[0])).body.resolved).toBeGreaterThan(0);
    const compared = await query('P1 vs P3 incidents, how many');
    expect(compared.answer).toMatch(/\*\*\d+\*\* P1, \*\*\d+\*\* P3 \(difference/);
    expect((await agent.get(compared.lists[0])).body.difference).toHaveProperty('count');
    expect((await query(`close ${incident.id}`)).answer).toContain('nothing was changed');
    expect((await query('are any webhooks failing?')).answer).toBe(
      'Only managers can see webhooks and their deliveries.',
    );
  });

  it('answers a repeated question from the cache until a record changes', async () => {
    const query = async () => (await viewer.post('/ai/query', { query: 'How many P4 incidents are there?' })).body;
    const first = await query();
    expect(first.cache_hit).toBe(false);
    expect(await query()).toMatchObject({ answer: first.answer, cache_hit: true, tokens_used: 0 });
    await anIncident(agent, { priority: 'P4' });
    const changed = await query();
    expect(changed.cache_hit).toBe(false);
    expect(changed.answer).not.toBe(first.answer);
  });

  it('counts records', async () => {
    const { body: incident } = await anIncident(agent);
    await agent.patch(`/incidents/${incident.id}`, { state: 'in_progress' });
    await agent.patch(`/incidents/${incident.id}`, { state: 'resolved', resolution: 'Restarted it.' });
    const { body } = await viewer.post('/ai/query', { query: 'How many incidents are resolved?' });
    expect(body.answer).toMatch(/^2 resolved incidents\.$/);
  });

  it.each([{}, { query: 'a', question: 'b' }, { query: 'a', conversation_id: '1' }, { query: 'a', model: 'x' }])(
    'rejects %j',
    async (body) => {
      expectProblem(await viewer.post('/ai/query', body), 400, 'invalid_input');
    },
  );
});

function listIds({ records }: { records: { id: string }[] }): string[] {
  return records.map(({ id }) => id);
}
