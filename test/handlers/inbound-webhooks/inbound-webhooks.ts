import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topic_arn } from '../../support/alerts.ts';
import { expectProblem } from '../../support/http.ts';
import { alert, aWebhook, creation, hex, send } from '../../support/inbound-webhooks.ts';
import { countCalls, getApi, startTestService } from '../../support/incidents.ts';

const { service, manager } = await startTestService('manager');

const create = (fields: object) => manager.post('/webhooks/inbound', { ...creation, ...fields });

describe('createInboundWebhook', () => {
  it('returns 201 with the webhook, its Location and its secret', async () => {
    const response = await create({ secret_enabled: true, description: 'Alerts' });
    expect(response.status).toBe(201);
    const { id } = response.body;
    expect(response.body).toEqual({
      ...creation,
      preset: null,
      rules: [],
      id: expect.stringMatching(/^wh_in_[0-9A-HJKMNP-TV-Z]{26}$/),
      url: `${service.baseUrl}/prod/api/webhooks/inbound/${id}`,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      description: 'Alerts',
      filters: [],
      when: [],
      topic_arn: null,
      incident_id: null,
      dedup_key: null,
      dedup_scope: null,
      secret_enabled: true,
      accept_repeated_bodies: false,
      active: true,
      secret_created_at: response.body.created_at,
      previous_secret_until: null,
      created_by: 'manager@clients.incidents.localhost',
      created_at: expect.stringMatching(/Z$/),
      updated_at: response.body.created_at,
    });
    expect(response.headers.get('location')).toBe(`/prod/api/v1/webhooks/inbound/${id}`);
    expect(response.headers.get('etag')).toBe('"1-0"');
  });

  it('creates no secret by default', async () => {
    const { body } = await aWebhook(manager);
    expect(body).not.toHaveProperty('secret');
    expect(body).toMatchObject({ secret_enabled: false, secret_created_at: null });
  });

  it.each<[string, object, string, RegExp]>([
    ['no name', { name: undefined }, 'name', /is required/],
    ['an unknown action', { action: 'drop_table' }, 'action', /must be one of create_incident/],
    ['an unknown field', { colour: 'red' }, 'colour', /not a known field/],
    ['a read-only field', { url: 'https://example.com' }, 'url', /is read-only/],
    [
      'a template that is not closed',
      mapping({ priority: 'P{{severity' }),
      'field_mapping.priority',
      /at position 2, \{\{ is not closed/,
    ],
    [
      'a filter that does not exist',
      mapping({ priority: '{{a | eval:"1"}}' }),
      'field_mapping.priority',
      /at position 7, "eval" must be one of default, upper, lower, truncate, map/,
    ],
    ['a template that is too long', mapping({ priority: 'x'.repeat(4_001) }), 'field_mapping.priority', /at most 4000/],
    [
      'a mapping to a field that is not there',
      mapping({ colour: 'x' }),
      'field_mapping.colour',
      /is not one of the fields/,
    ],
    [
      'a mapping to a field that the service sets',
      mapping({ opened_by: 'x' }),
      'field_mapping.opened_by',
      /is not one of/,
    ],
    ['a mapping without a short description', { field_mapping: {} }, 'field_mapping.short_description', /is required/],
    [
      'an unknown operator',
      { filters: [{ field: 'a', operator: 'like', value: 1 }] },
      'filters[0].operator',
      /must be one of eq/,
    ],
    ['conditions that are no list', { when: 'firing' }, 'when', /must be an array/],
    ['CloudWatch alarms of any topic', { preset: 'cloudwatch' }, 'topic_arn', /is required for the preset cloudwatch/],
    ['a topic of another sender', { topic_arn }, 'topic_arn', /is for the preset cloudwatch/],
    ['a topic that is none', { preset: 'cloudwatch', topic_arn: 'arn:aws:sqs:x:1:y' }, 'topic_arn', /must be the ARN/],
    ['a bad dedup key', { dedup_key: '{{}}' }, 'dedup_key', /at position 3, a path/],
    ['a scope without a key', { dedup_scope: `wh_in_${'0'.repeat(26)}` }, 'dedup_scope', /needs a dedup_key/],
    ['a target for new incidents', { incident_id: '{{id}}' }, 'incident_id', /is for actions that change/],
    ['an update of nothing in particular', { action: 'resolve_incident' }, 'incident_id', /or dedup_key is required/],
    [
      'a note without text',
      { action: 'add_note', field_mapping: {}, incident_id: '{{id}}' },
      'field_mapping.body',
      /is required/,
    ],
  ])('rejects %s', async (_name, fields, field, message) => {
    const response = await create(fields);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
  });

  it('returns the same webhook and secret for the same idempotency key', async () => {
    const post = () =>
      manager.post('/webhooks/inbound', { ...creation, secret_enabled: true }, { 'idempotency-key': 'w' });
    const first = await post();
    const again = await post();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.secret).toMatch(/^whsec_/);
  });

  it('neither stores nor logs a readable secret', async () => {
    const fields = { ...creation, secret_enabled: true };
    const { body } = await manager.post('/webhooks/inbound', fields, { 'idempotency-key': 'kept' });
    const files = readdirSync(service.dataFolder).filter((name) => name.startsWith('runtime.db'));
    const stored = Buffer.concat(files.map((name) => readFileSync(join(service.dataFolder, name))));
    expect(stored.includes(body.id)).toBe(true);
    expect(stored.includes(body.secret)).toBe(false);
    expect(service.output()).not.toContain(body.secret);
    expect((await manager.get(`/webhooks/inbound/${body.id}`)).body).not.toHaveProperty('secret');
  });

  it('requires a manager', async () => {
    const agent = await getApi(service, 'agent');
    expectProblem(await agent.post('/webhooks/inbound', creation), 403, 'forbidden');
  });

  it('takes one write and two KMS calls', async () => {
    await service.advance('2s');
    const calls = await countCalls(service, 'create-inbound-webhook', () => create({ secret_enabled: true }));
    expect(calls).toEqual({ 'dynamodb.PutItem': 1, 'kms.Encrypt': 1, 'kms.Decrypt': 1 });
  });
});

function mapping(fields: Record<string, string>) {
  return { field_mapping: { ...creation.field_mapping, ...fields } };
}

const unknown = `wh_in_${'0'.repeat(26)}`;

describe('getInboundWebhook', () => {
  it('returns the webhook without its secret, and 304 while it is unchanged', async () => {
    const { body } = await aWebhook(manager, { secret_enabled: true });
    const { secret: _, ...shown } = body;
    const response = await manager.get(`/webhooks/inbound/${body.id}`);
    expect(response).toMatchObject({ status: 200, body: shown });
    expect(response.body).not.toHaveProperty('secret');
    const etag = response.headers.get('etag')!;
    expect((await manager.get(`/webhooks/inbound/${body.id}`, { 'if-none-match': etag })).status).toBe(304);
  });

  it('returns 404 for unknown ids', async () => {
    expectProblem(await manager.get(`/webhooks/inbound/${unknown}`), 404, 'not_found');
    expectProblem(await manager.get('/webhooks/inbound/INC0000000'), 404, 'not_found');
  });
});

describe('listInboundWebhooks', () => {
  it('lists all webhooks newest first, without secrets', async () => {
    const made: string[] = [];
    for (const name of ['one', 'two', 'three'])
      made.push((await aWebhook(manager, { name, secret_enabled: true })).body.id);
    const first = await manager.get('/webhooks/inbound?limit=2');
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([made[2], made[1]]);
    const next = await manager.get(`/webhooks/inbound?limit=2&cursor=${first.body.next_cursor}`);
    expect(next.body.data[0].id).toBe(made[0]);
    expect(next.body.total).toBe(first.body.total);
    expect(JSON.stringify([first.body, next.body])).not.toMatch(/whsec_|sealed/);
    const single = await manager.get(`/webhooks/inbound/${made[2]}`);
    expect(first.body.data[0]).toEqual(single.body);
    expectProblem(await manager.get('/webhooks/inbound?cursor=x'), 400, 'invalid_input');
  });
});

describe('updateInboundWebhook', () => {
  it('changes the given fields, merges the mapping and keeps the rest', async () => {
    const { body } = await aWebhook(manager, { description: 'before' });
    const path = `/webhooks/inbound/${body.id}`;
    const mapping = { category: '{{kind}}', priority: null };
    const response = await manager.patch(path, { field_mapping: mapping, description: null, active: false });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      name: body.name,
      description: null,
      active: false,
      field_mapping: { short_description: body.field_mapping.short_description, category: '{{kind}}' },
    });
    expect(response.body.field_mapping).not.toHaveProperty('priority');
    expect((await manager.get(path)).body).toEqual(response.body);
  });

  it('writes nothing without a change', async () => {
    const { body } = await aWebhook(manager);
    const response = await manager.patch(`/webhooks/inbound/${body.id}`, { name: body.name });
    expect(response.body).toEqual(body);
    expect(response.headers.get('etag')).toBe('"1-0"');
  });

  it.each<[string, object, string]>([
    ['a bad template', { field_mapping: { priority: '{{' } }, 'field_mapping.priority'],
    [
      'a mapping without what the action needs',
      { field_mapping: { short_description: null } },
      'field_mapping.short_description',
    ],
    ['an action without a target', { action: 'resolve_incident' }, 'incident_id'],
    ['the id', { id: unknown }, 'id'],
  ])('rejects %s', async (_name, fields, field) => {
    const { body } = await aWebhook(manager);
    const response = await manager.patch(`/webhooks/inbound/${body.id}`, fields);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors[0].field).toBe(field);
  });

  it('changes the topic of CloudWatch alarms, and keeps one', async () => {
    const { body } = await aWebhook(manager, { preset: 'cloudwatch', topic_arn });
    expect(body).toMatchObject({ topic_arn, filters: [], when: [{ value: 'ALARM' }] });
    const path = `/webhooks/inbound/${body.id}`;
    const other = `${topic_arn}-2`;
    expect((await manager.patch(path, { topic_arn: other })).body.topic_arn).toBe(other);
    for (const none of [null, '']) {
      const response = await manager.patch(path, { topic_arn: none });
      expectProblem(response, 400, 'invalid_input');
      expect(response.body.errors[0].field).toBe('topic_arn');
    }
    const agent = await getApi(service, 'agent');
    expectProblem(await agent.patch(path, { topic_arn }), 403, 'forbidden');
    expect((await manager.get(path)).body.topic_arn).toBe(other);
  });

  it('honours If-Match', async () => {
    const { body } = await aWebhook(manager);
    const path = `/webhooks/inbound/${body.id}`;
    expect((await manager.patch(path, { name: 'new' }, { 'if-match': '"1-0"' })).status).toBe(200);
    expectProblem(await manager.patch(path, { name: 'newer' }, { 'if-match': '"1-0"' }), 412, 'precondition_failed');
  });

  it('returns a secret once when it is enabled, and deletes it when it is disabled', async () => {
    const { body } = await aWebhook(manager);
    const path = `/webhooks/inbound/${body.id}`;
    const on = await manager.patch(path, { secret_enabled: true });
    expect(on.body.secret).toMatch(/^whsec_/);
    expect((await manager.patch(path, { secret_enabled: true })).body).not.toHaveProperty('secret');
    const off = await manager.patch(path, { secret_enabled: false });
    expect(off.body).toMatchObject({ secret_enabled: false, secret_created_at: null });
    const again = await manager.patch(path, { secret_enabled: true });
    expect(again.body.secret).not.toBe(on.body.secret);
  });
});

