import { signHex } from '../../lambdas/webhooks/signature.ts';
import { expectAccess, expectNotFound, type Request } from '../support/access.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, type Fields, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';

let manager: Api;
let viewer: Api;
let receiver: Receiver;
const { service } = await startTestService();
beforeEach(async () => {
  [manager, viewer] = await Promise.all([getApi(service, 'manager'), getApi(service, 'viewer')]);
  receiver = await aReceiver();
});
afterEach(() => receiver.stop());

const unknownWebhook = `wh_out_${'0'.repeat(26)}`;
const unknownDelivery = `dlv_${'0'.repeat(26)}`;
const none = { data: [], total: 0, total_is_exact: true };
const noTime = expect.stringMatching(/^\d{4}-.*Z$/);

/** The path of a new webhook, so that its lists contain no deliveries of other tests. */
async function aPath(fields: Fields = {}): Promise<string> {
  return `/webhooks/outbound/${(await aWebhook(manager, receiver, fields)).id}`;
}

/** Completes all pending deliveries. */
const settle = () => service.advance('1s');

const toApiPath = (location: string | null) => location!.replace('/prod/api/v1', '');

describe('testOutboundWebhook', () => {
  it('sends a signed ping, also while the webhook is inactive, and returns its result', async () => {
    const path = await aPath({ active: false, sign_payloads: true, headers: { 'X-Room': 'mail' } });
    const answer = await manager.post(`${path}/test`, undefined);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ event: 'ping', status: 'pending', attempts_made: 0, replay_of: null });
    const [request] = await receiver.until(1);
    expect(request!.headers).toMatchObject({
      'x-service-event': 'ping',
      'x-service-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
      'x-room': 'mail',
    });
    expect(request!.body).toMatchObject({ event: 'ping', data: { id: path.split('/')[3] } });
    await settle();
    const { body } = await manager.get(toApiPath(answer.headers.get('location')));
    expect(body).toMatchObject({ status: 'delivered', last_status: 200, attempts: [{ response: 'answer 1' }] });
  });

  it('sends signed events in the format of the webhook', async () => {
    const path = await aPath({ format: 'cloudevents', events: ['incident.created'], sign_payloads: true });
    await anIncident(manager);
    const [request] = await receiver.until(1);
    expect(request).toMatchObject({
      headers: { 'content-type': 'application/cloudevents+json; charset=utf-8', 'x-service-event': 'incident.created' },
      body: { specversion: '1.0', type: 'incident.created', id: request?.headers['webhook-id'] },
    });
    await settle();
    const { body: list } = await manager.get(`${path}/deliveries`);
    const { body } = await manager.get(`${path}/deliveries/${list.data[0].id}`);
    expect(body).toMatchObject({ status: 'delivered', payload: request?.body });
    expectProblem(await manager.patch(path, { format: 'smoke' }), 400, 'invalid_input');
  });

  it('sends no header values or signatures of the previous receiver to a new origin', async () => {
    const path = await aPath({
      sign_payloads: true,
      headers: { Authorization: 'Bearer opensesame', 'X-Room': 'mail' },
    });
    const other = await aReceiver();
    try {
      await manager.post(`${path}/rotate-secret`, undefined);
      const moved = await manager.patch(path, { url: other.url, headers: { 'x-room': '[hidden]', 'X-New': '1' } });
      expect(moved.status).toBe(200);
      await manager.post(`${path}/test`, undefined);
      const [request] = await other.until(1);
      expect(request!.headers).not.toHaveProperty('authorization');
      expect(request!.headers).not.toHaveProperty('x-room');
      expect(request!.headers).not.toHaveProperty('x-service-signature-previous');
      expect(request!.headers['x-new']).toBe('1');
      expect(request!.headers['x-service-signature']).toBe(signHex(moved.body.secret, request!.bytes));
      expect(String(request!.headers['webhook-signature']).split(' ')).toHaveLength(1);
    } finally {
      await other.stop();
    }
  });

  it('hides header values that the receiver echoes', async () => {
    receiver.answer(({ headers }, _number, response) => {
      response.writeHead(200).end(JSON.stringify({ echo: headers['x-token'], other: 'visible' }));
      return undefined;
    });
    const path = await aPath({ headers: { 'X-Token': 'open "sesame"' } });
    const { headers } = await manager.post(`${path}/test`, undefined);
    await receiver.until(1);
    await settle();
    const { body } = await manager.get(toApiPath(headers.get('location')));
    expect(body.attempts[0].response).toBe('{"echo":"[hidden]","other":"visible"}');
  });

  it('does not retry a failed ping, and alerts nobody', async () => {
    receiver.answer(500);
    const path = await aPath();
    const { headers } = await manager.post(`${path}/test`, undefined);
    await receiver.until(1);
    await settle();
    expect((await manager.get(toApiPath(headers.get('location')))).body).toMatchObject({
      status: 'failed',
      attempts: [{ attempt: 1, status: 500, error: 'returned 500' }],
    });
    const { body } = await manager.get('/notifications');
    expect(body.data.filter((one: { webhook_id: string }) => path.endsWith(one.webhook_id))).toEqual([]);
  });

  it('sends one ping per idempotency key', async () => {
    const path = await aPath();
    const ping = () => manager.post(`${path}/test`, undefined, { 'idempotency-key': 'ping' });
    const [first, again] = [await ping(), await ping()];
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await settle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('listDeliveryStatistics', () => {
  it('returns no rates without deliveries, and pages over all webhooks', async () => {
    const id = (await aPath()).split('/').at(-1);
    await aPath();
    const first = await manager.get('/webhooks/outbound/statistics?limit=1');
    const second = await manager.get(`/webhooks/outbound/statistics?limit=1&cursor=${first.body.next_cursor}`);
    expect(second.body.total).toBe(first.body.total);
    expect(second.body.data).toEqual([
      {
        webhook_id: id,
        deliveries: 0,
        since: null,
        delivered: 0,
        failed: 0,
        open: 0,
        success_rate: null,
        median_ms: null,
        p95_ms: null,
        last_error: null,
      },
    ]);
    expect((await manager.get(`/webhooks/outbound/statistics?webhook_id=${unknownWebhook}`)).body.total).toBe(0);
    expectProblem(await manager.get('/webhooks/outbound/statistics?webhook_id=x&limit=51'), 400, 'invalid_input');
  });
});

describe('listDeliveries', () => {
  it('lists newest first, page by page, with an exact total for every filter', async () => {
    receiver.answer((_request, number) => (number <= 2 ? 200 : 503));
    const path = await aPath();
    for (let made = 1; made <= 4; made++) {
      await anIncident(manager);
      await receiver.until(made);
    }
    await manager.post(`${path}/test`, undefined);
    await receiver.until(5);
    await settle();
    const listDeliveries = async (query: string) => (await manager.get(`${path}/deliveries?${query}`)).body;
    const all = await listDeliveries('limit=200');
    expect(all).toMatchObject({
      total: 5,
      total_is_exact: true,
      data: [{ event: 'ping', status: 'failed' }, {}, {}, {}, {}],
    });
    expect(all).not.toHaveProperty('next_cursor');
    const pages = [await listDeliveries('limit=3')];
    pages.push(await listDeliveries(`limit=3&cursor=${pages[0].next_cursor}`));
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
    expect(pages.map(({ total }) => total)).toEqual([5, 5]);
    expect(await listDeliveries('status=delivered&limit=1')).toMatchObject({
      total: 2,
      next_cursor: expect.any(String),
    });
    expect(await listDeliveries('status=retrying')).toMatchObject({ total: 2 });
    expect(await listDeliveries('status=failed&event=ping')).toMatchObject({ total: 1 });
    expect(await listDeliveries('status=failed&event=incident.created')).toEqual(none);
    const foreign = await manager.get(`${path}/deliveries?status=failed&cursor=${pages[0].next_cursor}`);
    expectProblem(foreign, 400, 'invalid_input');

    const id = path.split('/').at(-1);
    const { body: statistics } = await manager.get(`/webhooks/outbound/statistics?webhook_id=${id}`);
    expect(statistics).toEqual({
      data: [
        {
          webhook_id: id,
          deliveries: 5,
          since: all.data[4].created_at,
          delivered: 2,
          failed: 1,
          open: 2,
          success_rate: 0.6667,
          median_ms: expect.any(Number),
          p95_ms: expect.any(Number),
          last_error: { at: noTime, delivery_id: all.data[0].id, status: 503, error: 'returned 503' },
        },
      ],
      total: 1,
    });
  });

  it('shows deliveries of a deactivated webhook as cancelled immediately, also in filters and totals, except pings', async () => {
    let answerPing = () => {};
    receiver.answer((_request, number, response) => {
      answerPing = () => void response.end();
      return number === 1 ? 503 : undefined;
    });
    const path = await aPath();
    await anIncident(manager);
    await receiver.until(1);
    await settle();
    const { body: ping } = await manager.post(`${path}/test`, undefined);
    await receiver.until(2);
    const { body: webhook } = await manager.patch(path, { active: false });
    const listDeliveries = async (query: string) => (await manager.get(`${path}/deliveries?${query}`)).body;
    expect(await listDeliveries('status=retrying')).toEqual(none);
    const { data, total } = await listDeliveries('status=cancelled');
    expect(total).toBe(1);
    expect(data[0]).toMatchObject({ status: 'cancelled', next_attempt_at: null, finished_at: webhook.updated_at });
    expect((await manager.get(`${path}/deliveries/${data[0].id}`)).body).toMatchObject(data[0]);
    expect(await listDeliveries('status=pending')).toMatchObject({ data: [{ id: ping.id }], total: 1 });
    answerPing();
    // Cancelled deliveries stay cancelled after the webhook is active again.
    await manager.patch(path, { active: true });
    expect(await listDeliveries('status=cancelled')).toEqual({ data, total, total_is_exact: true });
    await service.advance('31s');
    expect(await listDeliveries('status=cancelled')).toEqual({ data, total, total_is_exact: true });
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['incident.created', 'ping']);
  });

  it('lists all problems', async () => {
    const answer = await manager.get(`${await aPath()}/deliveries?status=lost&event=x&limit=0&colour=red`);
    expectProblem(answer, 400, 'invalid_input', ['colour', 'event', 'limit', 'status']);
  });

  it('takes one read and one query per partition', async () => {
    const path = await aPath();
    await settle();
    const calls = await countCalls(service, 'list-deliveries', () => manager.get(`${path}/deliveries`));
    // 16 shards and the partition of earlier releases.
    expect(calls).toEqual({ 'dynamodb.GetItem': 1, 'dynamodb.Query': 17 });
  });
});

describe('getDelivery', () => {
  it('returns the payload and every attempt', async () => {
    receiver.answer((_request, number) => (number === 1 ? 500 : 200));
    const path = await aPath();
    const { body: incident } = await anIncident(manager);
    await receiver.until(1);
    await settle();
    await service.advance('31s');
    await receiver.until(2);
    await settle();
    const { data } = (await manager.get(`${path}/deliveries`)).body;
    const { status, body } = await manager.get(`${path}/deliveries/${data[0].id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...data[0],
      payload: receiver.received[0]!.body,
      attempts: [
        {
          attempt: 1,
          at: noTime,
          status: 500,
          duration_ms: expect.any(Number),
          error: 'returned 500',
          response: 'answer 1',
        },
        { attempt: 2, at: noTime, status: 200, duration_ms: expect.any(Number), error: null, response: 'answer 2' },
      ],
    });
    expect(body).toMatchObject({ status: 'delivered', attempts_made: 2, payload: { data: { id: incident.id } } });
  });
});

describe('replayDelivery', () => {
  it('sends the same bytes again, once per idempotency key', async () => {
    const path = await aPath();
    await anIncident(manager);
    await receiver.until(1);
    await settle();
    const { data } = (await manager.get(`${path}/deliveries`)).body;
    const replay = () =>
      manager.post(`${path}/deliveries/${data[0].id}/replay`, undefined, { 'idempotency-key': 'again' });
    const [first, again] = [await replay(), await replay()];
    expect(first).toMatchObject({ status: 202, body: { replay_of: data[0].id, event_id: data[0].event_id } });
    expect(first.headers.get('location')).toBe(`/prod/api/v1${path}/deliveries/${first.body.id}`);
    expect(again.body.id).toBe(first.body.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await settle();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]!.bytes.equals(receiver.received[0]!.bytes)).toBe(true);
    await manager.patch(path, { active: false });
    expectProblem(await manager.post(`${path}/deliveries/${data[0].id}/replay`, undefined), 409, 'webhook_inactive');
  });
});

describe('recoverDeliveries', () => {
  it('replays each failed delivery since a time once', async () => {
    receiver.answer(500);
    const path = await aPath();
    const since = new Date(Date.parse((await manager.get(path)).body.created_at) - 1).toISOString();
    await anIncident(manager);
    await anIncident(manager);
    await receiver.until(2);
    await service.advance('43m', ['redrive-deliveries']);
    receiver.answer(200);
    manager = await getApi(service, 'manager');
    const recover = (body: object) => manager.post(`${path}/recover`, body);
    expect((await recover({ since: '2090-01-01T00:00:00Z' })).body).toEqual({ replayed: 0, more: false });
    expect(await recover({ since })).toMatchObject({ status: 202, body: { replayed: 2, more: false } });
    expect((await recover({ since })).body).toEqual({ replayed: 0, more: false });
    await settle();
    expect(receiver.received).toHaveLength(12);
    expect((await manager.get(`${path}/deliveries?status=delivered`)).body.total).toBe(2);
    await manager.patch(path, { active: false });
    expectProblem(await recover({ since }), 409, 'webhook_inactive');
  });

  it.each([
    ['no moment', {}, ['since']],
    ['a moment that is none, and more', { since: 'yesterday', until: 1 }, ['since', 'until']],
  ])('rejects %s', async (_name, body, fields) => {
    expectProblem(await manager.post(`${await aPath()}/recover`, body), 400, 'invalid_input', fields);
  });
});

describe('listEvents', () => {
  it('lets viewers read the feed from any sequence number', async () => {
    const { body: incident } = await anIncident(manager);
    await settle();
    const { latest } = (await viewer.get('/events')).body;
    const { status, body } = await viewer.get(`/events?after=${latest - 1}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ next_after: latest, latest, data: [{ sequence: latest, data: { id: incident.id } }] });
  });

  it('lists all problems', async () => {
    const answer = await viewer.get('/events?after=-1&limit=201&before=3');
    expectProblem(answer, 400, 'invalid_input', ['after', 'before', 'limit']);
  });
});

