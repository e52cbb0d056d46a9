import {
  AuthenticationProblem,
  ConflictProblem,
  ConnectionProblem,
  NotFoundProblem,
  PermissionProblem,
  PreconditionProblem,
  RateLimitProblem,
  ServiceProblem,
  TransitionProblem,
  UnavailableProblem,
  ValidationProblem,
} from '../../../client/index.ts';
import { problemBody, ScriptedServer } from './scripted-server.ts';
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

  it('says that a call takes an object, not an id', async () => {
    const call = client().getTicket('T1' as never);
    await expect(call).rejects.toThrow('GET /tickets/{id} takes an object such as { id }, not "T1".');
    await expect(client().updateTicket('T1' as never, {})).rejects.toThrow('takes an object such as { id }');
    expect(server.apiRequests).toHaveLength(0);
  });

  it('adds headers and uses the given fetch, but keeps its own headers', async () => {
    const urls: unknown[] = [];
    const hooked = ticketClient({
      baseUrl: server.url,
      credentials: { token: () => 'abc' },
      headers: async ({ method }) => ({ 'X-Trace': `trace-${method}`, Authorization: 'Basic x' }),
      fetch: (url, init) => {
        urls.push(url);
        return fetch(url, init);
      },
    });
    await hooked.getTicket({ id: 'T1' });
    expect(urls).toEqual([`${server.url}/prod/api/v1/tickets/T1`]);
    expect(lastRequest().headers).toMatchObject({ 'x-trace': 'trace-GET', authorization: 'Bearer abc' });
  });

  it('ends all calls with the signal of the client', async () => {
    const stop = new AbortController();
    const stoppable = ticketClient({ baseUrl: server.url, credentials: { token: () => 'abc' }, signal: stop.signal });
    server.respond = () => {
      stop.abort(new Error('shutting down'));
      return { fault: 'hang' };
    };
    const { signal } = new AbortController();
    await expect(stoppable.getTicket({ id: 'T1' }, { signal })).rejects.toThrow('shutting down');
    await expect(stoppable.getTicket({ id: 'T1' })).rejects.toThrow('shutting down');
    expect(server.apiRequests).toHaveLength(1);
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

describe('client iteration', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.apiRequests.length = 0;
  });

  const client = () =>
    ticketClient({ baseUrl: server.url, credentials: { token: () => 'abc' }, retry: { retries: 0 } });
  const ticket = (id: string) => ({ id, title: id, state: 'open' });

  const pages: Record<string, unknown> = {
    first: { data: [ticket('T1'), ticket('T2')], next_cursor: 'second' },
    second: { data: [], next_cursor: 'third' },
    third: { data: [ticket('T3')] },
  };
  const servePages = () => {
    server.respond = ({ url }) => ({
      body: pages[new URL(url, server.url).searchParams.get('cursor') ?? 'first'],
    });
  };

  it('follows all pages with the same filters, including empty pages', async () => {
    servePages();
    const ids: string[] = [];
    for await (const { id } of client().listTickets.all({ state: 'open', limit: 2 })) ids.push(id);
    expect(ids).toEqual(['T1', 'T2', 'T3']);
    expect(server.apiRequests.map(({ url }) => url)).toEqual([
      '/prod/api/v1/tickets?state=open&limit=2',
      '/prod/api/v1/tickets?state=open&limit=2&cursor=second',
      '/prod/api/v1/tickets?state=open&limit=2&cursor=third',
    ]);
  });

  it('follows a feed to its end, including pages that a filter leaves empty', async () => {
    server.respond = ({ url }) => {
      const after = Number(new URL(url, server.url).searchParams.get('after') ?? 0);
      const data = after === 2 ? [] : [{ sequence: after + 1 }, { sequence: after + 2 }];
      return { body: { data, next_after: after + 2, latest: 6 } };
    };
    const sequences: number[] = [];
    for await (const { sequence } of client().listTicketEvents.all({ limit: 2 })) sequences.push(sequence);
    expect(sequences).toEqual([1, 2, 5, 6]);
    expect(server.apiRequests).toHaveLength(3);
  });

  it('follows the newest events to the oldest one', async () => {
    server.respond = ({ url }) => {
      const before = Number(new URL(url, server.url).searchParams.get('before') ?? 5);
      const data = [{ sequence: before - 1 }, { sequence: before - 2 }];
      return { body: { data, next_after: 4, latest: 4, ...(before > 3 && { next_before: before - 2 }) } };
    };
    const sequences: number[] = [];
    for await (const { sequence } of client().listTicketEvents.all({ limit: 2 })) sequences.push(sequence);
    expect(sequences).toEqual([4, 3, 2, 1]);
  });

  it('collects the records of all pages, up to a limit', async () => {
    servePages();
    const all = await client().listTickets.autoPagingToArray({ state: 'open' });
    expect(all.map(({ id }) => id)).toEqual(['T1', 'T2', 'T3']);
    server.apiRequests.length = 0;
    await expect(client().listTickets.autoPagingToArray({}, { maxItems: 2 })).resolves.toHaveLength(2);
    expect(server.apiRequests).toHaveLength(1);
  });

  it('requests no further page when the caller stops', async () => {
    servePages();
    for await (const { id } of client().listTickets.all()) if (id === 'T2') break;
    expect(server.apiRequests).toHaveLength(1);
  });

  it('fails on a repeated cursor instead of looping forever', async () => {
    server.respond = () => ({ body: { data: [ticket('T1')], next_cursor: 'again' } });
    const walk = async () => {
      for await (const _ of client().listTickets.all());
    };
    await expect(walk()).rejects.toThrow('returned the cursor again twice');
    expect(server.apiRequests).toHaveLength(2);
  });

  it('reports a failing page after the previous ones', async () => {
    server.respond = (_, nth) => (nth === 1 ? { body: pages.first } : problemBody(503, 'unavailable'));
    const ids: string[] = [];
    const walk = async () => {
      for await (const { id } of client().listTickets.all()) ids.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ status: 503 });
    expect(ids).toEqual(['T1', 'T2']);
  });

  it('rejects a response that is not a list', async () => {
    server.respond = () => ({ body: { id: 'T1' } });
    const next = client().listTickets.all().next();
    await expect(next).rejects.toThrow('GET /tickets does not return a list');
  });
});

