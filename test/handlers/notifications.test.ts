import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { buildNotificationWrite } from '../../lambdas/notifications/notification.ts';
import type { Item } from '../../lambdas/records/items.ts';
import { expectAccess } from '../support/access.ts';
import { becomes } from '../support/becomes.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, createApi, getApi, startTestService } from '../support/incidents.ts';

import { createPerson, signIn } from '../support/people.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';

let agent: Api;
let viewer: Api;
let manager: Api;
const { service } = await startTestService();
// Tokens live for an hour, and one of these tests moves the clock by more.
beforeEach(async () => {
  [agent, viewer, manager] = await Promise.all([
    getApi(service, 'agent'),
    getApi(service, 'viewer'),
    getApi(service, 'manager'),
  ]);
});

const path = '/notifications';

/** Notifications are written from the stream. */
async function createNotified(group: string, fields: object = {}): Promise<string> {
  const { body } = await anIncident(agent, { assignment_group: group, notify_stakeholders: true, ...fields });
  await service.advance('1ms', []);
  return body.id;
}

async function follow(api: Api, ...groups: string[]): Promise<void> {
  expect(await api.patch(`${path}/settings`, { groups })).toMatchObject({ status: 200, body: { groups } });
}

const emails = {
  agent: 'agent@clients.incidents.localhost',
  manager: 'manager@clients.incidents.localhost',
  viewer: 'viewer@clients.incidents.localhost',
};

interface Told {
  id: string;
  event: string;
  incident_id: string;
  record_id: string;
  read: boolean;
  done?: boolean;
  created_at: string;
}

async function loadInbox(api: Api, query = ''): Promise<{ data: Told[]; total: number; unread: number }> {
  const response = await api.get(`${path}?${query}`);
  expect(response.status).toBe(200);
  return response.body;
}

