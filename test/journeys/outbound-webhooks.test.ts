import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Api, anIncident, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Received, type Receiver } from '../support/receivers.ts';

let manager: Api;

const { service } = await startTestService();
beforeEach(async () => {
  manager = await getApi(service, 'manager');
});

/** All that a receiver needs, with nothing but Node. */
function isGenuine(secret: string, body: Buffer, header: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const given = Buffer.from(header.replace(/^sha256=/, ''), 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function passesLibrary(secret: string, body: Buffer, headers: Received['headers']): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

const flipped = (bytes: Buffer) => {
  const copy = Buffer.from(bytes);
  copy[copy.length - 3]! ^= 1;
  return copy;
};

const hex = ({ headers }: Received) => headers['x-service-signature'] as string;

describe('signatures', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await aReceiver();
  });
  afterEach(async () => {
    await receiver.stop();
    const { body } = await manager.get('/webhooks/outbound');
    for (const { id } of body.data) await manager.delete(`/webhooks/outbound/${id}`);
  });

  it('are verified by the public library and by ten lines of Node, which both reject a modified byte', async () => {
    const { secret } = await aWebhook(manager, receiver, { sign_payloads: true });
    await anIncident(manager, { short_description: 'Größer als ASCII: 日本語 ✓' });
    const [request] = await receiver.until(1);
    const { bytes, headers } = request!;
    expect(hex(request!)).toMatch(/^[0-9a-f]{64}$/);
    expect(isGenuine(secret!, bytes, hex(request!))).toBe(true);
    expect(passesLibrary(secret!, bytes, headers)).toBe(true);
    expect(isGenuine(secret!, flipped(bytes), hex(request!))).toBe(false);
    expect(passesLibrary(secret!, flipped(bytes), headers)).toBe(false);
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(isGenuine(other, bytes, hex(request!)) || passesLibrary(other, bytes, headers)).toBe(false);
  });

  it('are sent with every attempt and contain its time', async () => {
    receiver.answer((_request, number) => (number === 1 ? 500 : 200));
    const { secret } = await aWebhook(manager, receiver, { sign_payloads: true });
    await anIncident(manager);
    await receiver.until(1);
    await service.advance('31s');
    const [first, second] = await receiver.until(2);
    const seconds = [first!, second!].map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(seconds[1]! - seconds[0]!).toBeGreaterThanOrEqual(30);
    expect(first!.headers['webhook-id']).toBe(second!.headers['webhook-id']);
    expect(isGenuine(secret!, second!.bytes, hex(second!))).toBe(true);
    const standard = createHmac('sha256', Buffer.from(secret!.slice(6), 'base64'))
      .update(`${second!.headers['webhook-id']}.${seconds[1]}.`)
      .update(second!.bytes)
      .digest('base64');
    expect(second!.headers['webhook-signature']).toBe(`v1,${standard}`);
  });

  it('use the old and the new secret after a rotation', async () => {
    const webhook = await aWebhook(manager, receiver, { sign_payloads: true });
    const rotation = await manager.post(`/webhooks/outbound/${webhook.id}/rotate-secret`, undefined);
    expect(rotation.status).toBe(200);
    const [before, after] = [webhook.secret!, rotation.body.secret as string];
    expect(after).not.toBe(before);
    await anIncident(manager);
    const [request] = await receiver.until(1);
    const { bytes, headers } = request!;
    expect(isGenuine(after, bytes, hex(request!))).toBe(true);
    expect(isGenuine(before, bytes, headers['x-service-signature-previous'] as string)).toBe(true);

    expect(signedWith(after, request!) && signedWith(before, request!)).toBe(true);
  });

  it('are not sent by default', async () => {
    await aWebhook(manager, receiver, { headers: { Authorization: 'Bearer of-the-receiver', 'X-Room': 'mail' } });
    await anIncident(manager);
    const { headers } = (await receiver.until(1))[0]!;
    expect(headers['x-service-signature']).toBeUndefined();
    expect(headers['webhook-signature']).toBeUndefined();
    expect(headers).toMatchObject({ authorization: 'Bearer of-the-receiver', 'x-room': 'mail' });
  });
});

/** Whether one of the Standard Webhooks signatures was made with the secret, whatever the time is now. */
function signedWith(secret: string, { headers, bytes }: Received): boolean {
  const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
    .update(bytes)
    .digest('base64');
  return (headers['webhook-signature'] as string).split(' ').includes(`v1,${signature}`);
}

/** Seconds before each attempt. */
const ladder = [0, 30, 120, 600, 1_800];

const onlyDelivery = async (webhookId: string) => {
  const { body } = await manager.get(`/webhooks/outbound/${webhookId}/deliveries`);
  expect(body.data).toHaveLength(1);
  const address = `/webhooks/outbound/${webhookId}/deliveries/${body.data[0].id}`;
  return { address, ...(await manager.get(address)).body };
};