describe('client problems', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.apiRequests.length = 0;
  });

  const client = (baseUrl = server.url) =>
    ticketClient({ baseUrl, credentials: { token: () => 'abc' }, retry: { retries: 0 } });

  const toProblem = async (call: Promise<unknown>): Promise<ServiceProblem> => {
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ServiceProblem);
    return error as ServiceProblem;
  };

  it('contains all members of the problem document', async () => {
    const errors = [{ field: 'title', message: 'is required' }];
    server.respond = () => problemBody(400, 'invalid_input', { request_id: 'r-9', errors, hint: 'x' });
    const problem = await toProblem(client().getTicket({ id: 'T1' }));
    expect(problem).toMatchObject({
      name: 'ValidationProblem',
      status: 400,
      code: 'invalid_input',
      title: 'Title of invalid_input',
      detail: 'Detail of invalid_input',
      errors,
      requestId: 'r-9',
      retryAfterSeconds: undefined,
    });
    expect(problem.document).toMatchObject({ hint: 'x' });
    expect(problem.message).toBe('400 invalid_input: Detail of invalid_input [title is required] (request r-9)');
  });

  it.each([
    [400, ValidationProblem],
    [401, AuthenticationProblem],
    [403, PermissionProblem],
    [404, NotFoundProblem],
    [409, ConflictProblem],
    [412, PreconditionProblem],
    [429, RateLimitProblem],
    [503, UnavailableProblem],
  ])('has a class for %d', async (status, problemClass) => {
    server.respond = () => problemBody(status, 'some_code');
    const problem = await toProblem(client().getTicket({ id: 'T1' }));
    expect(problem).toBeInstanceOf(problemClass);
    expect(problem.name).toBe(problemClass.name);
  });

  it('names the allowed transitions', async () => {
    server.respond = () => problemBody(409, 'invalid_transition', { allowed_transitions: ['done'] });
    const problem = await toProblem(client().updateTicket({ id: 'T1' }, { state: 'open' }));
    expect(problem instanceof TransitionProblem && problem.allowedTransitions).toEqual(['done']);
    expect(problem).toBeInstanceOf(ConflictProblem);
  });

  it('never shows the token', async () => {
    server.respond = () => ({ status: 500, body: 'oops' });
    const problem = await toProblem(client().getTicket({ id: 'T1' }));
    expect(JSON.stringify({ ...problem, message: problem.message, stack: problem.stack })).not.toContain('abc');
  });

  it.each([
    ['a page of a proxy', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['a list', '[1]'],
    ['null', 'null'],
  ])('describes a failure whose body is %s', async (_, body) => {
    server.respond = () => ({ status: 502, body, headers: { 'x-request-id': 'r-2' } });
    const problem = await toProblem(client().getTicket({ id: 'T1' }));
    expect(problem).toMatchObject({ status: 502, code: 'unexpected_response', requestId: 'r-2', errors: [] });
  });

  it('ignores field problems that have another form', async () => {
    server.respond = () => problemBody(400, 'invalid_input', { errors: [null, 'x', { field: 1 }] });
    expect((await toProblem(client().getTicket({ id: 'T1' }))).errors).toEqual([]);
  });

  it('reports a success that is not JSON', async () => {
    server.respond = () => ({ status: 200, body: '{"id":' });
    expect(await toProblem(client().getTicket({ id: 'T1' }))).toMatchObject({
      status: 200,
      code: 'unexpected_response',
    });
  });

  it('reports a connection error', async () => {
    const gone = new ScriptedServer();
    await gone.start();
    const { url } = gone;
    await gone.stop();
    const problem = await toProblem(client(url).getTicket({ id: 'T1' }));
    expect(problem).toBeInstanceOf(ConnectionProblem);
    expect(problem).toMatchObject({ status: 0, code: 'network_error' });
    expect(problem.detail).toMatch(/failed without a response: .*ECONNREFUSED/);
  });

  it('does not follow a redirect with the token', async () => {
    server.respond = () => ({ status: 302, headers: { location: '/elsewhere' } });
    expect(await toProblem(client().getTicket({ id: 'T1' }))).toMatchObject({ code: 'network_error' });
    expect(server.apiRequests).toHaveLength(1);
  });

  it('aborts a request after the timeout', async () => {
    server.respond = () => ({ fault: 'hang' });
    const problem = await toProblem(client().getTicket({ id: 'T1' }, { timeoutMs: 20 }));
    expect(problem).toMatchObject({ status: 0, code: 'timeout' });
    expect(problem.detail).toMatch('within 20 ms');
  });

  it('returns the caller’s reason when the caller aborts', async () => {
    const stop = new AbortController();
    server.respond = () => {
      stop.abort(new Error('tab closed'));
      return { fault: 'hang' };
    };
    await expect(client().getTicket({ id: 'T1' }, { signal: stop.signal })).rejects.toThrow('tab closed');
  });

  it('sends nothing when the caller aborted before', async () => {
    server.respond = () => ({ body: aTicket });
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client().getTicket({ id: 'T1' }, { signal })).rejects.toThrow('too late');
    expect(server.apiRequests).toHaveLength(0);
  });
});
