import { readFileSync } from 'node:fs';
import { acknowledgement, alerts, subscription, topic_arn } from '../support/alerts.ts';
import { call, expectProblem, getToken } from '../support/http.ts';
import { alert, aWebhook, send } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, anIncidentIn, getApi } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

// What a monitoring system and the people behind it live through.

let service: Service;
let manager: Api;
beforeAll(async () => {
  service = await startService();
  manager = await getApi(service, 'manager');
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

describe('alerts with a deduplication key', () => {
  it('create one incident, even if they arrive concurrently', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const before = await total();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => send(service, webhook.id, alert({ host: 'concurrent' }))),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202));
    expect(responses.filter(({ body }) => body.status === 'created')).toHaveLength(1);
    expect(responses.filter(({ body }) => body.status === 'deduplicated')).toHaveLength(19);
    expect(new Set(responses.map(({ body }) => body.incident_id)).size).toBe(1);
    expect(await total()).toBe(before + 1);
  });

  it('update the open incident with new values, and keep manual changes', async () => {
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

  it('create a new incident after the previous one is closed or deleted', async () => {
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

  it('create separate incidents for other webhooks, hosts and keys', async () => {
    const [{ body: one }, { body: other }] = [await aWebhook(manager, keyed), await aWebhook(manager, keyed)];
    const responses = [
      await send(service, one.id, alert()),
      await send(service, other.id, alert()),
      await send(service, one.id, alert({ host: 'db-2' })),
    ];
    expect(responses.map(({ body }) => body.status)).toEqual(['created', 'created', 'created']);
  });

  it('create a new incident each if the payload has no key', async () => {
    const { body: webhook } = await aWebhook(manager, { dedup_key: '{{fingerprint}}' });
    const responses = [await send(service, webhook.id, alert()), await send(service, webhook.id, alert())];
    expect(responses.map(({ body }) => body.status)).toEqual(['created', 'created']);
  });
});

describe('a repeated event', () => {
  it.each(['webhook-id', 'idempotency-key'])('is processed once with the same %s', async (header) => {
    const { body: webhook } = await aWebhook(manager);
    const before = await total();
    const again = () => send(service, webhook.id, alert(), { [header]: 'msg_42' });
    const responses = await Promise.all(Array.from({ length: 10 }, again));
    const late = await again();
    expect(new Set([...responses, late].map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(late.headers.get('idempotent-replayed')).toBe('true');
    expect(await total()).toBe(before + 1);
    const other = await send(service, webhook.id, alert({ host: 'x' }), { [header]: 'msg_42' });
    expectProblem(other, 422, 'idempotency_key_reused');
  });

  it('is processed again after a failure', async () => {
    const { body: webhook } = await aWebhook(manager, { field_mapping: { short_description: '{{alert.title}}' } });
    const again = () => send(service, webhook.id, alert(), { 'webhook-id': 'msg_1' });
    const failed = await again();
    expectProblem(failed, 422, 'mapping_failed');
    await manager.patch(`/webhooks/inbound/${webhook.id}`, { field_mapping: { short_description: '{{alert.name}}' } });
    const response = await again();
    expect(response.body).toMatchObject({ status: 'created', event_id: failed.body.event_id });
    const { body: events } = await manager.get(`/webhooks/inbound/${webhook.id}/events`);
    expect(events).toMatchObject({ total: 1, data: [{ status: 'created' }] });
  });

  it('is recognized after a crash', async () => {
    const { body: webhook } = await aWebhook(manager, keyed);
    const first = await send(service, webhook.id, alert(), { 'webhook-id': 'crash' });
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder });
    manager = await getApi(service, 'manager');
    const again = await send(service, webhook.id, alert(), { 'webhook-id': 'crash' });
    expect(again.body).toEqual(first.body);
    expect((await send(service, webhook.id, alert())).body.status).toBe('deduplicated');
  });
});

describe('a webhook that resolves', () => {
  it('resolves the incident of another webhook through the intermediate states', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id, { name: 'Recovery' }));
    const { incident_id: id } = (await send(service, opener.id, alert())).body;
    const over = alert({ summary: 'Space was made' });
    const response = await send(service, closer.id, over);
    expect(response.body).toMatchObject({ status: 'updated', incident_id: id });
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

  it('resolves once, even if events arrive concurrently', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id));
    const { incident_id: id } = (await send(service, opener.id, alert())).body;
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(service, closer.id, alert())));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    expect(responses.filter(({ body }) => body.status === 'updated')).toHaveLength(1);
    expect((await incident(id)).work_notes_count).toBe(1);
  });

  it('ignores the end of an unknown alert, and can replay it later', async () => {
    const { body: opener } = await aWebhook(manager, keyed);
    const { body: closer } = await aWebhook(manager, resolving(opener.id));
    const early = await send(service, closer.id, alert());
    expect(early).toMatchObject({ status: 202, body: { status: 'ignored', incident_id: null } });
    await send(service, opener.id, alert());
    const replay = await manager.post(`/webhooks/inbound/${closer.id}/events/${early.body.event_id}/replay`, undefined);
    expect(replay.body.status).toBe('updated');
  });
});

