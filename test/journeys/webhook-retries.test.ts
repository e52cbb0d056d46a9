import { type Api, anIncident, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Received } from '../support/receivers.ts';

/** Seconds before each attempt. */
const ladder = [0, 30, 120, 600, 1_800];

let manager: Api;

const { service } = await startTestService();
beforeEach(async () => {
  manager = await getApi(service, 'manager');
});

const onlyDelivery = async (webhookId: string) => {
  const { body } = await manager.get(`/webhooks/outbound/${webhookId}/deliveries`);
  expect(body.data).toHaveLength(1);
  const address = `/webhooks/outbound/${webhookId}/deliveries/${body.data[0].id}`;
  return { address, ...(await manager.get(address)).body };
};

describe('the retry ladder', () => {
  it('reaches receivers that fail up to four times, and gives up after the fifth', async () => {
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

  it('tells the owner of what was given up, and replays it on request', async () => {
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
