import { routes } from '../../../contract/routes.ts';
import { InvalidToken, parseBearerToken, parsePrincipal } from '../../../lambdas/identity/access-token.ts';
import { getMe } from '../../../lambdas/identity/me.ts';
import { route } from '../../../lambdas/platform/http/route.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext } from '../platform/requests.ts';

const claims = { sub: 'subject', client_id: 'client', token_use: 'access', exp: 1_772_360_000 };

describe('parsePrincipal', () => {
  it('reads a client and its roles from the scopes of our resource server', () => {
    const scope = 'itsm/viewer openid other/super_admin itsm/itsm_agent itsm/unknown';
    expect(parsePrincipal({ ...claims, scope })).toEqual({
      kind: 'client',
      id: 'subject',
      clientId: 'client',
      roles: ['viewer', 'itsm_agent'],
      hasUserInfo: false,
      expiresAt: 1_772_360_000,
    });
  });

  it("takes no role from a person's token, because its groups may be outdated", () => {
    const person = { ...claims, username: 'ada', scope: 'openid itsm/super_admin', 'cognito:groups': ['viewer'] };
    expect(parsePrincipal(person)).toMatchObject({ kind: 'user', username: 'ada', roles: [], hasUserInfo: true });
  });

  it('returns no role for a token without roles', () => {
    expect(parsePrincipal(claims).roles).toEqual([]);
    expect(parsePrincipal({ ...claims, username: 'ada' }).roles).toEqual([]);
  });

  it.each([{ token_use: 'id' }, { sub: undefined }, { client_id: undefined }, { exp: 'soon' }])(
    'rejects a token with %j',
    (wrong) => {
      expect(() => parsePrincipal({ ...claims, ...wrong })).toThrow(InvalidToken);
    },
  );
});

describe('parseBearerToken', () => {
  it.each(['Bearer abc.def.ghi', 'bearer abc.def.ghi', '  Bearer   abc.def.ghi '])('reads %j', (header) => {
    expect(parseBearerToken(header)).toBe('abc.def.ghi');
  });

  it.each([undefined, '', 'Bearer', 'Basic abc', 'abc.def.ghi', 'Bearer a b'])('rejects %j', (header) => {
    expect(() => parseBearerToken(header)).toThrow(InvalidToken);
  });
});

const handle = (authorizer: Record<string, string>) =>
  route(routes.getMe, getMe, aPlatform().platform)(aRequest({ authorizer }), lambdaContext());

describe('getMe', () => {
  it('returns the caller and their roles', async () => {
    const response = await handle(anAuthorizerContext({ roles: 'viewer,itsm_agent' }));
    expect(JSON.parse(response.body)).toEqual({
      id: 'caller-1',
      email: 'agent@clients.incidents.example.com',
      kind: 'client',
      roles: ['viewer', 'itsm_agent'],
      rate_limits: expect.arrayContaining([{ class: 'general', limit: 100, window_seconds: 1 }]),
    });
  });

  it('rejects callers without a role', async () => {
    expect(await handle(anAuthorizerContext({ roles: '' }))).toMatchObject({ statusCode: 403 });
  });
});