describe('retries', () => {
  it('reach receivers that fail up to four times, and end after the fifth attempt', async () => {
    const cases = await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (failures) => {
        const receiver = await aReceiver((_request, number) => (number <= failures ? 503 : 200));
        return { failures, receiver, webhook: await aWebhook(manager, receiver, { sign_payloads: true }) };
      }),
    );
    const received = () => cases.map(({ receiver }) => receiver.received.length);
    const expected = (attempts: number) => cases.map(({ failures }) => Math.min(failures + 1, attempts));
    // From here on the time stands still, so that every moment is exact.
    await service.hold(true);
    const { body: incident } = await anIncident(manager);
    await service.advance('0s');
    expect(received()).toEqual(expected(1));
    for (let attempt = 2; attempt <= ladder.length; attempt++) {
      await service.advance(`${ladder[attempt - 1]! - 1}s`, ['redrive-deliveries']);
      expect(received()).toEqual(expected(attempt - 1));
      await service.advance('1s');
      expect(received()).toEqual(expected(attempt));
    }
    await service.advance('31m', ['redrive-deliveries']);
    expect(received()).toEqual(expected(ladder.length));
    // A token lasts an hour.
    manager = await getApi(service, 'manager');
    for (const { failures, receiver, webhook } of cases) {
      await expectHistory(webhook.id, receiver.received, incident, failures);
      await manager.delete(`/webhooks/outbound/${webhook.id}`);
      await receiver.stop();
    }
    await service.hold(false);
  });

  it('notify the owner of a failed delivery, which can be replayed', async () => {
    const receiver = await aReceiver(500);
    const webhook = await aWebhook(manager, receiver, { name: 'The chat room' });
    await anIncident(manager);
    await receiver.until(1);
    await service.advance('43m', ['redrive-deliveries']);
    const failed = await onlyDelivery(webhook.id);
    expect(failed.status).toBe('failed');
    const { body: notifications } = await manager.get('/notifications');
    const own = notifications.data.find((one: { webhook_id: string }) => one.webhook_id === webhook.id);
    expect(own).toMatchObject({
      event: 'webhook.delivery_failed',
      webhook_id: webhook.id,
      webhook_name: 'The chat room',
      delivery_id: failed.id,
      delivered_event: 'incident.created',
      attempts_made: 5,
      last_status: 500,
      replay_url: `/prod/api/v1${failed.address}/replay`,
    });

    const published = (await service.published()).filter(({ message }) => message.includes(webhook.id));
    expect(published).toMatchObject([{ subject: `Webhook ${webhook.id} failed` }]);
    expect(published[0]!.message).toContain('The webhook "The chat room" did not receive incident.created.');
    // Whether somebody has read it is not for subscribers.
    const { read: _, ...notification } = own;
    expect(JSON.parse(published[0]!.message.split('\n\n')[1]!)).toEqual(notification);

    receiver.answer(200);
    const replay = await manager.post(`${failed.address}/replay`, {});
    expect(replay.status).toBe(202);
    expect(replay.body).toMatchObject({ status: 'pending', replay_of: failed.id, event_id: failed.event_id });
    const requests = await receiver.until(6);
    expect(requests[5]!.bytes.equals(requests[0]!.bytes)).toBe(true);
    expect(requests[5]!.headers['webhook-id']).toBe(requests[0]!.headers['webhook-id']);
    expect(requests[5]!.headers['x-service-delivery']).toBe(replay.body.id);
    expect(requests[5]!.headers['x-service-attempt']).toBe('1');
    await service.advance('1s');
    const again = await manager.get(replay.headers.get('location')!.replace('/prod/api/v1', ''));
    expect(again.body.status).toBe('delivered');
    await receiver.stop();
  });
});

async function expectHistory(
  webhookId: string,
  received: readonly Received[],
  incident: { id: string },
  failures: number,
): Promise<void> {
  const made = Math.min(failures + 1, 5);
  const delivery = await onlyDelivery(webhookId);
  expect(delivery.status).toBe(failures < 5 ? 'delivered' : 'failed');
  expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual(
    received.map((_, place) => (place < failures ? 503 : 200)),
  );
  const times = delivery.attempts.map(({ at }: { at: string }) => Date.parse(at));
  const waits = times.map((time: number, place: number) => (place === 0 ? 0 : time - times[place - 1]));
  expect(waits).toEqual(ladder.slice(0, made).map((seconds) => seconds * 1_000));
  for (const [place, request] of received.entries()) {
    expect(request.bytes.equals(received[0]!.bytes)).toBe(true);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': delivery.event_id,
      'webhook-timestamp': String(Math.floor(times[place] / 1_000)),
      'x-service-event': 'incident.created',
      'x-service-delivery': delivery.id,
      'x-service-attempt': String(place + 1),
      'x-service-signature': received[0]!.headers['x-service-signature'],
    });
  }
  expect(received[0]!.body).toMatchObject({
    event: 'incident.created',
    service_instance: 'local',
    data: { id: incident.id },
  });
}