describe('notifications', () => {
  it('come only from the groups that a person follows', async () => {
    expect((await viewer.get(`${path}/settings`)).body).toEqual({ groups: [] });
    const incident = await createNotified('north');
    await createNotified('south');
    expect((await loadInbox(viewer)).total).toBe(0);
    await follow(viewer, 'north');
    expect(await loadInbox(viewer)).toMatchObject({
      data: [{ incident_id: incident, read: false }],
      total: 1,
      unread: 1,
    });
    await follow(viewer);
    expect((await loadInbox(viewer)).total).toBe(0);
  });

  it('do not quote a deleted incident to callers who may not read it', async () => {
    await Promise.all([follow(viewer, 'hush'), follow(manager, 'hush')]);
    const incident = await createNotified('hush', { short_description: 'Salary list' });
    const [before] = (await loadInbox(viewer)).data;
    expect(before).toMatchObject({ incident_id: incident, short_description: 'Salary list' });
    await manager.delete(`/incidents/${incident}`);
    await service.advance('1ms', []);
    const [after] = (await loadInbox(viewer)).data;
    const { short_description: _, priority: __, ...rest } = before as Told & Record<string, unknown>;
    const withheld = { ...rest, withheld: 'record_deleted' };
    expect(after).toEqual({ ...withheld, done: true });
    expect((await viewer.post(`${path}/${after!.id}/read`, undefined)).body).toEqual({ ...withheld, read: true });
    expect((await loadInbox(manager)).data[0]).toMatchObject({ short_description: 'Salary list' });
    await Promise.all([follow(viewer), follow(manager)]);
  });

  it('are marked as read for each reader separately', async () => {
    await Promise.all([follow(viewer, 'east'), follow(agent, 'east')]);
    const incidents = [await createNotified('east'), await createNotified('east')];
    const [newest] = (await loadInbox(viewer)).data;
    const response = await viewer.post(`${path}/${newest!.id}/read`, undefined);
    expect(response).toMatchObject({ status: 200, body: { ...newest, read: true } });
    expect((await viewer.post(`${path}/${newest!.id}/read`, undefined)).status).toBe(200);
    expect(await loadInbox(viewer)).toMatchObject({ data: [{ read: true }, { read: false }], total: 2, unread: 1 });
    expect(await loadInbox(viewer, 'unread=true')).toMatchObject({ data: [{ incident_id: incidents[0] }], total: 1 });
    expect(await loadInbox(agent)).toMatchObject({ total: 2, unread: 2 });
    expect((await loadInbox(viewer, 'group=east')).unread).toBe(1);
  });

  it('are all marked as read up to the last one seen', async () => {
    await follow(viewer, 'west');
    await createNotified('west');
    const [seen] = (await loadInbox(viewer)).data;
    await createNotified('west');
    const { body } = await viewer.post(`${path}/read`, { until: seen!.created_at });
    expect(body).toEqual({ read_until: seen!.created_at, unread: 1 });
    // An earlier time does not mark notifications as unread.
    expect((await viewer.post(`${path}/read`, { until: '2020-01-01' })).body.read_until).toBe(seen!.created_at);
    expect((await viewer.post(`${path}/read`, {})).body.unread).toBe(0);
    expect(await loadInbox(viewer)).toMatchObject({ total: 2, unread: 0 });
  });

  it('are listed once across pages', async () => {
    await follow(viewer, 'pages');
    for (let made = 0; made < 3; made++) await createNotified('pages');
    const first = (await viewer.get(`${path}?limit=2`)).body;
    const second = (await viewer.get(`${path}?limit=2&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...second.data].map(({ id }: Told) => id);
    expect([new Set(ids).size, first.total, second.next_cursor]).toEqual([3, 3, undefined]);
    expectProblem(await viewer.get(`${path}?unread=true&cursor=${first.next_cursor}`), 400, 'invalid_input');
  });

  it('notify the group and the assignee once of each warning and breach', async () => {
    await follow(manager, 'late');
    const email = 'manager@clients.incidents.localhost';
    const { body } = await anIncident(agent, { priority: 'P1', assignment_group: 'late', assigned_to: email });
    await service.advanceThenRun(182, ['sweep-sla']);
    manager = await getApi(service, 'manager');
    expect(await loadInbox(manager)).toMatchObject({
      data: [{ event: 'sla.breach_warning', incident_id: body.id }, { event: 'incident.assigned' }],
      total: 2,
    });
    await service.advanceThenRun(60, ['sweep-sla']);
    manager = await getApi(service, 'manager');
    const { data } = await loadInbox(manager);
    expect(data.map(({ event }) => event)).toEqual(['sla.breached', 'sla.breach_warning', 'incident.assigned']);
    expect((await loadInbox(manager, 'group=late')).total).toBe(2);
    const agentAgain = await getApi(service, 'agent');
    for (const state of ['in_progress', 'resolved']) await agentAgain.patch(`/incidents/${body.id}`, { state });
    await becomes(async () => (await loadInbox(manager)).unread, 0);
    expect((await loadInbox(manager)).data).toMatchObject(Array(3).fill({ done: true, read: false }));
    expect((await loadInbox(manager, 'unread=true')).total).toBe(0);
  });

  it('notify an assignee until the incident is reassigned', async () => {
    const { body } = await anIncident(agent, { short_description: 'Printer', assigned_to: emails.manager });
    const listMine = async () => (await loadInbox(manager)).data.filter(({ incident_id }) => incident_id === body.id);
    await becomes(async () => (await listMine()).length, 1);
    const about = { event: 'incident.assigned', by: emails.agent, short_description: 'Printer', read: false };
    expect(await listMine()).toMatchObject([about]);
    await manager.patch(`/incidents/${body.id}`, { priority: 'P2' });
    await manager.patch(`/incidents/${body.id}`, { assigned_to: emails.agent });
    await becomes(async () => (await listMine())[0]?.done, true);
    expect(await listMine()).toHaveLength(1);
  });

  it('are created for notes on own incidents and mentions, but not for own or private notes', async () => {
    const { body } = await anIncident(agent, { assigned_to: emails.manager });
    const notes = `/incidents/${body.id}/notes`;
    const listAbout = async (api: Api) =>
      (await loadInbox(api)).data.filter(
        ({ incident_id, event }) => incident_id === body.id && event.startsWith('note.'),
      );
    await agent.post(notes, { body: `Please look, @${emails.viewer}. Also (@nobody@example.com)` });
    await agent.post(notes, { body: `Secret for @${emails.viewer}`, visibility: 'private' });
    await manager.patch(`/incidents/${body.id}`, { work_note: 'Looking.' });
    await becomes(async () => [(await listAbout(manager)).length, (await listAbout(agent)).length], [1, 1]);
    expect(await listAbout(manager)).toMatchObject([{ event: 'note.added', by: emails.agent }]);
    expect(await listAbout(agent)).toMatchObject([{ event: 'note.added', by: emails.manager, excerpt: 'Looking.' }]);
    expect(await listAbout(viewer)).toMatchObject([
      { event: 'note.mentioned', short_description: 'Mail is not delivered' },
    ]);
    expect(await service.published()).not.toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('Looking.') }),
    );
  });

  it('ignore mentions that are longer than an address can be, and continue', async () => {
    const { body } = await anIncident(agent);
    const note = `@${'a'.repeat(3_000)}@b.co @${emails.viewer} says \uffff`;
    expect((await agent.post(`/incidents/${body.id}/notes`, { body: note })).status).toBe(201);
    const { body: next } = await anIncident(manager, { assigned_to: emails.viewer });
    const findNew = async (id: string) =>
      (await loadInbox(viewer)).data.filter(({ incident_id }) => incident_id === id);
    await becomes(async () => (await findNew(next.id)).length, 1);
    expect(await findNew(body.id)).toMatchObject([{ event: 'note.mentioned' }]);
  });

  it('reach people with capitals in their address, also those of earlier releases, once', async () => {
    const email = 'Grace.Hopper@Example.com';
    const person = await createPerson(service, email, 'itsm_agent');
    const grace = createApi(service, await signIn(service, person));
    const { body } = await anIncident(agent, { assigned_to: email });
    await agent.post(`/incidents/${body.id}/notes`, { body: `Look, @grace.hopper@example.com and @${email}` });
    const listAbout = async () =>
      (await loadInbox(grace)).data.filter(({ incident_id }) => incident_id === body.id).map(({ event }) => event);
    await becomes(listAbout, ['note.mentioned', 'incident.assigned']);
    // Release 0.1.0 stored notifications under the address as it was typed.
    const client = createTableClient(service);
    const given = { id: 'old', event: 'incident.assigned', incident_id: body.id, created_at: body.created_at };
    const write = buildNotificationWrite({ kind: 'user', name: email }, given, 'personal notification');
    const { Item } = (write as { put: { Item: Item } }).put;
    const TableName = await findRecordsTable(client);
    await client.send(new PutItemCommand({ TableName, Item: { ...Item, pk: { S: `notification#user#${email}` } } }));
    expect(await listAbout()).toEqual(['note.mentioned', 'incident.assigned', 'incident.assigned']);
    const unread = (await loadInbox(grace)).data.at(-1)!;
    expect((await grace.post(`${path}/${unread.id}/read`, undefined)).status).toBe(200);
    await agent.patch(`/incidents/${body.id}`, { assigned_to: emails.agent });
    await becomes(async () => (await loadInbox(grace)).data.filter(({ done }) => done).length, 2);
    client.destroy();
  });

  it('are created for pending approvals, and for the decision', async () => {
    const { body } = await agent.post('/changes', { short_description: 'New switch', state: 'submitted' });
    const listAbout = async (api: Api) => (await loadInbox(api)).data.filter(({ record_id }) => record_id === body.id);
    await service.advance('1ms', []);
    expect(await listAbout(manager)).toMatchObject([{ event: 'change.submitted' }]);
    expect((await manager.post(`/changes/${body.id}/approve`, { note: 'Go' })).status).toBe(200);
    await becomes(async () => (await listAbout(agent)).length, 1);
    expect(await listAbout(agent)).toMatchObject([
      { event: 'change.approved', by: emails.manager, decision_note: 'Go' },
    ]);
    expect(await listAbout(manager)).toMatchObject([{ event: 'change.submitted', done: true }]);
  });

  it('omit topics that a person turned off', async () => {
    const { body } = await anIncident(manager, { assigned_to: emails.viewer });
    const listMine = async () =>
      (await loadInbox(viewer)).data.filter(({ incident_id }) => incident_id === body.id).length;
    await becomes(listMine, 1);
    await viewer.patch('/me/preferences', { notifications: { assignments: false } });
    expect(await listMine()).toBe(0);
    await viewer.patch('/me/preferences', { notifications: { assignments: true } });
    expect(await listMine()).toBe(1);
  });

  it('of other people return 404', async () => {
    await follow(agent, 'secret');
    await createNotified('secret');
    const [theirs] = (await loadInbox(agent)).data;
    for (const id of [theirs!.id, `ntf_${'0'.repeat(26)}`, `ntf_${'Z'.repeat(26)}`, 'nonsense']) {
      expectProblem(await viewer.post(`${path}/${id}/read`, undefined), 404, 'not_found');
    }
  });

  it('reject invalid input and list all problems', async () => {
    const settings = await viewer.patch(`${path}/settings`, { groups: ['a', 'a'], sound: true });
    expectProblem(settings, 400, 'invalid_input', ['groups', 'sound']);
    expectProblem(await viewer.post(`${path}/read`, { until: 'yesterday' }), 400, 'invalid_input');
    expectProblem(await viewer.get(`${path}?unread=maybe`), 400, 'invalid_input');
  });

  it('require a token', async () => {
    await expectAccess(service, [
      ['GET', path],
      ['POST', `${path}/read`, {}],
      ['POST', `${path}/ntf_${'0'.repeat(26)}/read`],
      ['GET', `${path}/settings`],
      ['PATCH', `${path}/settings`, { groups: [] }],
    ]);
  });
});
