import { expectProblem } from '../support/http.ts';
import { alert, aWebhook, send } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, anIncidentIn, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

// What a monitoring system and the people behind it live through.

let service: Service;
let manager: Api;
beforeAll(async () => {
  service = await startService();
  manager = await apiOf(service, 'manager');
});
afterAll(() => service.stop());
beforeEach(() => service.advance('2s'));

const incident = async (id: string) => (await manager.get(`/incidents/${id}`)).body;
const total = async () => (await manager.get('/incidents?limit=1')).body.total;
const keyed = { dedup_key: '{{alert.name}}@{{alert.host}}' };
const resolving = (scope: string, fields: object = {}) => ({
  action: 'resolve_incident',
  field_mapping: { resolution: '{{alert.summary}}', work_note: 'The alert is over.' },
  ...keyed,
  dedup_scope: scope,
  ...fields,
});

describe('alerts with a key', () => {
  it('make one incident, whatever comes at once', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const before = await total();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(service, webhook.id, alert({ host: 'at-once' }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(answers.filter(({ body }) => body.status === 'created')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.status === 'deduplicated')).toHaveLength(19);
    expect(new Set(answers.map(({ body }) => body.incident_id)).size).toBe(1);
    expect(await total()).toBe(before + 1);
  });

  it('update the open incident where they say something new, and leave what people changed', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const first = await send(service, webhook.id, alert({ severity: 'warning' }));
    const { incident_id: id } = first.body;
    await manager.patch(`/incidents/${id}`, { short_description: 'Written by a person', state: 'in_progress' });
    const second = await send(service, webhook.id, alert({ severity: 'critical' }));
    expect(second.body).toMatchObject({ status: 'updated', incident_id: id });
    expect(await incident(id)).toMatchObject({
      short_description: 'Written by a person',
      priority: 'P1',
      state: 'in_progress',
    });
    expect((await send(service, webhook.id, alert({ severity: 'critical' }))).body.status).toBe('deduplicated');
    await manager.patch(`/incidents/${id}`, { priority: 'P2' });
    expect((await send(service, webhook.id, alert({ severity: 'critical' }))).body.status).toBe('deduplicated');
    expect((await incident(id)).priority).toBe('P2');
  });

  it('open another incident once the one before is over or gone', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const first = (await send(service, webhook.id, alert())).body.incident_id;
    await manager.patch(`/incidents/${first}`, { state: 'in_progress' });
    await manager.patch(`/incidents/${first}`, { state: 'resolved' });
    const second = await send(service, webhook.id, alert());
    expect(second.body.status).toBe('created');
    expect(second.body.incident_id).not.toBe(first);
    await manager.delete(`/incidents/${second.body.incident_id}`);
    const third = await send(service, webhook.id, alert());
    expect(third.body.status).toBe('created');
    expect((await send(service, webhook.id, alert())).body).toMatchObject({
      status: 'deduplicated',
      incident_id: third.body.incident_id,
    });
  });

  it('are apart where webhooks, hosts or keys are', async () => {
    const [{ body: one }, { body: other }] = [await aWebhook(manager, keyed), await aWebhook(manager, keyed)];
    const answers = [
      await send(service, one.id, alert()),
      await send(service, other.id, alert()),
      await send(service, one.id, alert({ host: 'db-2' })),
    ];
    expect(answers.map(({ body }) => body.status)).toEqual(['created', 'created', 'created']);
  });

  it('are all new where the payload has no key', async () => {
    const { body: webhook } = await aWebhook(manager, { dedup_key: '{{fingerprint}}' });
    const answers = [await send(service, webhook.id, alert()), await send(service, webhook.id, alert())];
    expect(answers.map(({ body }) => body.status)).toEqual(['created', 'created']);
  });
});

describe('an event that is sent again', () => {
  it.each(['webhook-id', 'idempotency-key'])('does nothing twice when %s names it', async (header) => {
    const { body: webhook } = await aWebhook(manager);
    const before = await total();
    const again = () => send(service, webhook.id, alert(), { [header]: 'msg_42' });
    const answers = await Promise.all(Array.from({ length: 10 }, again));
    const late = await again();
    expect(new Set([...answers, late].map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(late.headers.get('idempotent-replayed')).toBe('true');
    expect(await total()).toBe(before + 1);
    const other = await send(service, webhook.id, alert({ host: 'x' }), { [header]: 'msg_42' });
    expectProblem(other, 422, 'idempotency_key_reused');
  });

  it('gets another chance when it failed before', async () => {
    const { body: webhook } = await aWebhook(manager, { field_mapping: { short_description: '{{alert.title}}' } });
    const again = () => send(service, webhook.id, alert(), { 'webhook-id': 'msg_1' });
    const failed = await again();
    expectProblem(failed, 422, 'mapping_failed');
    await manager.patch(`/webhooks/inbound/${webhook.id}`, { field_mapping: { short_description: '{{alert.name}}' } });
    const answer = await again();
    expect(answer.body).toMatchObject({ status: 'created', event_id: failed.body.event_id });
    const { body: events } = await manager.get(`/webhooks/inbound/${webhook.id}/events`);
    expect(events).toMatchObject({ total: 1, data: [{ status: 'created' }] });
  });

  it('is known after a crash', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const first = await send(service, webhook.id, alert(), { 'webhook-id': 'crash' });
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder });
    manager = await apiOf(service, 'manager');
    const again = await send(service, webhook.id, alert(), { 'webhook-id': 'crash' });
    expect(again.body).toEqual(first.body);
    expect((await send(service, webhook.id, alert())).body.status).toBe('deduplicated');
  });
});

