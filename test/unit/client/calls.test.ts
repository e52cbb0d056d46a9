import { ScriptedServer } from './scripted-server.ts';
import { aTicket, ticketClient } from './tickets.ts';

describe('client calls', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.apiRequests.length = 0;
    server.respond = () => ({ body: aTicket });
  });

  const client = () => ticketClient({ baseUrl: `${server.url}/`, credentials: { token: () => 'abc' } });
  const lastRequest = () => server.apiRequests.at(-1)!;

  it('sends path parameters in the path and the others of a read in the query', async () => {
    await expect(client().getTicket({ id: 'T1', include_deleted: true })).resolves.toEqual(aTicket);
    expect(lastRequest()).toMatchObject({ method: 'GET', url: '/prod/api/v1/tickets/T1?include_deleted=true' });
    expect(lastRequest().headers.authorization).toBe('Bearer abc');
  });

  it('omits undefined query values and encodes the others', async () => {
    await client().listTickets({ state: 'a&b=c', limit: 5, cursor: undefined });
    expect(lastRequest().url).toBe('/prod/api/v1/tickets?state=a%26b%3Dc&limit=5');
  });

  it('encodes path parameters, so that a slash stays in its segment', async () => {
    await client().getTicket({ id: 'a/b?c' });
    expect(lastRequest().url).toBe('/prod/api/v1/tickets/a%2Fb%3Fc');
  });

  it.each(['', '.', '..'])('rejects the path parameter "%s", which would change the path', async (id) => {
    await expect(client().deleteTicket({ id })).rejects.toThrow(/path parameter "id"/);
    expect(server.apiRequests).toHaveLength(0);
  });

  it('sends the body of a create call as JSON', async () => {
    server.respond = () => ({ status: 201, body: aTicket });
    await client().createTicket({ title: 'Käse – brennt' });
    expect(JSON.parse(lastRequest().body)).toEqual({ title: 'Käse – brennt' });
    expect(lastRequest().headers['content-type']).toBe('application/json');
  });

  it('separates path, body, query and headers of an update', async () => {
    await client().updateTicket({ id: 'T1' }, { state: 'done' }, { ifMatch: '"7"', query: { quiet: true } });
    expect(lastRequest()).toMatchObject({ method: 'PATCH', url: '/prod/api/v1/tickets/T1?quiet=true' });
    expect(JSON.parse(lastRequest().body)).toEqual({ state: 'done' });
    expect(lastRequest().headers['if-match']).toBe('"7"');
  });

  it('sends no body for an operation without one', async () => {
    await client().closeTicket({ id: 'T1' });
    expect(lastRequest()).toMatchObject({ method: 'POST', url: '/prod/api/v1/tickets/T1/close', body: '' });
    expect(lastRequest().headers['content-type']).toBeUndefined();
  });

  it('returns undefined for an empty response', async () => {
    server.respond = () => ({ status: 204 });
    await expect(client().deleteTicket({ id: 'T1' })).resolves.toBeUndefined();
  });

  it('sends a new idempotency key with every create call', async () => {
    await client().createTicket({ title: 'one' });
    await client().createTicket({ title: 'one' });
    const [first, second] = server.apiRequests.map((request) => request.headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });

  it('uses the given idempotency key', async () => {
    await client().createTicket({ title: 'one' }, { idempotencyKey: 'order-7' });
    expect(lastRequest().headers['idempotency-key']).toBe('order-7');
  });

  it('sends no idempotency key to operations without one', async () => {
    await client().closeTicket({ id: 'T1' });
    expect(lastRequest().headers['idempotency-key']).toBeUndefined();
  });

  it('returns status, ETag, request id and rate limit with the response', async () => {
    const headers = {
      etag: '"3"',
      location: '/prod/api/v1/tickets/T1',
      'x-request-id': 'r-1',
      'x-ratelimit-limit': '100',
      'x-ratelimit-remaining': '98',
      'x-ratelimit-reset': '1772357401',
    };
    server.respond = () => ({ body: aTicket, headers });
    const response = await client().getTicket.withResponse({ id: 'T1' });
    expect(response).toMatchObject({
      status: 200,
      notModified: false,
      data: aTicket,
      etag: '"3"',
      location: '/prod/api/v1/tickets/T1',
      requestId: 'r-1',
      rateLimit: { limit: 100, remaining: 98, resetsAt: new Date(1772357401000) },
    });
  });

  it('reports that a record has not changed', async () => {
    server.respond = () => ({ status: 304 });
    const response = await client().getTicket.withResponse({ id: 'T1' }, { ifNoneMatch: '"3"' });
    expect(response).toMatchObject({ notModified: true, data: undefined });
    expect(lastRequest().headers['if-none-match']).toBe('"3"');
    await expect(client().getTicket({ id: 'T1' }, { ifNoneMatch: '"3"' })).rejects.toMatchObject({
      status: 304,
      code: 'not_modified',
    });
  });

  it('stores the latest rate limit and reports each one', async () => {
    server.respond = (_, nth) => ({
      body: aTicket,
      headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': String(100 - nth), 'x-ratelimit-reset': '0' },
    });
    const reported: number[] = [];
    const watched = ticketClient({
      baseUrl: server.url,
      credentials: { token: () => 'abc' },
      onRateLimit: ({ remaining }) => reported.push(remaining),
    });
    expect(watched.rateLimit).toBeUndefined();
    await watched.getTicket({ id: 'T1' });
    await watched.getTicket({ id: 'T1' });
    expect(reported).toEqual([99, 98]);
    expect(watched.rateLimit).toEqual({ limit: 100, remaining: 98 });
  });

  it.each(['', 'localhost:3000', 'ftp://example.com', 'http://'])('rejects "%s" as the base url', (baseUrl) => {
    expect(() => ticketClient({ baseUrl, credentials: { token: () => '' } })).toThrow(/baseUrl must be an http/);
  });
});
