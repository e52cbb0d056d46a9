import type { ClientOptions } from '../../../client/client.ts';
import { createClient, ServiceProblem } from '../../../client/index.ts';
import { computeRetryDelayMs, defaultRetryPolicy } from '../../../client/retry.ts';
import fc from '../../support/properties.ts';
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

  it('retries an update after 503, because it sets the same values again', async () => {
    server.respond = failing(1, problemBody(503, 'unavailable'));
    await expect(client().updateTicket({ id: 'T1' }, { state: 'done' })).resolves.toEqual(aTicket);
    expect(server.apiRequests).toHaveLength(2);
  });

  it('does not retry an update with a work note or a deletion after 503, because it may have been applied', async () => {
    server.respond = () => problemBody(503, 'unavailable');
    const noted = { state: 'done', work_note: 'Fixed' } as const;
    await expect(client().updateTicket({ id: 'T1' }, noted)).rejects.toBeInstanceOf(ServiceProblem);
    await expect(client().deleteTicket({ id: 'T1' })).rejects.toBeInstanceOf(ServiceProblem);
    expect(server.apiRequests).toHaveLength(2);
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

describe('client tokens', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  let now = 0;
  beforeEach(() => {
    now = 1_000_000;
    server.apiRequests.length = 0;
    server.tokenRequests.length = 0;
    server.respond = () => ({ body: aTicket });
    server.issueToken = (_, nth) => ({ body: { access_token: `token-${nth}`, expires_in: 3600 } });
  });

  const secret = { clientId: 'c1', clientSecret: 's:1' };
  const client = (credentials: ClientOptions['credentials'] = secret) =>
    ticketClient({
      baseUrl: server.url,
      credentials,
      environment: { now: () => now, pause: async () => {} },
    });
  const sentTokens = () => server.apiRequests.map((request) => request.headers.authorization);

  it('exchanges client id and secret for a token', async () => {
    await client().getTicket({ id: 'T1' });
    const [request] = server.tokenRequests;
    expect(request).toMatchObject({ method: 'POST', url: '/oauth2/token' });
    expect(request!.headers['content-type']).toMatch('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'c1',
      client_secret: 's:1',
    });
    expect(sentTokens()).toEqual(['Bearer token-1']);
  });

  it('reads client id and secret from an API key', async () => {
    const apiKey = `itsm_${Buffer.from('c-9_x:se:cret~~??').toString('base64url')}`;
    await client({ apiKey }).getTicket({ id: 'T1' });
    const form = new URLSearchParams(server.tokenRequests[0]!.body);
    expect([form.get('client_id'), form.get('client_secret')]).toEqual(['c-9_x', 'se:cret~~??']);
  });

  it.each(['', 'itsm_', 'itsm_!!!', `itsm_${Buffer.from('no-colon').toString('base64url')}`, 'sk_YTpi', 'itsm_YTo'])(
    'rejects "%s" as an API key at once',
    (apiKey) => {
      expect(() => client({ apiKey })).toThrow('The API key is not one of this service');
    },
  );

  it('says which credential is not set', () => {
    expect(() => client({ apiKey: undefined })).toThrow('credentials.apiKey is not set');
    expect(() => client({ clientId: 'c1', clientSecret: undefined })).toThrow('credentials.clientSecret is not set');
  });

  it('exchanges once for concurrent calls and caches the token', async () => {
    const one = client();
    await Promise.all(Array.from({ length: 20 }, () => one.getTicket({ id: 'T1' })));
    await one.getTicket({ id: 'T1' });
    expect(server.tokenRequests).toHaveLength(1);
    expect(server.apiRequests).toHaveLength(21);
  });

  it('renews shortly before the token expires, not earlier', async () => {
    const one = client();
    await one.getTicket({ id: 'T1' });
    now += 3_539_000;
    await one.getTicket({ id: 'T1' });
    expect(server.tokenRequests).toHaveLength(1);
    now += 1_000;
    await one.getTicket({ id: 'T1' });
    expect(sentTokens().at(-1)).toBe('Bearer token-2');
  });

  it('replaces a rejected token once for all rejected calls', async () => {
    server.respond = ({ headers }) =>
      headers.authorization === 'Bearer token-1' ? problemBody(401, 'unauthorized') : { body: aTicket };
    const one = client();
    await Promise.all(Array.from({ length: 10 }, () => one.getTicket({ id: 'T1' })));
    expect(server.tokenRequests).toHaveLength(2);
  });

  it('fails when the new token is rejected, too', async () => {
    server.respond = () => problemBody(401, 'unauthorized');
    await expect(client().getTicket({ id: 'T1' })).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect(sentTokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('reports the token endpoint’s rejection and retries with the next call', async () => {
    server.issueToken = (_, nth) =>
      nth === 1 ? { status: 400, body: { error: 'invalid_client' } } : { body: { access_token: 'fine' } };
    const one = client();
    await expect(one.getTicket({ id: 'T1' })).rejects.toMatchObject({ status: 400, code: 'invalid_client' });
    expect(server.apiRequests).toHaveLength(0);
    await one.getTicket({ id: 'T1' });
    expect(sentTokens()).toEqual(['Bearer fine']);
  });

  it('retries a token request after a temporary failure', async () => {
    server.issueToken = (_, nth) => (nth === 1 ? { status: 503 } : { body: { access_token: 'fine', expires_in: 60 } });
    await client().getTicket({ id: 'T1' });
    expect(server.tokenRequests).toHaveLength(2);
  });

  it.each(['<html>', '{}', 'null'])('reports a token response that is %s', async (body) => {
    server.issueToken = () => ({ body });
    await expect(client().getTicket({ id: 'T1' })).rejects.toMatchObject({ code: 'unexpected_response' });
  });

  it('requests the given token before every request, and again after a 401', async () => {
    const asked: unknown[] = [];
    const token = async (context: { rejected?: string }) => {
      asked.push(context);
      return context.rejected ? 'new' : 'old';
    };
    server.respond = ({ headers }) =>
      headers.authorization === 'Bearer old' ? problemBody(401, 'unauthorized') : { body: aTicket };
    await client({ token }).getTicket({ id: 'T1' });
    expect(asked).toEqual([{}, { rejected: 'old' }]);
    expect(sentTokens()).toEqual(['Bearer old', 'Bearer new']);
  });

  it('does not retry the request without another token', async () => {
    server.respond = () => problemBody(401, 'unauthorized');
    await expect(client({ token: () => 'same' }).getTicket({ id: 'T1' })).rejects.toMatchObject({ status: 401 });
    expect(server.apiRequests).toHaveLength(1);
  });
});

const job = (processed: number) => ({
  job_id: 'job_1',
  total: 3,
  processed,
  finished_at: processed === 3 ? 'now' : null,
});

describe('jobs.wait', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  let waits: number[] = [];
  let nowMs = 0;
  beforeEach(() => {
    waits = [];
    nowMs = 0;
    server.apiRequests.length = 0;
  });

  const client = (baseUrl = server.url) =>
    createClient({
      baseUrl,
      credentials: { token: () => 'abc' },
      environment: {
        now: () => nowMs,
        pause: async (ms) => {
          waits.push(ms);
          nowMs += ms;
        },
      },
    });

  it('reports the progress until the job is finished', async () => {
    server.respond = (_, nth) => ({ body: job(nth) });
    const progress: number[] = [];
    const finished = await client().jobs.wait('job_1', { onProgress: ({ processed }) => progress.push(processed) });
    expect(finished.processed).toBe(3);
    expect(progress).toEqual([1, 2, 3]);
    expect(waits).toEqual([200, 300]);
  });

  it('fails when the job takes longer than its time limit', async () => {
    server.respond = () => ({ body: job(1) });
    await expect(client().jobs.wait('job_1', { timeoutMs: 60_000 })).rejects.toMatchObject({ code: 'timeout' });
    expect(nowMs).toBeLessThanOrEqual(60_000);
    expect(Math.max(...waits)).toBe(5_000);
  });

  it('ends when the caller aborts', async () => {
    server.respond = () => ({ body: job(1) });
    const stop = new AbortController();
    const wait = client().jobs.wait('job_1', {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('enough')),
    });
    await expect(wait).rejects.toThrow('enough');
  });

  it('runs a bulk request of any size and reports the indexes of the whole', async () => {
    const sent: { records: unknown[] }[] = [];
    server.respond = ({ method, body }) => {
      if (method === 'POST') sent.push(JSON.parse(body));
      const total = sent.at(-1)?.records.length ?? 0;
      const results = Array.from({ length: total }, (_, index) => ({
        index,
        status: index === 7 ? 'failed' : 'succeeded',
      }));
      return { body: { job_id: `job_${sent.length}`, processed: total, total, finished_at: 'now', results } };
    };
    const one = client();
    const records = Array.from({ length: 250 }, (_, place) => ({ short_description: `Printer ${place}` }));
    const progress: number[] = [];
    const outcome = await one.jobs.run(
      one.bulkIncidents,
      { operation: 'create', records },
      { idempotencyKey: 'load', onProgress: ({ processed }) => progress.push(processed) },
    );
    expect(outcome).toMatchObject({ total: 250, succeeded: 247, failed: 3 });
    expect(outcome.results.filter(({ status }) => status === 'failed').map(({ index }) => index)).toEqual([
      7, 107, 207,
    ]);
    expect(sent.flatMap((request) => request.records)).toEqual(records);
    const keys = server.apiRequests.flatMap(({ headers }) => headers['idempotency-key'] ?? []);
    expect(keys).toEqual(['load-0', 'load-100', 'load-200']);
    expect(progress).toEqual([100, 200, 250]);
  });

  it.each(['', '/', '/prod', '/prod/', '/prod/api', '/prod/api/v1', '/prod/api/v1/'])(
    'finds the API under a base URL that ends in "%s"',
    async (suffix) => {
      server.respond = () => ({ body: job(3) });
      await client(`${server.url}${suffix}`).jobs.wait('job_1');
      expect(server.apiRequests[0]?.url).toBe('/prod/api/v1/jobs/job_1');
    },
  );
});