describe('a webhook that resolves', () => {
  it('ends what another one opened, through the states in between', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id, { name: 'Recovery' }));
    const { incident_id: id } = (await send(service, opener.id, alert())).body;
    const over = alert({ summary: 'Space was made' });
    const answer = await send(service, closer.id, over);
    expect(answer.body).toMatchObject({ status: 'updated', incident_id: id });
    expect(await incident(id)).toMatchObject({
      state: 'resolved',
      resolution: 'Space was made',
      work_notes_count: 1,
      resolved_at: expect.any(String),
    });
    const { body: history } = await manager.get(`/incidents/${id}/history`);
    const states = history.data.flatMap(
      ({ changes }: { changes: { state?: { to: string } } }) => changes.state?.to ?? [],
    );
    expect(states).toEqual(['new', 'in_progress', 'resolved']);
    expect(history.data.at(-1)).toMatchObject({
      actor: 'recovery@webhooks.incidents.localhost',
      origin: { kind: 'webhook', id: closer.id },
    });
    expect((await send(service, closer.id, over)).body).toMatchObject({ status: 'deduplicated', incident_id: id });
    expect((await incident(id)).work_notes_count).toBe(1);
  });

  it.each(['new', 'in_progress', 'on_hold', 'reopened'])('resolves an incident that is %s', async (state) => {
    const { body: webhook } = await aWebhook(manager, {
      ...resolving(`wh_in_${'0'.repeat(26)}`),
      dedup_key: null,
      dedup_scope: null,
      incident_id: '$.ticket',
    });
    const id = await anIncidentIn(manager, state);
    expect((await send(service, webhook.id, { ticket: id })).body.status).toBe('updated');
    expect((await incident(id)).state).toBe('resolved');
  });

  it('resolves once, whatever comes at once', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id));
    const { incident_id: id } = (await send(service, opener.id, alert())).body;
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(service, closer.id, alert())));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    expect(answers.filter(({ body }) => body.status === 'updated')).toHaveLength(1);
    expect((await incident(id)).work_notes_count).toBe(1);
  });

  it('keeps the end of an alert that it does not know, for when it does', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id));
    const early = await send(service, closer.id, alert());
    expectProblem(early, 422, 'mapping_failed');
    expect(early.body.errors).toEqual([{ field: 'dedup_key', message: 'is not the key of an open incident' }]);
    await send(service, opener.id, alert());
    const replay = await manager.post(`/webhooks/inbound/${closer.id}/events/${early.body.event_id}/replay`, undefined);
    expect(replay.body.status).toBe('updated');
  });
});

describe('a webhook that changes incidents', () => {
  const updating = { action: 'update_incident', incident_id: '{{ticket}}' };

  it('updates the one that the payload names', async () => {
    const { body: webhook } = await aWebhook(manager, {
      ...updating,
      field_mapping: { state: '{{state}}', assigned_to: '{{who}}', work_note: '{{comment}}' },
    });
    const { body: created } = await anIncident(manager);
    const event = { ticket: created.id, state: 'in_progress', who: 'ada@example.com', comment: 'Looking.' };
    expect((await send(service, webhook.id, event)).body).toMatchObject({ status: 'updated', incident_id: created.id });
    expect(await incident(created.id)).toMatchObject({
      state: 'in_progress',
      assigned_to: 'ada@example.com',
      work_notes_count: 1,
    });
    const same = { ticket: created.id, state: 'in_progress' };
    expect((await send(service, webhook.id, same)).body.status).toBe('deduplicated');
    const forbidden = await send(service, webhook.id, { ticket: created.id, state: 'closed' });
    expectProblem(forbidden, 422, 'mapping_failed');
    expect(forbidden.body.errors[0]).toMatchObject({
      field: 'state',
      message: expect.stringContaining('on_hold or resolved'),
    });
    const unknown = await send(service, webhook.id, { ticket: 'INC0000000', comment: 'x' });
    expect(unknown.body.errors[0].field).toBe('incident_id');
  });

  it('adds notes', async () => {
    const { body: webhook } = await aWebhook(manager, {
      name: 'Chat',
      action: 'add_note',
      incident_id: '{{ticket}}',
      field_mapping: { body: '{{user}}: {{text}}', visibility: '{{visibility}}' },
    });
    const { body: created } = await anIncident(manager);
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((text) => send(service, webhook.id, { ticket: created.id, user: 'ada', text })),
    );
    expect(answers.map(({ body }) => body.status)).toEqual(['updated', 'updated', 'updated']);
    const { body: notes } = await manager.get(`/incidents/${created.id}/notes`);
    expect(notes.total).toBe(3);
    expect(notes.data[0]).toMatchObject({ author: 'chat@webhooks.incidents.localhost', visibility: 'team' });
    expectProblem(await send(service, webhook.id, { ticket: 'INC0000000', text: 'x' }), 422, 'mapping_failed');
    expectProblem(
      await send(service, webhook.id, { ticket: created.id, text: 'x', visibility: 'y' }),
      422,
      'mapping_failed',
    );
  });
});
