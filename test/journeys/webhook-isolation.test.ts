// A receiver that hangs until its timeout, beside one that does not: the second must not notice the first.
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { applyAttempt, createDelivery } from '../../lambdas/webhooks/outbound/delivery.ts';
import { createSqsDeliveryQueue } from '../../lambdas/webhooks/outbound/delivery-queue.ts';
import { createDynamoDeliveryStore } from '../../lambdas/webhooks/outbound/delivery-store.ts';
import { createTokens } from '../bench/callers.ts';
import { type Api, anIncident, createApi, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';
import { createTableClient, findTable } from '../support/tables.ts';

const deliveries = 200;

/** How long a receiver may take to answer. */
const timeoutMs = 10_000;

/** Limits the backlog: the test measures the time of one delivery, not the length of the queue. */
const maxInFlight = 40;

/** One caller may make 100 requests a second; with a caller for each writer, none is throttled. */
const writers = 6;

const { service } = await startTestService();

describe('a receiver that hangs', () => {
  it('does not delay the others', async () => {
    const healthy = await aReceiver();
    const other = await aReceiver();
    const hanging = await aReceiver(() => undefined);
    const manager = await getApi(service, 'manager');
    const apis = (await createTokens(service, writers, 'itsm_agent')).map((token) => createApi(service, token));
    await aWebhook(manager, healthy);

    const beside = await aWebhook(manager, other);
    await measureDelay(apis, healthy, 20);
    const alone = await measureDelay(apis, healthy, deliveries / 4);
    await manager.delete(`/webhooks/outbound/${beside.id}`);
    await aWebhook(manager, hanging);
    const disturbed = await measureDelay(apis, healthy, deliveries);

    expect(hanging.received.length).toBeGreaterThan(20);
    console.log(`p75 ${alone} ms beside a receiver that answers, ${disturbed} ms beside one that hangs`);
    // A delivery that waits for the hanging receiver waits for its whole timeout. p75 tells that apart from a busy machine.
    expect(disturbed).toBeLessThan(Math.max(2 * alone + 250, timeoutMs / 2));
    await Promise.all([healthy.stop(), other.stop(), hanging.stop()]);
  }, 120_000);

  it('does not delay the retries of others', async () => {
    const manager = await getApi(service, 'manager');
    const failing = await aReceiver(503);
    const hanging = await aReceiver(() => undefined);
    await aWebhook(manager, failing);
    await service.hold(true);
    try {
      // One of the webhooks hung before, the other one failed quickly.
      for (const durationMs of [timeoutMs, 40]) await addRetries(manager, hanging, durationMs, hangingRetries / 2);
      // Waits until their retries are scheduled, so that they are first in the queues.
      await service.advance('0s', []);
      await anIncident(manager);
      await failing.until(1);
      // Ends when no request hangs, so nobody waits for it.
      void service.advance('31s', []).catch(() => {});
      await Promise.all([failing.until(2), hanging.until(maxInFlight)]);
      const secondMs = failing.received[1]!.atMs;
      const delayMs = secondMs - Math.min(secondMs, hanging.received[0]!.atMs);
      console.log(`a retry came ${delayMs} ms late beside ${hangingRetries} of a receiver that hangs`);
      expect(delayMs).toBeLessThan(5_000);
    } finally {
      await Promise.all([failing.stop(), hanging.stop()]);
    }
  }, 300_000);
});

/** More: HANGING_RETRIES=10000 npm run jest -- webhook-isolation */
const hangingRetries = Number(process.env.HANGING_RETRIES ?? 600);

/** Adds deliveries that failed once, and lets the workers schedule their retries 30 seconds later. */
async function addRetries(manager: Api, receiver: Receiver, durationMs: number, count: number): Promise<void> {
  // It does not get the incident of the test.
  const { id: webhookId } = await aWebhook(manager, receiver, { events: ['ci.discovered'] });
  const { body } = await manager.get(`/webhooks/outbound/${webhookId}`);
  const nowMs = Date.parse(body.created_at);
  const at = new Date(nowMs - durationMs).toISOString();
  const result = {
    at,
    duration_ms: durationMs,
    status: null,
    error: 'failed',
    response: null,
    retryAfterSeconds: null,
  };
  const failed = Array.from({ length: count }, (_, index) =>
    applyAttempt(
      createDelivery({ webhookId, event: 'incident.created', eventId: `evt_${index}`, payload: '{"a":1}' }, nowMs),
      result,
    ),
  );
  const client = createTableClient(service);
  await createDynamoDeliveryStore(client, await findTable(client, /EventLog/)).create(failed, nowMs);
  const sqs = new SQSClient({ endpoint: service.awsUrl, region: 'us-east-1', credentials: service.awsCredentials });
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const queue = createSqsDeliveryQueue(sqs, { retry: QueueUrls.find((url) => url.includes('RetryQueue'))! });
  const messages = failed.map(({ id, webhook_id }) => ({ known: { id, webhook_id }, attempt: 2 }));
  await queue.send('retry', messages);
}

/** The 75th percentile of the time from the commit to the delivery to the healthy receiver. */
async function measureDelay(apis: readonly Api[], healthy: Receiver, count: number): Promise<number> {
  const first = healthy.received.length;
  let sent = 0;
  const write = async (api: Api) => {
    while (sent < count) {
      sent++;
      await healthy.until(first + sent - maxInFlight);
      await anIncident(api);
    }
  };
  await Promise.all(apis.map(write));
  await healthy.until(first + count);
  const delays = healthy.received.slice(first).map(({ atMs, body }) => atMs - Date.parse(body.timestamp));
  delays.sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.75)]!;
}