describe('a webhook that changes incidents', () => {
  const updating = { action: 'update_incident', incident_id: '{{ticket}}' };

  it('updates the incident that the payload names', async () => {
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
    const responses = await Promise.all(
      ['one', 'two', 'three'].map((text) => send(service, webhook.id, { ticket: created.id, user: 'ada', text })),
    );
    expect(responses.map(({ body }) => body.status)).toEqual(['updated', 'updated', 'updated']);
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

describe('a preset', () => {
  const foreign = topic_arn.replace('123456789012', '999999999999');
  const aPreset = async (preset: string, fields: object = preset === 'cloudwatch' ? { topic_arn } : {}) =>
    (await manager.post('/webhooks/inbound', { name: preset, preset, ...fields })).body;

  /** Sends with a token where the preset needs a proof: only SNS can sign its messages. */
  const aSender = async (preset: string) => {
    if (preset !== 'cloudwatch') {
      const { id } = await aPreset(preset);
      return (payload: unknown) => send(service, id, payload);
    }
    const { id } = await aPreset(preset, { topic_arn, secret_enabled: true });
    const headers = {
      'content-type': 'text/plain; charset=UTF-8',
      'x-amz-sns-message-type': 'Notification',
      authorization: `Bearer ${await getToken(service, 'agent')}`,
    };
    return (payload: unknown) => send(service, id, payload, headers);
  };

  it.each(alerts.map((each) => [each.preset, each] as const))(
    'creates and resolves an incident for an alert: %s',
    async (preset, { firing, resolved, fields }) => {
      const deliver = await aSender(preset);
      const opened = await deliver(firing);
      expect(opened.body).toMatchObject({ status: 'created', dedup_key: expect.stringMatching(/./) });
      const { incident_id: id } = opened.body;
      expect(await incident(id)).toMatchObject({ state: 'new', ...fields });
      expect((await deliver(firing)).body).toMatchObject({ status: 'deduplicated', incident_id: id });
      expect((await deliver(resolved)).body).toMatchObject({ status: 'updated', incident_id: id });
      expect(await incident(id)).toMatchObject({ state: 'resolved', resolution: expect.stringMatching(/./) });
      expect((await deliver(resolved)).body).toMatchObject({ status: 'deduplicated', incident_id: id });
      const next = await deliver(firing);
      expect(next.body.status).toBe('created');
      expect(next.body.incident_id).not.toBe(id);
    },
  );

  it.each(alerts.map((each) => [each.preset, each] as const))(
    'ignores the end of an alert without an incident: %s',
    async (preset, { resolved }) => {
      const deliver = await aSender(preset);
      expect(await deliver(resolved)).toMatchObject({ status: 202, body: { status: 'ignored' } });
    },
  );

  it('resolves with one version, one history entry and its events for each state', async () => {
    const { id: webhook } = await aPreset('alertmanager');
    const [alertmanager] = alerts;
    const { incident_id: id } = (await send(service, webhook, alertmanager?.firing)).body;
    await send(service, webhook, alertmanager?.resolved);
    const { body: history } = await manager.get(`/incidents/${id}/history`);
    expect(history.data.map(({ version, changes }: Entry) => [version, changes.state?.to])).toEqual([
      [1, 'new'],
      [2, 'in_progress'],
      [3, 'resolved'],
    ]);
    const eventsOfIncident = async (): Promise<Event[]> => {
      const { body } = await manager.get('/events?limit=200');
      return body.data.filter(({ data }: Event) => data.id === id);
    };
    const events = await until(eventsOfIncident, ({ length }) => length >= 4);
    expect(events.map(({ event, data }) => [event, data.changes?.state?.to ?? data.state])).toEqual([
      ['incident.created', 'new'],
      ['incident.updated', 'in_progress'],
      ['incident.updated', 'resolved'],
      ['incident.resolved', 'resolved'],
    ]);
  });

  it('acknowledges an incident by a rule', async () => {
    const { id: webhook } = await aPreset('pagerduty');
    const trigger = alerts.find(({ preset }) => preset === 'pagerduty')?.firing;
    const { incident_id: id } = (await send(service, webhook, trigger)).body;
    expect((await send(service, webhook, acknowledgement)).body.status).toBe('updated');
    expect((await incident(id)).state).toBe('in_progress');
  });

  it('works like the Events API for libraries of PagerDuty: path, and a key in every response', async () => {
    const { id: webhook } = await aPreset('pagerduty');
    const enqueue = async (sample: string, fields: object = {}) => {
      const payload = JSON.parse(readFileSync(`contract/preset-samples/pagerduty-${sample}.json`, 'utf8'));
      const path = `/webhooks/inbound/${webhook}/v2/enqueue`;
      const headers = { 'content-type': 'application/json' };
      return call(service, path, { method: 'POST', headers, body: JSON.stringify({ ...payload, ...fields }) });
    };
    const first = await enqueue('trigger');
    expect(first).toMatchObject({ status: 202, body: { status: 'created', dedup_key: 'srv-7/disk' } });
    const { incident_id: id, dedup_key } = (await enqueue('trigger-without-key')).body;
    expect(id).not.toBe(first.body.incident_id);
    expect((await enqueue('resolve', { dedup_key })).body).toMatchObject({
      status: 'updated',
      incident_id: id,
      dedup_key,
    });
    expect((await incident(id)).state).toBe('resolved');
    const wrong = await call(service, `/webhooks/inbound/${webhook}/v2/enqueue`);
    expectProblem(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('POST, OPTIONS');
  });

  it('rejects messages that SNS did not sign', async () => {
    const { id: webhook } = await aPreset('cloudwatch');
    const alarm = alerts.find(({ preset }) => preset === 'cloudwatch')?.firing;
    for (const message of [
      { ...alarm, SigningCertURL: 'https://example.com/x.pem' },
      subscription('https://sns.x.test/'),
    ]) {
      expectProblem(await send(service, webhook, message), 401, 'unauthorized');
    }
  });

  it('confirms subscriptions only with SNS', async () => {
    const deliver = await aSender('cloudwatch');
    const genuine = 'https://sns.eu-central-1.amazonaws.com/';
    for (const url of [
      'https://example.com/',
      'http://sns.eu-central-1.amazonaws.com/',
      'https://sns.x.amazonaws.com.evil.test/',
    ]) {
      const response = await deliver(subscription(url));
      expectProblem(response, 422, 'mapping_failed');
      expect(response.body.errors[0].field).toBe('SubscribeURL');
    }
    const other = await deliver({ ...subscription(genuine), TopicArn: foreign });
    expect(other.body.errors).toEqual([expect.objectContaining({ field: 'SubscribeURL' })]);
  });

  it('does not resolve an incident for a message of another account', async () => {
    const deliver = await aSender('cloudwatch');
    const alarm = alerts.find(({ preset }) => preset === 'cloudwatch');
    const { incident_id: id } = (await deliver(alarm?.firing)).body;
    const response = await deliver({ ...alarm?.resolved, TopicArn: foreign });
    expectProblem(response, 422, 'mapping_failed');
    expect(response.body.errors).toEqual([{ field: 'TopicArn', message: 'must be the topic_arn of the webhook' }]);
    expect((await incident(id)).state).toBe('new');
  });

  it('keeps the settings of the request, and requires an action', async () => {
    const own = { field_mapping: { category: 'storage' }, dedup_key: '{{groupKey}} mine' };
    const { body } = await manager.post('/webhooks/inbound', { name: 'x', preset: 'alertmanager', ...own });
    expect(body).toMatchObject({
      preset: 'alertmanager',
      action: 'create_incident',
      dedup_key: '{{groupKey}} mine',
      field_mapping: { category: 'storage', priority: expect.any(String) },
    });
    expectProblem(await manager.post('/webhooks/inbound', { name: 'x', preset: 'nagios' }), 400, 'invalid_input');
    const none = await manager.post('/webhooks/inbound', { name: 'x' });
    expectProblem(none, 400, 'invalid_input');
    expect(none.body.errors).toEqual([{ field: 'action', message: 'is required' }]);
  });
});

interface Entry {
  version: number;
  changes: { state?: { to: string } };
}

interface Event {
  event: string;
  data: { id: string; state: string; changes?: { state?: { to: string } } };
}
