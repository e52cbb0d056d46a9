// A receiver that hangs until its timeout, beside one that does not: the second must not notice the first.
import { createTokens } from '../bench/callers.ts';
import { type Api, anIncident, createApi, getApi, startTestService } from '../support/incidents.ts';
import { aReceiver, aWebhook, type Receiver } from '../support/receivers.ts';

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
});

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
