import { createHmac } from 'node:crypto';
import { call, expectProblem, expectRateHeaders, getToken } from '../../support/http.ts';
import { alert, aWebhook, hex, send } from '../../support/inbound-webhooks.ts';
import { countCalls, getApi, startTestService } from '../../support/incidents.ts';
import { createPerson, getTokens } from '../../support/people.ts';

const started = await startTestService('manager');
const { service } = started;
let { manager } = started;

/** Signs as the specification of Standard Webhooks describes, without code of the service. */
function signStandard(secret: string, body: string, { id = 'msg_1', atMs = Date.now() } = {}) {
  const timestamp = String(Math.floor(atMs / 1_000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const getIncident = async (id: string) => (await manager.get(`/incidents/${id}`)).body;

describe('receiveInboundEvent', () => {
  it('creates an incident from the payload and returns it', async () => {
    const { body: webhook } = await aWebhook(manager, { name: 'Grafana EU' });
    const answer = await send(service, webhook.id, alert());
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      event_id: expect.stringMatching(/^evt_in_[0-9A-HJKMNP-TV-Z]{26}$/),
      status: 'created',
      incident_id: expect.stringMatching(/^INC/),
    });
    expectRateHeaders(answer);
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    expect(await getIncident(answer.body.incident_id)).toMatchObject({
      short_description: 'DiskFull on db-1',
      priority: 'P1',
      state: 'new',
      opened_by: 'grafana-eu@webhooks.incidents.localhost',
    });
    const { body: history } = await manager.get(`/incidents/${answer.body.incident_id}/history`);
    expect(history.data[0].origin).toEqual({ kind: 'webhook', id: webhook.id });
  });

  it("accepts events at the webhook's url and at the versioned path", async () => {
    const { body: webhook } = await aWebhook(manager);
    for (const url of [webhook.url, webhook.url.replace('/api/', '/api/v1/')]) {
      const body = new Blob([JSON.stringify(alert())], { type: 'application/json' });
      const response = await fetch(url, { method: 'POST', body });
      expect(response.status).toBe(202);
    }
  });

  it('stores a filtered event without any effect', async () => {
    const filters = [{ field: 'alert.severity', operator: 'eq', value: 'critical' }];
    const { body: webhook } = await aWebhook(manager, { filters });
    const answer = await send(service, webhook.id, alert({ severity: 'info' }));
    expect(answer).toMatchObject({ status: 202, body: { status: 'filtered', incident_id: null } });
    expect((await send(service, webhook.id, alert())).body.status).toBe('created');
  });

  it('rejects a payload without any mapped value', async () => {
    const { body: webhook } = await aWebhook(manager, {
      field_mapping: { short_description: '{{alert.name}} on {{alert.host}}' },
    });
    const answer = await send(service, webhook.id, { foo: 1 });
    expectProblem(answer, 422, 'mapping_failed');
    expect(answer.body.errors).toEqual([{ field: 'short_description', message: 'is required' }]);
  });

  it('never lowers the priority for a repeated key, and raises it', async () => {
    const { body: webhook } = await aWebhook(manager, { dedup_key: '{{alert.name}}' });
    const name = 'Repeated';
    const first = await send(service, webhook.id, alert({ name, severity: 'warning' }));
    expect((await send(service, webhook.id, alert({ name }))).body.status).toBe('updated');
    expect((await send(service, webhook.id, alert({ name, severity: undefined }))).body.status).toBe('deduplicated');
    expect(await getIncident(first.body.incident_id)).toMatchObject({ priority: 'P1' });
  });

  it('lists the invalid fields and stores the event', async () => {
    const field_mapping = { short_description: '{{title}}', priority: '{{severity}}' };
    const { body: webhook } = await aWebhook(manager, { field_mapping });
    const answer = await send(service, webhook.id, { severity: 'urgent' });
    expectProblem(answer, 422, 'mapping_failed');
    expect(answer.body.errors).toEqual([
      { field: 'short_description', message: 'is required' },
      { field: 'priority', message: 'must be one of P1, P2, P3, P4' },
    ]);
    const { body: event } = await manager.get(`/webhooks/inbound/${webhook.id}/events/${answer.body.event_id}`);
    expect(event).toMatchObject({
      status: 'failed',
      payload: { severity: 'urgent' },
      error: { errors: answer.body.errors },
    });
  });

  it.each([
    ['an unknown id', `wh_in_${'0'.repeat(26)}`],
    ['no id of ours', 'x'],
    ['an id that does not decode', '%ff'],
  ])('returns 404 for %s', async (_name, id) => {
    const answer = await send(service, id, alert());
    expectProblem(answer, 404, 'not_found');
    expect(answer.body.detail).toBe('There is no webhook at this URL.');
  });

  it('returns 404 for deleted and inactive webhooks', async () => {
    const { body: webhook } = await aWebhook(manager);
    await manager.patch(`/webhooks/inbound/${webhook.id}`, { active: false });
    expectProblem(await send(service, webhook.id, alert()), 404, 'not_found');
    await manager.patch(`/webhooks/inbound/${webhook.id}`, { active: true });
    expect((await send(service, webhook.id, alert())).status).toBe(202);
    await manager.delete(`/webhooks/inbound/${webhook.id}`);
    expectProblem(await send(service, webhook.id, alert()), 404, 'not_found');
  });

  it('rejects bodies that are malformed, too large or too deep', async () => {
    const { body: webhook } = await aWebhook(manager, { field_mapping: { short_description: 'An event' } });
    expectProblem(await send(service, webhook.id, '{'), 400, 'malformed_json');
    expectProblem(
      await send(service, webhook.id, '{}', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    const text = 'x'.repeat(256 * 1_024 - 11);
    expect((await send(service, webhook.id, `{"large":"${text.slice(1)}"}`)).status).toBe(202);
    expectProblem(await send(service, webhook.id, `{"large":"${text}x"}`), 413, 'payload_too_large');
    expectProblem(await send(service, webhook.id, '['.repeat(10_000) + ']'.repeat(10_000)), 400, 'invalid_input');
  });

  it('accepts 100 events per second and webhook', async () => {
    const { body: webhook } = await aWebhook(manager, { filters: [{ field: 'x', operator: 'exists', value: true }] });
    const { body: other } = await aWebhook(manager, { filters: [{ field: 'x', operator: 'exists', value: true }] });
    await service.hold(true);
    const answers = await Promise.all(Array.from({ length: 105 }, () => send(service, webhook.id, alert())));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 100 }, () => 202), ...Array.from({ length: 5 }, () => 429)]);
    const rejected = answers.find(({ status }) => status === 429)!;
    expectProblem(rejected, 429, 'rate_limited');
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect((await send(service, other.id, alert())).status).toBe(202);
    await service.advance('2s');
    expect((await send(service, webhook.id, alert())).status).toBe(202);
  });

  it('accepts preflights without a token, and returns 405 with the allowed methods', async () => {
    const { body: webhook } = await aWebhook(manager);
    const origin = service.baseUrl;
    const answer = await call(service, `/webhooks/inbound/${webhook.id}`, { method: 'OPTIONS', headers: { origin } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expectProblem(await call(service, `/webhooks/inbound/${webhook.id}`, { method: 'PUT' }), 405, 'method_not_allowed');
  });

  it('takes one read and one transaction, besides the rate limit', async () => {
    const { body: webhook } = await aWebhook(manager);
    // The service levels are read again after five seconds.
    await service.hold(true);
    await send(service, webhook.id, alert());
    const calls = await countCalls(service, 'receive-inbound-event', () => send(service, webhook.id, alert()));
    await service.hold(false);
    expect(calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.TransactWriteItems': 1 });
  });
});

describe('a webhook with a secret', () => {
  let id: string;
  let secret: string;
  beforeAll(async () => {
    ({
      body: { id, secret },
    } = await aWebhook(manager, { secret_enabled: true }));
  });
  beforeEach(() => service.advance('2s'));
  const text = JSON.stringify(alert());

  it.each<[string, (body: string) => Record<string, string>, string]>([
    ['X-Service-Signature', (body) => ({ 'x-service-signature': hex(secret, body) }), 'service_signature'],
    [
      'X-Service-Signature with sha256=',
      (body) => ({ 'x-service-signature': `sha256=${hex(secret, body)}` }),
      'service_signature',
    ],
    ['X-Hub-Signature-256', (body) => ({ 'x-hub-signature-256': `sha256=${hex(secret, body)}` }), 'hub_signature'],
    ['Standard Webhooks', (body) => signStandard(secret, body, { atMs: Date.now() + 30_000 }), 'standard_webhooks'],
  ])('accepts events signed with %s', async (name, headers, proof) => {
    const body = JSON.stringify(alert({ name }));
    const answer = await send(service, id, body, headers(body));
    expect(answer.status).toBe(202);
    const { body: event } = await manager.get(`/webhooks/inbound/${id}/events/${answer.body.event_id}`);
    expect(event.proof).toBe(proof);
  });

  it('looks up the person of a token once in five minutes', async () => {
    const person = await createPerson(service, 'sender@example.com', 'itsm_agent');
    const { access_token } = await getTokens(service, person);
    const post = () => send(service, id, text, { authorization: `Bearer ${access_token}` });
    expect((await post()).status).toBe(202);
    const calls = await countCalls(service, 'receive-inbound-event', async () => {
      expect((await post()).status).toBe(202);
    });
    expect(Object.keys(calls).filter((name) => name.startsWith('cognito-idp.'))).toEqual([]);
  });

  it('shows the reasons of rejections only to its owner', async () => {
    const { body: webhook } = await aWebhook(manager, { secret_enabled: true });
    const path = `/webhooks/inbound/${webhook.id}`;
    const old = Date.now() - 3_600_000;
    const token = await getToken(service, 'viewer');
    const attempts: Record<string, string>[] = [
      {},
      { 'x-service-signature': hex('whsec_other', text) },
      signStandard(webhook.secret, text, { atMs: old }),
      { authorization: `Bearer ${token}` },
    ];
    const details = new Set<string>();
    for (const headers of attempts) {
      const answer = await send(service, webhook.id, text, headers);
      expectProblem(answer, 401, 'unauthorized');
      details.add(answer.body.detail);
    }
    expect(details.size).toBe(1);
    const broken = '{"secret":';
    const signature = { 'x-service-signature': hex(webhook.secret, broken) };
    expectProblem(await send(service, webhook.id, broken, signature), 400, 'malformed_json');
    await manager.patch(path, { active: false });
    expectProblem(await send(service, webhook.id, text), 404, 'not_found');

    const { body } = await manager.get(`${path}/rejections`);
    expect(body.data.map(({ reason, status }: Record<string, unknown>) => [reason, status])).toEqual([
      ['inactive', 404],
      ['not_json', 400],
      ['invalid_token', 401],
      ['stale_timestamp', 401],
      ['invalid_signature', 401],
      ['no_signature', 401],
    ]);
    expect(body.total).toBe(6);
    expect(body.data[1]).toEqual({
      at: expect.stringMatching(/Z$/),
      reason: 'not_json',
      status: 400,
      size_bytes: broken.length,
    });
    const { body: other } = await aWebhook(manager);
    expect((await manager.get(`/webhooks/inbound/${other.id}/rejections`)).body).toEqual({ data: [], total: 0 });
    expectProblem(await manager.get(`/webhooks/inbound/wh_in_${'0'.repeat(26)}/rejections`), 404, 'not_found');
  });

  it('accepts the token of an agent, but not of a viewer', async () => {
    const sendAs = async (client: 'agent' | 'viewer') =>
      send(service, id, text, { authorization: `Bearer ${await getToken(service, client)}` });
    expect((await sendAs('agent')).status).toBe(202);
    expectProblem(await sendAs('viewer'), 401, 'unauthorized');
  });

  it.each<[string, () => Record<string, string>]>([
    ['nothing', () => ({})],
    ['an empty signature', () => ({ 'x-service-signature': '' })],
    ['a signature of another body', () => ({ 'x-service-signature': hex(secret, `${text} `) })],
    ['a signature with another secret', () => ({ 'x-service-signature': hex('whsec_x', text) })],
    [
      'a good and a bad signature',
      () => ({ 'x-service-signature': hex(secret, text), 'x-hub-signature-256': 'sha256=00' }),
    ],
    ['an old timestamp', () => signStandard(secret, text, { atMs: Date.now() - 6 * 60_000 })],
    ['a timestamp from the future', () => signStandard(secret, text, { atMs: Date.now() + 10 * 60_000 })],
    ['a Standard Webhooks signature of another id', () => ({ ...signStandard(secret, text), 'webhook-id': 'msg_2' })],
    ['a token that is none', () => ({ authorization: 'Bearer x' })],
    ['a password', () => ({ authorization: 'Basic eDp5' })],
  ])('rejects %s with the same message', async (_name, headers) => {
    const answer = await send(service, id, text, headers());
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.body.detail).toBe('The event needs a valid signature or the access token of an agent.');
    // The gateway renames this header.
    expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  });

  it('verifies the signature before it parses the body', async () => {
    expectProblem(await send(service, id, '{', { 'x-service-signature': hex(secret, text) }), 401, 'unauthorized');
    expectProblem(await send(service, id, '{', { 'x-service-signature': hex(secret, '{') }), 400, 'malformed_json');
  });

  it('verifies the raw bytes of the body', async () => {
    for (const body of ['{"alert" :{"name":"Ü😀"}}', '{"alert":\n{"name":"\\u00dc"}}']) {
      expect((await send(service, id, body, { 'x-service-signature': hex(secret, body) })).status).toBe(202);
    }
  });

  it('does not count unauthenticated calls against the rate limit', async () => {
    await service.hold(true);
    await Promise.all(Array.from({ length: 120 }, () => send(service, id, text, { 'x-service-signature': '00' })));
    const answer = await send(service, id, text, { 'x-service-signature': hex(secret, text) });
    await service.hold(false);
    expect(answer.status).toBe(202);
  });

  it('caches the opened secret', async () => {
    const sendSigned = () => send(service, id, text, { 'x-service-signature': hex(secret, text) });
    await sendSigned();
    const calls = await countCalls(service, 'receive-inbound-event', async () => {
      for (let index = 0; index < 5; index++) await sendSigned();
    });
    expect(calls).not.toHaveProperty('kms.Decrypt');
  });
});

describe('a repeated signed event', () => {
  const text = JSON.stringify(alert());
  const aSigned = async (fields = {}) => {
    const { body: webhook } = await aWebhook(manager, { secret_enabled: true, ...fields });
    const sendSigned = (headers = {}, body = text) =>
      send(service, webhook.id, body, { 'x-service-signature': hex(webhook.secret, body), ...headers });
    const countEvents = async () => (await manager.get(`/webhooks/inbound/${webhook.id}/events`)).body.total;
    return { webhook, sendSigned, countEvents };
  };
  beforeEach(() => service.advance('2s'));

  it.each([
    ['as it was', {}],
    ['with another unsigned id', { 'idempotency-key': 'fresh', 'webhook-id': 'fresh' }],
  ])('gets the first response for 24 hours: %s', async (_name, headers) => {
    const { webhook, sendSigned, countEvents } = await aSigned();
    const first = await sendSigned();
    expect(first.body.status).toBe('created');
    const repeats = [
      await sendSigned(headers),
      await send(service, webhook.id, text, { 'x-hub-signature-256': hex(webhook.secret, text) }),
    ];
    for (const again of repeats) {
      expect(again).toMatchObject({ status: 202, body: first.body });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(await countEvents()).toBe(1);
    expect((await sendSigned({}, JSON.stringify(alert({ at: 2 })))).body.incident_id).not.toBe(first.body.incident_id);
  });

  it('creates one incident for concurrent events', async () => {
    const { sendSigned, countEvents } = await aSigned();
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendSigned()));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await countEvents()).toBe(1);
  });

  it('does not resolve the next incident of its key', async () => {
    const { body: webhook } = await aWebhook(manager, { dedup_key: '{{alert.host}}' });
    const resolver = await aSigned({
      action: 'resolve_incident',
      field_mapping: {},
      dedup_key: '{{alert.host}}',
      dedup_scope: webhook.id,
    });
    await send(service, webhook.id, text);
    expect((await resolver.sendSigned()).body.status).toBe('updated');
    const { body: next } = await send(service, webhook.id, text);
    await resolver.sendSigned();
    expect(await getIncident(next.incident_id)).toMatchObject({ state: 'new' });
  });

  it('runs again after a failure', async () => {
    const { sendSigned, webhook } = await aSigned({ field_mapping: { short_description: '{{title}}' } });
    expectProblem(await sendSigned(), 422, 'mapping_failed');
    await manager.patch(`/webhooks/inbound/${webhook.id}`, { field_mapping: { short_description: '{{alert.name}}' } });
    expect((await sendSigned()).body.status).toBe('created');
  });

  it('is a new event with another signed id, and cannot be replayed without an id', async () => {
    const { webhook, sendSigned, countEvents } = await aSigned();
    const sendWithBoth = (id: string) =>
      sendSigned(signStandard(webhook.secret, text, { id, atMs: Date.now() + 60_000 }));
    const [first, second] = [await sendWithBoth('msg_1'), await sendWithBoth('msg_2')];
    expect(first.body.incident_id).not.toBe(second.body.incident_id);
    expect((await sendSigned()).body).toEqual(second.body);
    expect(await countEvents()).toBe(2);
  });

  it('is a new event if the webhook accepts repeated bodies', async () => {
    const { sendSigned, webhook } = await aSigned({ accept_repeated_bodies: true });
    expect(webhook.accept_repeated_bodies).toBe(true);
    const [first, second] = [await sendSigned(), await sendSigned()];
    expect(first.body.incident_id).not.toBe(second.body.incident_id);
  });

  it('is a new event after 24 hours', async () => {
    const { sendSigned, webhook } = await aSigned();
    const first = await sendSigned();
    await service.advance('24h', []);
    await service.advance('2s');
    const again = await sendSigned();
    expect(again.body.status).toBe('created');
    expect(again.body.event_id).not.toBe(first.body.event_id);
    manager = await getApi(service, 'manager');
    expect((await manager.get(`/webhooks/inbound/${webhook.id}/events/${first.body.event_id}`)).status).toBe(200);
  });
});

