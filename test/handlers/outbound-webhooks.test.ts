import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAccess, expectNotFound, type Request } from '../support/access.ts';
import { expectProblem } from '../support/http.ts';
import { countCalls, startTestService } from '../support/incidents.ts';

const { service, manager } = await startTestService('manager');

const list = '/webhooks/outbound';
const unknown = `wh_out_${'0'.repeat(26)}`;
const creation = { name: 'Chat room', url: 'https://hooks.example.com/in', events: ['incident.created'] };

const create = async (fields: object = {}, headers = {}) => {
  const response = await manager.post(list, { ...creation, ...fields }, headers);
  expect(response.status).toBe(201);
  return response;
};

const created = async (fields: object = {}) => {
  const { body } = await create(fields);
  return { body, path: `${list}/${body.id}` };
};

/** Invalid settings, on create and on update. */
const mistakes: [string, object, string, RegExp][] = [
  ['a name that is empty', { name: ' ' }, 'name', /must not be empty/],
  ['an address without encryption', { url: 'http://hooks.example.com' }, 'url', /must be an https URL/],
  ['an address with a password', { url: 'https://a:b@example.com' }, 'url', /must not contain credentials/],
  ['an address inside the network', { url: 'https://10.0.0.1/' }, 'url', /./],
  ['the address of the metadata service', { url: 'https://169.254.169.254/' }, 'url', /./],
  ['an address that is none', { url: 'chat' }, 'url', /must be an absolute URL/],
  ['no events', { events: [] }, 'events', /at least 1/],
  ['an unknown type of event', { events: ['incident.eaten'] }, 'events[0]', /must be one of/],
  [
    'an unknown operator',
    { filters: [{ field: 'a', operator: 'like', value: 1 }] },
    'filters[0].operator',
    /one of eq/,
  ],
  [
    'a list that is none',
    { filters: [{ field: 'a', operator: 'in', value: 1 }] },
    'filters[0].value',
    /must be a list/,
  ],
  [
    'a filter on an unknown field',
    { filters: [{ field: 'incident.assignment_grup', operator: 'eq', value: 'mail' }] },
    'filters[0].field',
    /not a field of the events/,
  ],
  [
    'filters that are too large for an item of the table',
    { filters: [{ field: 'a', operator: 'eq', value: 'x'.repeat(8_000) }] },
    'filters',
    /must have at most 8000 bytes as JSON/,
  ],
  ['a header of the connection', { headers: { Host: 'x' } }, 'headers.Host', /is set by the service/],
  ['a header on two lines', { headers: { 'X-A': 'a\r\nb: c' } }, 'headers.X-A', /printable ASCII on one line/],
  ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a', /is a duplicate/],
  ['a timeout that is too long', { timeout_seconds: 31 }, 'timeout_seconds', /at most 30/],
  ['another kind of webhook', { inbound_webhook_id: unknown }, 'inbound_webhook_id', /id of an inbound webhook/],
  ['a client that cannot be', { client_id: 'a b' }, 'client_id', /id of an API client/],
  ['an unknown field', { colour: 'red' }, 'colour', /not a known field/],
  ['a read-only field', { created_by: 'a@example.com' }, 'created_by', /is read-only/],
  ['a secret of its own', { secret: 'whsec_mine' }, 'secret', /is read-only/],
];

