import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { type Api, anIncident, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Received, type Receiver } from '../support/receivers.ts';

let manager: Api;
let receiver: Receiver;

const { service } = await startTestService();
beforeEach(async () => {
  receiver = await aReceiver();
  manager = await getApi(service, 'manager');
});
afterEach(() => receiver.stop());

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
  it('are verified by the public library and by ten lines of Node, and by neither with a flipped byte', async () => {
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

  it('are on every attempt, with the time of the attempt', async () => {
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

  it('are made with the old and the new secret after a rotation', async () => {
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

  it('are not there unless asked for', async () => {
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