describe('an event that cannot be verified', () => {
  it.each([
    ['kms', 'DisabledException', 'The encryption key of webhook secrets', '300'],
    ['kms', 'AccessDeniedException', 'The encryption key of webhook secrets', '300'],
    ['cognito-idp', 'NotAuthorizedException', 'The access token could not be verified', '1'],
  ])('responds 503 and names the cause when %s responds with %s', async (failing, error, detail, retryAfter) => {
    const { id, secret } = (await aWebhook(manager, { secret_enabled: true })).body;
    const text = JSON.stringify(alert());
    const token = await getToken(service, 'agent');
    // Opened secrets and known callers are cached for five minutes.
    await service.advance('5m1s', []);
    expect((await manager.get('/me')).status).toBe(200);
    const path = `${service.baseUrl}/_local/faults`;
    const fault = JSON.stringify({ service: failing, error, status: 400 });
    await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: fault });
    const proof =
      failing === 'kms' ? { 'x-service-signature': hex(secret, text) } : { authorization: `Bearer ${token}` };
    const received = await send(service, id, text, proof);
    const rotated = await manager.post(`/webhooks/inbound/${id}/rotate-secret`, {});
    await fetch(path, { method: 'DELETE' });
    for (const answer of failing === 'kms' ? [received, rotated] : [received]) {
      expectProblem(answer, 503, 'unavailable');
      expect(answer.body.detail).toContain(detail);
      expect(answer.headers.get('retry-after')).toBe(retryAfter);
    }
  });
});