describe('createOutboundWebhook', () => {
  it('returns 201 with the webhook, its defaults and, once, its secret', async () => {
    const { body, headers } = await create({ sign_payloads: true, headers: { 'X-Room': 'mail' } });
    expect(body).toEqual({
      ...creation,
      id: expect.stringMatching(/^wh_out_[0-9A-HJKMNP-TV-Z]{26}$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      filters: [],
      headers: { 'X-Room': '[hidden]' },
      sign_payloads: true,
      active: true,
      timeout_seconds: 10,
      inbound_webhook_id: null,
      client_id: null,
      include_own: false,
      format: 'service',
      disabled_reason: null,
      created_by: 'manager@clients.incidents.localhost',
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect(headers.get('location')).toBe(`/prod/api/v1${list}/${body.id}`);
    expect(headers.get('etag')).toBe('"1-0"');
    expect((await create()).body).not.toHaveProperty('secret');
  });

  it('accepts each event type once, and loopback addresses on one machine', async () => {
    const fields = { events: ['sla.breached', 'sla.breached'], url: 'http://127.0.0.1:9/' };
    expect((await create(fields)).body).toMatchObject({ ...fields, events: ['sla.breached'] });
  });

  it.each(mistakes)('rejects %s', async (_name, fields, field, message) => {
    const response = await manager.post(list, { ...creation, ...fields });
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
  });

  it('lists all problems', async () => {
    const response = await manager.post(list, { url: 'ftp://x', events: ['x'], timeout_seconds: 0, colour: 1 });
    expectProblem(response, 400, 'invalid_input', ['colour', 'events[0]', 'name', 'timeout_seconds', 'url']);
  });

  it('returns the same webhook and secret for the same idempotency key', async () => {
    const key = { 'idempotency-key': 'room' };
    const first = await create({ sign_payloads: true }, key);
    const again = await create({ sign_payloads: true }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectProblem(await manager.post(list, { ...creation, name: 'Another' }, key), 422, 'idempotency_key_reused');
  });

  it('neither stores nor logs readable secrets', async () => {
    const { body } = await create({ sign_payloads: true, headers: { Authorization: 'Bearer opensesame' } });
    const files = readdirSync(service.dataFolder).filter((name) => name.startsWith('runtime.db'));
    const stored = Buffer.concat(files.map((name) => readFileSync(join(service.dataFolder, name))));
    expect(stored.includes(body.id)).toBe(true);
    for (const secret of [body.secret, 'opensesame']) {
      expect(stored.includes(secret)).toBe(false);
      expect(service.output()).not.toContain(secret);
    }
  });

  it('takes one transaction', async () => {
    await service.advance('2s');
    const calls = await countCalls(service, 'create-outbound-webhook', () => create());
    expect(calls).toEqual({ 'dynamodb.TransactWriteItems': 1 });
  });
});

describe('getOutboundWebhook', () => {
  it('returns the webhook without its secret, and 304 while it is unchanged', async () => {
    const { body, path } = await created({ sign_payloads: true });
    const { secret: _, ...shown } = body;
    const response = await manager.get(path);
    expect(response).toMatchObject({ status: 200, body: shown });
    expect(response.body).not.toHaveProperty('secret');
    const etag = response.headers.get('etag')!;
    expect((await manager.get(path, { 'if-none-match': etag })).status).toBe(304);
  });
});

describe('listOutboundWebhooks', () => {
  it('lists all webhooks newest first, without secrets', async () => {
    const made: string[] = [];
    for (const name of ['one', 'two', 'three']) made.push((await create({ name, sign_payloads: true })).body.id);
    const first = await manager.get(`${list}?limit=2`);
    expect(first.body.data.map(({ id }: { id: string }) => id)).toEqual([made[2], made[1]]);
    const next = await manager.get(`${list}?limit=2&cursor=${first.body.next_cursor}`);
    expect(next.body.data[0].id).toBe(made[0]);
    expect(next.body.total).toBe(first.body.total);
    expect(JSON.stringify([first.body, next.body])).not.toMatch(/whsec_|sealed/);
    expect(first.body.data[0]).toEqual((await manager.get(`${list}/${made[2]}`)).body);
    for (const query of ['cursor=x', 'limit=201', 'limit=0', 'colour=red'])
      expectProblem(await manager.get(`${list}?${query}`), 400, 'invalid_input');
  });
});

describe('updateOutboundWebhook', () => {
  it('changes the given fields, merges the headers and keeps the rest', async () => {
    const { body, path } = await created({ headers: { 'X-Room': 'mail', 'X-Old': '1' } });
    const response = await manager.patch(path, {
      headers: { 'x-old': null, 'X-Room': '[hidden]', 'X-New': '2' },
      name: 'Renamed',
      active: false,
    });
    expect(response).toMatchObject({ status: 200, body: { url: body.url, name: 'Renamed', active: false } });
    expect(response.body.headers).toEqual({ 'X-Room': '[hidden]', 'X-New': '[hidden]' });
    expect(response.headers.get('etag')).toBe('"2-0"');
    expect((await manager.get(path)).body).toEqual(response.body);
  });

  it('writes nothing without a change', async () => {
    const { body, path } = await created();
    expect(await manager.patch(path, { name: body.name })).toMatchObject({ status: 200, body });
  });

  it.each(mistakes)('rejects %s', async (_name, fields, field, message) => {
    const { path } = await created();
    const response = await manager.patch(path, fields);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual([{ field, message: expect.stringMatching(message) }]);
  });

  it('honours If-Match', async () => {
    const { path } = await created();
    expect((await manager.patch(path, { name: 'new' }, { 'if-match': '"1-0"' })).status).toBe(200);
    expectProblem(await manager.patch(path, { name: 'newer' }, { 'if-match': '"1-0"' }), 412, 'precondition_failed');
  });

  it('drops headers and replaces the secret for a new origin, and returns notices', async () => {
    const { body, path } = await created({ sign_payloads: true, headers: { 'X-Room': 'mail', 'X-Kept': '1' } });
    const url = 'https://chat.example.net/in';
    const response = await manager.patch(path, { url, headers: { 'x-kept': '2' } });
    expect(response).toMatchObject({ status: 200, body: { url, headers: { 'x-kept': '[hidden]' } } });
    expect(response.body.headers).not.toHaveProperty('X-Room');
    expect(response.body.secret).toMatch(/^whsec_/);
    expect(response.body.secret).not.toBe(body.secret);
    expect(response.body.notices).toEqual([
      { code: 'headers_dropped', message: expect.stringContaining('X-Room') },
      { code: 'secret_replaced', message: expect.stringContaining('new secret') },
    ]);
    const { body: read } = await manager.get(path);
    expect(read).not.toHaveProperty('secret');
    expect(read).not.toHaveProperty('notices');
    expect((await manager.get(list)).body.data[0].headers).toEqual({ 'x-kept': '[hidden]' });
  });

  it.each([
    ['another path', 'https://hooks.example.com/other?room=1', true],
    ['the default port', 'https://hooks.example.com:443/in', true],
    ['another port', 'https://hooks.example.com:8443/in', false],
    ['a subdomain', 'https://a.hooks.example.com/in', false],
  ])('keeps or drops credentials by the origin of the new url: %s', async (_name, url, kept) => {
    const { path } = await created({ sign_payloads: true, headers: { 'X-Room': 'mail' } });
    const { body } = await manager.patch(path, { url });
    expect(body.headers).toEqual(kept ? { 'X-Room': '[hidden]' } : {});
    expect('secret' in body).toBe(!kept);
    expect('notices' in body).toBe(!kept);
  });

  it('deletes the secret of an unsigned webhook with a new origin', async () => {
    const { body: first, path } = await created({ sign_payloads: true });
    await manager.patch(path, { sign_payloads: false });
    const moved = await manager.patch(path, { url: 'https://chat.example.net/in' });
    expect(moved.body).not.toHaveProperty('secret');
    expect(moved.body.notices).toMatchObject([{ code: 'secret_replaced' }]);
    const { body } = await manager.patch(path, { sign_payloads: true });
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(first.secret);
  });

  it('returns a secret once, when signing is enabled for the first time', async () => {
    const { path } = await created();
    expect((await manager.patch(path, { sign_payloads: true })).body.secret).toMatch(/^whsec_/);
    await manager.patch(path, { sign_payloads: false });
    expect((await manager.patch(path, { sign_payloads: true })).body).not.toHaveProperty('secret');
  });
});

describe('rotateOutboundSecret', () => {
  it('returns the new secret once', async () => {
    const { body, path } = await created({ sign_payloads: true });
    const response = await manager.post(`${path}/rotate-secret`, undefined);
    expect(response.status).toBe(200);
    expect(response.body.secret).toMatch(/^whsec_/);
    expect(response.body.secret).not.toBe(body.secret);
    expect(response.headers.get('etag')).toBe('"2-0"');
    expect((await manager.get(path)).body).not.toHaveProperty('secret');
  });
});

describe('deleteOutboundWebhook', () => {
  it('deletes the webhook', async () => {
    const { body, path } = await created();
    expectProblem(await manager.delete(path, { 'if-match': '"2-0"' }), 412, 'precondition_failed');
    expect((await manager.delete(path)).status).toBe(204);
    expectProblem(await manager.get(path), 404, 'not_found');
    expectProblem(await manager.delete(path), 404, 'not_found');
    const { body: all } = await manager.get(`${list}?limit=200`);
    expect(all.data.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  });
});

describe('managing outbound webhooks', () => {
  const operations = (path: string): Request[] => [
    ['GET', list],
    ['POST', list, creation],
    ['GET', path],
    ['PATCH', path, { name: 'x' }],
    ['DELETE', path],
    ['POST', `${path}/rotate-secret`],
  ];

  it('requires a manager', async () => {
    const { path } = await created();
    await expectAccess(service, operations(path), 'agent');
    expect((await manager.get(path)).status).toBe(200);
  });

  it('returns 404 for unknown ids', async () => {
    await expectNotFound(service, operations(`${list}/${unknown}`).slice(2), 'manager');
    expectProblem(await manager.get(`${list}/INC0000000`), 404, 'not_found');
  });
});
