import type { ClientOptions } from '../../../client/client.ts';
import { problemBody, ScriptedServer } from './scripted-server.ts';
import { aTicket, ticketClient } from './tickets.ts';

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