describe('listNotifications', () => {
  it('lists the notifications of a group, or of the caller without a group, newest first', async () => {
    const incidents: string[] = [];
    for (let made = 0; made < 3; made++) {
      const fields = { assignment_group: 'night', notify_stakeholders: true };
      incidents.unshift((await anIncident(manager, fields)).body.id);
    }
    await service.advance('1ms', []);
    const first = (await viewer.get('/notifications?group=night&limit=2')).body;
    expect(first).toMatchObject({ total: 3, data: [{ event: 'incident.created', group: 'night' }, {}] });
    const next = (await viewer.get(`/notifications?group=night&limit=2&cursor=${first.next_cursor}`)).body;
    const ids = [...first.data, ...next.data].map((one: { incident_id: string }) => one.incident_id);
    expect(ids).toEqual(incidents);
    expect(next).not.toHaveProperty('next_cursor');
    expect((await viewer.get('/notifications')).body).toEqual({ data: [], total: 0, unread: 0 });
    expectProblem(await viewer.get(`/notifications?cursor=${first.next_cursor}`), 400, 'invalid_input');
  });

  it('lists all problems', async () => {
    const answer = await viewer.get('/notifications?group=&limit=x&since=1');
    expectProblem(answer, 400, 'invalid_input', ['group', 'limit', 'since']);
  });
});

describe('deliveries, events and notifications', () => {
  const managed = (path: string, delivery = unknownDelivery): Request[] => [
    ['POST', `${path}/test`],
    ['GET', `${path}/deliveries`],
    ['GET', `${path}/deliveries/${delivery}`],
    ['POST', `${path}/deliveries/${delivery}/replay`],
    ['POST', `${path}/recover`, { since: '2026-01-01T00:00:00Z' }],
  ];

  it('require a token; deliveries require a manager', async () => {
    await expectAccess(service, [...managed(await aPath()), ['GET', '/webhooks/outbound/statistics']], 'agent');
    await expectAccess(service, [
      ['GET', '/events'],
      ['GET', '/notifications'],
    ]);
  });

  it('return 404 for unknown ids and below another webhook', async () => {
    await expectNotFound(service, managed(`/webhooks/outbound/${unknownWebhook}`), 'manager');
    const { body: ping } = await manager.post(`${await aPath()}/test`, undefined);
    const foreign = managed(await aPath(), ping.id).slice(2, 4);
    await expectNotFound(service, foreign, 'manager');
  });
});