describe('previewInboundWebhook', () => {
  it('tests settings before the webhook exists, and writes nothing', async () => {
    const preview = (settings: object, payload: unknown = alert()) =>
      manager.post('/webhooks/inbound/test', { payload, settings });
    const before = (await manager.get('/webhooks/inbound')).body.total;
    const { status, body } = await preview({ ...creation, dedup_key: '{{alert.name}}' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'created',
      dedup_key: 'DiskFull',
      incident_id: null,
      incident: { short_description: 'DiskFull on db-1', priority: 'P1' },
      errors: [],
    });
    const field_mapping = { short_description: '{{alert.name}}' };
    expect((await preview({ ...creation, field_mapping }, { foo: 1 })).body.status).toBe('failed');
    const filters = [{ field: 'alert.severity', operator: 'eq', value: 'info' }];
    expect((await preview({ ...creation, filters })).body.status).toBe('filtered');
    expect((await manager.get('/webhooks/inbound')).body.total).toBe(before);
    const wrong = await preview({ ...creation, field_mapping: { short_description: '{{x', colour: 'red' } });
    expectProblem(wrong, 400, 'invalid_input');
    expectProblem(await manager.post('/webhooks/inbound/test', { payload: 1 }), 400, 'invalid_input');
  });
});

describe('deleteInboundWebhook', () => {
  it('deletes the webhook', async () => {
    const { body } = await aWebhook(manager);
    const path = `/webhooks/inbound/${body.id}`;
    expectProblem(await manager.delete(path, { 'if-match': '"2-0"' }), 412, 'precondition_failed');
    expect((await manager.delete(path)).status).toBe(204);
    expectProblem(await manager.get(path), 404, 'not_found');
    expectProblem(await manager.delete(path), 404, 'not_found');
    const { body: list } = await manager.get('/webhooks/inbound?limit=200');
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  });
});

