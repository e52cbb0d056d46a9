import { createChangeBuilders } from '../support/changes.ts';
import { aCi } from '../support/cis.ts';
import { call, expectProblem } from '../support/http.ts';
import { alert, aWebhook, creation, send } from '../support/inbound-webhooks.ts';
import { anIncident, startTestService } from '../support/incidents.ts';
import { aPagingGroup, aPolicy, listPages, toPerson } from '../support/paging.ts';
import { createPerson } from '../support/people.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

const { aChange, ways } = createChangeBuilders({ agent, manager, viewer });
const ada = 'ada.maintenance@example.com';
await createPerson(service, ada, 'itsm_agent');
const group = await aPagingGroup(manager, await aPolicy(manager, [[toPerson(ada)]]));

let names = 0;

/** A server, and an application that runs on it. */
async function anApplication() {
  const { body: server } = await aCi(manager, { name: `server-${++names}` });
  const relations = [{ type: 'runs_on', ci_id: server.id }];
  const { body: app } = await aCi(manager, { name: `app-${names}`, class: 'application', relations });
  return { server: server.id as string, app: app.id as string };
}

async function receiveAlert(ciId: string): Promise<string> {
  const { body: webhook } = await aWebhook(manager, {
    field_mapping: { ...creation.field_mapping, assignment_group: group, ci_id: ciId },
  });
  const { body } = await send(service, webhook.id, alert());
  await service.advance('2s', []);
  return body.incident_id;
}

async function aRunningChange(fields: object): Promise<string> {
  const { id } = await aChange({ ...fields });
  await ways.implementing!(id);
  return id;
}

describe('an alert during a change', () => {
  it('pages nobody and names the change', async () => {
    const { app } = await anApplication();
    const change = await aRunningChange({ ci_ids: [app] });
    const incident = await receiveAlert(app);
    const [page] = await listPages(agent, incident);
    expect(page).toMatchObject({ state: 'held', held_by: change, people: [], messages: [] });
    const { body: notes } = await agent.get(`/incidents/${incident}/notes`);
    expect(notes.data[0].body).toContain(change);
    await service.advance('10m', ['sweep-pages']);
    expect(await listPages(agent, incident)).toEqual([page]);
  });

  it('pages nobody when the item depends on the changed one', async () => {
    const { app, server } = await anApplication();
    const change = await aRunningChange({ ci_ids: [server] });
    const [page] = await listPages(agent, await receiveAlert(app));
    expect(page).toMatchObject({ state: 'held', held_by: change });
    expect(page.log.at(-1).text).toContain(`${server}, which ${app} depends on`);
  });

  it('pages when the changed item depends on it, and when the change is not in progress', async () => {
    const { app, server } = await anApplication();
    await aRunningChange({ ci_ids: [app] });
    const { id: approved } = await aChange({ ci_ids: [server] });
    await ways.approved!(approved);
    const completed = await aRunningChange({ ci_ids: [server] });
    await agent.patch(`/changes/${completed}`, { state: 'completed' });
    const [page] = await listPages(agent, await receiveAlert(server));
    expect(page).toMatchObject({ state: 'paging', held_by: null, people: [{ person: ada }] });
  });

  it('pages when the change has the option off', async () => {
    const { app } = await anApplication();
    const change = await aRunningChange({ ci_ids: [app], suppress_pages: false });
    expect((await viewer.get(`/changes/${change}`)).body.suppress_pages).toBe(false);
    expect((await listPages(agent, await receiveAlert(app)))[0]).toMatchObject({ state: 'paging' });
  });

  it('pages when a person reports the incident', async () => {
    const { app } = await anApplication();
    await aRunningChange({ ci_ids: [app] });
    const { body } = await anIncident(agent, { priority: 'P1', assignment_group: group, ci_id: app });
    await service.advance('1s', []);
    expect((await listPages(agent, body.id))[0]).toMatchObject({ state: 'paging' });
  });
});

describe('getSuspectChanges', () => {
  it('ranks by time and distance, with the reason in words', async () => {
    const { app, server } = await anApplication();
    const onServer = await aRunningChange({ ci_ids: [server] });
    await agent.patch(`/changes/${onServer}`, { state: 'completed' });
    const onApp = await aRunningChange({ ci_ids: [app] });
    await agent.patch(`/changes/${onApp}`, { state: 'completed' });
    await service.advance('30m', []);
    const { body: incident } = await anIncident(agent, { ci_id: app });
    const later = await aRunningChange({ ci_ids: [app], planned_start: '2099-01-01T00:00:00Z' });
    const { status, body } = await viewer.get(`/incidents/${incident.id}/suspect-changes`);
    expect(status).toBe(200);
    expect(body.data.map(({ change }: { change: { id: string } }) => change.id)).toEqual([onApp, onServer]);
    expect(body.data[0]).toMatchObject({ ci_id: app, distance: 0, minutes_before: 30 });
    expect(body.data[0].reason).toBe(`It was completed on ${app}, the item of the incident, 30 minutes before.`);
    expect(body.data[1].reason).toContain(`${server}, which the item of the incident depends on (1 step away)`);
    expect(body.data[0].score).toBeGreaterThan(body.data[1].score);
    expect(later).toMatch(/^CHG/);
  });

  it('lists nothing without an item', async () => {
    const { body } = await anIncident(agent);
    expect((await viewer.get(`/incidents/${body.id}/suspect-changes`)).body).toEqual({ data: [], truncated: false });
    expectProblem(await viewer.get('/incidents/INC0000000/suspect-changes'), 404, 'not_found');
    expectProblem(await call(service, `/v1/incidents/${body.id}/suspect-changes`, {}), 401, 'unauthorized');
  });
});

describe('getPagingLoad', () => {
  it('counts each page once per person, by the evening of the night', async () => {
    const today = (await listPages(agent, (await anIncident(agent)).body.id)).length;
    expect(today).toBe(0);
    const { body: before } = await viewer.get('/on-call/load?from=2020-01-01&to=2020-01-31');
    expect(before).toEqual({ data: [], truncated: false });
    const { body: incident } = await anIncident(agent, { priority: 'P1', assignment_group: group });
    await service.advance('1s', []);
    const [page] = await listPages(agent, incident.id);
    const at = new Date(page.people[0].paged_at);
    const date = at.toISOString().slice(0, 10);
    const { body } = await viewer.get(`/on-call/load?from=${date}&to=${date}`);
    const load = body.data.find(({ person }: { person: string }) => person === ada);
    expect(load.pages).toBeGreaterThan(0);
    const isNight = at.getUTCHours() >= 22 || at.getUTCHours() < 7;
    expect(load.night_pages).toBe(isNight ? load.pages : 0);
  });

  it.each([
    ['no days', '', ['from', 'to']],
    ['days in the wrong order', '?from=2026-02-02&to=2026-02-01', ['to']],
    ['too many days', '?from=2026-01-01&to=2026-12-31', ['to']],
    ['an unknown time zone', '?from=2026-01-01&to=2026-01-02&time_zone=Mars/Olympus', ['time_zone']],
    ['no dates', '?from=yesterday&to=2026-02-30', ['from', 'to']],
  ])('rejects %s', async (_what, query, fields) => {
    const response = await viewer.get(`/on-call/load${query}`);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(fields);
  });

  it('needs a token', async () => {
    expectProblem(await call(service, '/v1/on-call/load?from=2026-01-01&to=2026-01-02', {}), 401, 'unauthorized');
  });
});
