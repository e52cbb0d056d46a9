import { ServiceProblem } from '../../../client/index.ts';
import { problemBody, ScriptedServer } from './scripted-server.ts';
import { aTicket, ticketClient } from './tickets.ts';

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
      name: 'ServiceProblem',
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