describe('rotateInboundSecret', () => {
  it('accepts the previous secret for 24 hours', async () => {
    const { body: webhook } = await aWebhook(manager, { secret_enabled: true });
    const rotation = await manager.post(`/webhooks/inbound/${webhook.id}/rotate-secret`, undefined);
    expect(rotation.status).toBe(200);
    expect(rotation.body.secret).toMatch(/^whsec_/);
    expect(rotation.body.secret).not.toBe(webhook.secret);
    const text = JSON.stringify(alert());
    const by = (secret: string) => send(service, webhook.id, text, { 'x-service-signature': hex(secret, text) });
    expect((await by(webhook.secret)).status).toBe(202);
    expect((await by(rotation.body.secret)).status).toBe(202);
    const { secret_created_at, previous_secret_until } = rotation.body;
    expect(Date.parse(previous_secret_until) - Date.parse(secret_created_at)).toBe(24 * 3_600_000);
  });

  it('rejects the rotation without a secret', async () => {
    const { body: webhook } = await aWebhook(manager);
    expectProblem(await manager.post(`/webhooks/inbound/${webhook.id}/rotate-secret`, undefined), 400, 'invalid_input');
  });
});

describe('managing inbound webhooks', () => {
  it('requires a token and a manager', async () => {
    const { body } = await aWebhook(manager);
    const agent = await getApi(service, 'agent');
    const path = `/webhooks/inbound/${body.id}`;
    const event = `${path}/events/evt_in_${'0'.repeat(26)}`;
    const attempts = [
      agent.get('/webhooks/inbound'),
      agent.get(path),
      agent.patch(path, { name: 'x' }),
      agent.delete(path),
      agent.post(`${path}/rotate-secret`, undefined),
      agent.post(`${path}/test`, { payload: {} }),
      agent.post('/webhooks/inbound/test', { payload: {}, settings: creation }),
      agent.get(`${path}/rejections`),
      agent.get(`${path}/events`),
      agent.get(event),
      agent.post(`${event}/replay`, undefined),
    ];
    for (const response of await Promise.all(attempts)) expectProblem(response, 403, 'forbidden');
    const anonymous = await fetch(`${service.baseUrl}/prod/api/v1${path}`);
    expect(anonymous.status).toBe(401);
  });
});
