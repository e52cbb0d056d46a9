import pMap from 'p-map';
import { type Answer, call, expectProblem, getToken, requestToken } from '../support/http.ts';
import { startTestService } from '../support/incidents.ts';
import { createPerson, signIn } from '../support/people.ts';
import type { Service } from '../support/service.ts';

const { service } = await startTestService();

/** The clock is held meanwhile, so they all arrive in one second, however slow the machine is. */
async function burst(token: string, count: number): Promise<Answer[]> {
  await service.hold(true);
  const responses = await Promise.all(Array.from({ length: count }, () => call(service, '/v1/health', { token })));
  await service.hold(false);
  return responses;
}

function tally(responses: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('the rate limit of 100 requests a second', () => {
  it('rejects exactly the excess requests, and does not affect other callers', async () => {
    const [agent, viewer] = await Promise.all([getToken(service, 'agent'), getToken(service, 'viewer')]);
    await Promise.all([call(service, '/v1/health', { token: agent }), call(service, '/v1/health', { token: viewer })]);
    await service.advance('5s');

    await service.hold(true);
    const health = (token: string) => call(service, '/v1/health', { token });
    const [responses, other] = await Promise.all([
      Promise.all(Array.from({ length: 150 }, () => health(agent))),
      Promise.all(Array.from({ length: 20 }, () => health(viewer))),
    ]);
    await service.hold(false);

    const admitted = responses.filter(({ status }) => status === 200);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(tally(responses)).toEqual({ 200: 100, 429: 50 });
    const remaining = admitted.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a);
    expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => 99 - index));
    for (const response of rejected) {
      expectProblem(response, 429, 'rate_limited');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(response.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(response.headers.get('x-ratelimit-limit')).toBe('100');
    }
    expect(other.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('admits the caller again after the window', async () => {
    const token = await getToken(service, 'manager');
    await service.advance('5s');
    await burst(token, 120);
    await service.advance('2s');
    const response = await call(service, '/v1/health', { token });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining')).toBe('99');
  });

  it("rejects a flooding consumer at the gateway with the service's problem document", async () => {
    const token = await getToken(service, 'admin');
    const responses = [...(await burst(token, 250)), ...(await burst(token, 250))];
    for (const response of responses.filter(({ status }) => status !== 200))
      expectProblem(response, 429, 'rate_limited');
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(100);
  });
});

describe('bulk requests', () => {
  it('have no rate limit: 300 within a second succeed, also at the gateway', async () => {
    const token = await getToken(service, 'agent');
    const send = () =>
      call(service, '/v1/incidents/bulk', {
        method: 'POST',
        token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ operation: 'update', ids: ['INC0000000'], fields: { priority: 'P4' } }),
      });
    await service.hold(true);
    const responses = await pMap(Array.from({ length: 300 }), send, { concurrency: 20 });
    await service.hold(false);
    expect(tally(responses)).toEqual({ 202: 300 });
  });
});

describe('the limits of the AI layer, per minute', () => {
  const limits = { ask: 60, analyze: 30, exemplars: 120, suggest: 120, query: 30 };

  it.each(Object.entries(limits))('/ai/%s: %d for each caller and endpoint', async (endpoint, limit) => {
    // A caller of its own for each endpoint, since the minutes of the others are not over.
    const email = `${endpoint}@example.com`;
    const [token, other] = await Promise.all([
      signIn(service, await createPerson(service, email, 'viewer')),
      getToken(service, 'viewer'),
    ]);
    // An empty request is counted, too, and asks nothing of the model.
    const ask = (name: string, by: string) =>
      call(service, `/v1/ai/${name}`, {
        method: 'POST',
        token: by,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
    await service.hold(true);
    const responses = await Promise.all(Array.from({ length: limit + 5 }, () => ask(endpoint, token)));
    const elsewhere = await ask(endpoint === 'ask' ? 'suggest' : 'ask', token);
    const general = await call(service, '/v1/me', { token });
    const stranger = await ask(endpoint, other);
    await service.hold(false);
    expect(tally(responses)).toEqual({ 400: limit, 429: 5 });
    for (const response of responses) expect(response.headers.get('x-ratelimit-limit')).toBe(String(limit));
    const rejected = responses.find(({ status }) => status === 429)!;
    expectProblem(rejected, 429, 'rate_limited');
    expect(rejected.headers.get('x-ratelimit-remaining')).toBe('0');
    const waitSeconds = Number(rejected.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(50);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(elsewhere.status).toBe(400);
    expect(general.headers.get('x-ratelimit-limit')).toBe('100');
    expect(general.status).toBe(200);
    expect(stranger.status).toBe(400);
    expect(stranger.headers.get('x-ratelimit-remaining')).toBe(String(limit - 1));
    await service.advance('61s', []);
    const later = await ask(endpoint, token);
    expect(later.status).toBe(400);
    expect(later.headers.get('x-ratelimit-remaining')).toBe(String(limit - 1));
  });

  it("counts an owner and all of the owner's API keys together, while each has its own general limit", async () => {
    const owner = await signIn(service, await createPerson(service, 'owner@example.com', 'viewer'));
    const json = { 'content-type': 'application/json' };
    const post = (path: string, token: string, body: object) =>
      call(service, `/v1${path}`, { method: 'POST', token, headers: json, body: JSON.stringify(body) });
    const keys = await Promise.all(['first', 'second'].map((name) => post('/api-keys', owner, { name })));
    const programs = await Promise.all(keys.map(({ body }) => exchangeKey(service, body.key)));
    await service.advance('61s', []);
    await service.hold(true);
    const responses = [
      await post('/ai/ask', owner, {}),
      ...(await Promise.all(programs.flatMap((token) => Array.from({ length: 32 }, () => post('/ai/ask', token, {}))))),
    ];
    const general = await Promise.all(programs.map((token) => call(service, '/v1/me', { token })));
    await service.hold(false);
    expect(tally(responses)).toEqual({ 400: 60, 429: 5 });
    const remaining = responses
      .filter(({ status }) => status === 400)
      .map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 60 }, (_, index) => 59 - index));
    expect(general.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['99', '99']);
  });
});

async function exchangeKey(of: Service, key: string): Promise<string> {
  const [client_id, client_secret] = Buffer.from(key.slice('itsm_'.length), 'base64url').toString().split(':');
  const grant = { grant_type: 'client_credentials', client_id: client_id!, client_secret: client_secret! };
  return (await requestToken(of, grant)).body.access_token!;
}
