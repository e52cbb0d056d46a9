import { verifyWebhook } from '../../../client/index.ts';
import { deliveryPayloads } from '../../../contract/event-payloads.ts';
import { eventTypes } from '../../../contract/events.ts';
import { eventRules, type RecordChange, toEvents } from '../../../lambdas/events/event.ts';
import { signHex, signStandardWebhook } from '../../../lambdas/webhooks/signature.ts';

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI=';
const nowMs = Date.parse('2026-03-01T10:00:00Z');
const body = JSON.stringify({
  event: 'incident.created',
  data: { id: 'INC7Q2M4KX', short_description: 'Zürich is down' },
});
const now = () => nowMs;

function sign(text: string, atMs = nowMs) {
  const seconds = Math.floor(atMs / 1000);
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandardWebhook(secret, 'evt_1', seconds, Buffer.from(text)),
    'X-Service-Signature': signHex(secret, Buffer.from(text)),
  };
}

const only = (headers: Record<string, string>, name: string) => ({ [name]: headers[name] });
const invalid = { code: 'invalid_signature', status: 0 };

describe('verifyWebhook', () => {
  it('returns the payload of a delivery that carries both signatures', async () => {
    const event = await verifyWebhook(body, sign(body), secret, { now });
    expect(event).toEqual(JSON.parse(body));
  });

  it('accepts bytes, Headers and the headers of Node', async () => {
    const bytes = new Uint8Array(Buffer.from(body));
    await verifyWebhook(bytes, new Headers(sign(body)), secret, { now });
    const lists = Object.fromEntries(Object.entries(sign(body)).map(([name, value]) => [name.toLowerCase(), [value]]));
    await verifyWebhook(bytes, lists, secret, { now });
  });

  it.each(['', 'sha256='])('accepts X-Service-Signature alone with the prefix "%s"', async (prefix) => {
    const headers = { 'x-service-signature': `${prefix}${signHex(secret, Buffer.from(body))}` };
    await expect(verifyWebhook(body, headers, secret)).resolves.toBeDefined();
    await expect(verifyWebhook(body, headers, secret, { schemes: ['standard'] })).rejects.toMatchObject(invalid);
  });

  it('accepts one of several secrets while a secret rotates', async () => {
    await verifyWebhook(body, sign(body), ['whsec_b2xkIHNlY3JldA==', secret], { now });
  });

  it.each([
    ['another body', () => [`${body} `, sign(body)] as const],
    ['another secret', () => [body, { ...sign(body), 'webhook-signature': 'v1,AAAA' }] as const],
    ['no signature', () => [body, {}] as const],
    ['no id', () => [body, { ...sign(body), 'webhook-id': 'evt_2' }] as const],
    ['an old timestamp', () => [body, sign(body, nowMs - 301_000)] as const],
    ['a timestamp that is no number', () => [body, { ...sign(body), 'webhook-timestamp': 'now' }] as const],
    ['a signature that is no hex', () => [body, { 'X-Service-Signature': 'zz' }] as const],
    ['a body that is no JSON', () => ['{', only(sign('{'), 'X-Service-Signature')] as const],
  ])('rejects %s', async (_, make) => {
    const [text, headers] = make();
    await expect(verifyWebhook(text, headers, secret, { now })).rejects.toMatchObject(invalid);
  });

  it('rejects an empty secret instead of using an empty key', async () => {
    await expect(verifyWebhook(body, sign(body), '', { now })).rejects.toMatchObject(invalid);
  });
});

describe('typed payloads', () => {
  const formatter = { rules: eventRules, serviceInstance: 'prod', apiUrl: 'https://incidents.example.com/prod/api/v1' };
  const change = (type: string, id: string, before: object | null, after: object): RecordChange => ({
    type,
    id,
    version: 2,
    at: '2026-03-01T10:00:00.000Z',
    actor: 'ada@example.com',
    origin: { kind: 'api', id: null },
    before: before && { document: before, deleted: false },
    after: { document: after, deleted: false },
  });
  const incident = { short_description: 'Mail', priority: 'P3', state: 'in_progress' };
  const marks = { sla_warned_at: '2026-03-01T10:00:00.000Z', sla_breached_at: '2026-03-01T10:00:00.000Z' };
  const titled = (state: string) => ({ short_description: 'Upgrade', state });
  const ci = { name: 'web-01', class: 'server', status: 'operational', discovered_at: '2026-03-01T10:00:00.000Z' };
  const changes = [
    change('incident', 'INC7Q2M4KX', null, { ...incident, state: 'new' }),
    change('incident', 'INC7Q2M4KX', incident, { ...incident, priority: 'P1', state: 'resolved', ...marks }),
    ...['submitted', 'approved', 'rejected'].map((state) => change('change', 'CHG7Q2M4KX', null, titled(state))),
    ...['submitted', 'approved'].map((state) => change('request', 'REQ7Q2M4KX', null, titled(state))),
    change('ci', 'CI0000042', null, ci),
  ];

  it('describe what the service emits for every event type', () => {
    const payloads = changes.flatMap((one) => toEvents(one, formatter)).map(({ payload }) => JSON.parse(payload));
    expect(new Set(payloads.map(({ event }) => event))).toEqual(new Set(eventTypes));
    for (const payload of payloads) {
      const schema = deliveryPayloads.find(({ event }) => event === payload.event)?.schema;
      expect(schema?.strict().safeParse(payload).error).toBeUndefined();
    }
  });

  it.each(deliveryPayloads)('have a valid example for $event', ({ schema, example }) => {
    expect(schema.safeParse(example).error).toBeUndefined();
  });
});
