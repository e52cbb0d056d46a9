import * as fc from 'fast-check';
import type { ClientOptions } from '../../../client/client.ts';
import { ServiceProblem } from '../../../client/index.ts';
import { computeRetryDelayMs, defaultRetryPolicy } from '../../../client/retry.ts';
import { problemBody, type Respond, ScriptedServer } from './scripted-server.ts';
import { aTicket, ticketClient } from './tickets.ts';

describe('client retries', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  let waits: number[] = [];
  beforeEach(() => {
    waits = [];
    server.apiRequests.length = 0;
  });

  const client = (options: Partial<ClientOptions> = {}) =>
    ticketClient({
      baseUrl: server.url,
      credentials: { token: () => 'abc' },
      environment: { random: () => 0.5, pause: async (ms) => void waits.push(ms) },
      ...options,
    });

  const failing =
    (failures: number, answer: ReturnType<Respond>): Respond =>
    (_, nth) =>
      nth <= failures ? answer : { body: aTicket };

  it('retries a read after 503 with backoff', async () => {
    server.respond = failing(3, problemBody(503, 'unavailable'));
    await expect(client().getTicket({ id: 'T1' })).resolves.toEqual(aTicket);
    expect(waits).toEqual([125, 250, 500]);
  });

  it('waits at least as long as Retry-After', async () => {
    server.respond = failing(1, { ...problemBody(429, 'rate_limited'), headers: { 'retry-after': '7' } });
    await client().getTicket({ id: 'T1' });
    expect(waits).toEqual([7125]);
  });

  it('stops after the given number of attempts and reports the last failure', async () => {
    server.respond = () => ({ ...problemBody(429, 'rate_limited'), headers: { 'retry-after': '2' } });
    await expect(client({ retry: { retries: 2 } }).getTicket({ id: 'T1' })).rejects.toMatchObject({
      status: 429,
      code: 'rate_limited',
      retryAfterSeconds: 2,
    });
    expect(server.apiRequests).toHaveLength(3);
  });

  it('does not wait longer than its limit', async () => {
    server.respond = () => ({ ...problemBody(503, 'unavailable'), headers: { 'retry-after': '3600' } });
    await expect(client().getTicket({ id: 'T1' })).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(server.apiRequests).toHaveLength(1);
  });

  it('retries a create with the same idempotency key', async () => {
    server.respond = failing(2, problemBody(503, 'unavailable'));
    await client().createTicket({ title: 'one' });
    const keys = new Set(server.apiRequests.map((request) => request.headers['idempotency-key']));
    expect(server.apiRequests).toHaveLength(3);
    expect(keys.size).toBe(1);
  });

  it('does not retry an update after 503, because it may have been applied', async () => {
    server.respond = () => problemBody(503, 'unavailable');
    await expect(client().updateTicket({ id: 'T1' }, { state: 'done' })).rejects.toBeInstanceOf(ServiceProblem);
    expect(server.apiRequests).toHaveLength(1);
  });

  it('retries an update after 429, because it was not applied', async () => {
    server.respond = failing(1, problemBody(429, 'rate_limited'));
    await expect(client().updateTicket({ id: 'T1' }, { state: 'done' })).resolves.toEqual(aTicket);
  });

  it.each([502, 504])('retries a read after %d from a proxy', async (status) => {
    server.respond = failing(1, { status, body: '<html>Bad gateway</html>' });
    await expect(client().getTicket({ id: 'T1' })).resolves.toEqual(aTicket);
  });

  it('retries a create while its first attempt is in progress', async () => {
    server.respond = failing(1, problemBody(409, 'idempotency_key_in_flight'));
    await expect(client().createTicket({ title: 'Printer on fire' })).resolves.toEqual(aTicket);
    const keys = server.apiRequests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  it('retries a read after a connection error', async () => {
    server.respond = failing(1, { fault: 'drop' });
    await expect(client().getTicket({ id: 'T1' })).resolves.toEqual(aTicket);
    expect(server.apiRequests).toHaveLength(2);
  });

  it.each([400, 403, 404, 409, 500])('does not retry after %d', async (status) => {
    server.respond = () => problemBody(status, 'some_code');
    await expect(client().getTicket({ id: 'T1' })).rejects.toMatchObject({ status });
    expect(server.apiRequests).toHaveLength(1);
  });

  it('can be turned off for the client or for one call', async () => {
    server.respond = () => problemBody(503, 'unavailable');
    await expect(client({ retry: { retries: 0 } }).getTicket({ id: 'T1' })).rejects.toMatchObject({ status: 503 });
    await expect(client().getTicket({ id: 'T1' }, { retries: 0 })).rejects.toMatchObject({ status: 503 });
    expect(server.apiRequests).toHaveLength(2);
  });

  it('stops waiting when the caller aborts', async () => {
    const stop = new AbortController();
    server.respond = () => {
      queueMicrotask(() => setImmediate(() => stop.abort(new Error('changed my mind'))));
      return { ...problemBody(429, 'rate_limited'), headers: { 'retry-after': '20' } };
    };
    const call = client({ environment: {} }).getTicket({ id: 'T1' }, { signal: stop.signal });
    await expect(call).rejects.toThrow('changed my mind');
  });
});

describe('computeRetryDelayMs', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('never retries before Retry-After', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(100_000), random, (failures, seconds, r) => {
        expect(computeRetryDelayMs(failures, seconds, defaultRetryPolicy, r)).toBeGreaterThanOrEqual(seconds * 1000);
      }),
    );
  });

  it('randomizes over the whole backoff and stays below its upper bound', () => {
    fc.assert(
      fc.property(fc.nat(40), random, (failures, r) => {
        const delay = computeRetryDelayMs(failures, undefined, defaultRetryPolicy, r);
        expect(delay).toBe(r * Math.min(defaultRetryPolicy.baseDelayMs * 2 ** failures, defaultRetryPolicy.maxDelayMs));
        expect(delay).toBeLessThanOrEqual(defaultRetryPolicy.maxDelayMs);
      }),
    );
  });
});
