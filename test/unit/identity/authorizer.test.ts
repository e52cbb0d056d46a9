import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { createLocalJWKSet, errors, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { routes } from '../../../contract/routes.ts';
import {
  createTokenVerifier,
  InvalidToken,
  parseBearerToken,
  parsePrincipal,
  type SessionCheck,
} from '../../../lambdas/identity/access-token.ts';
import type { ApiKey, RecordUse } from '../../../lambdas/identity/api-key-store.ts';
import { createAuthorizer, type Identification } from '../../../lambdas/identity/authorizer.ts';
import { getMe } from '../../../lambdas/identity/me.ts';
import { route } from '../../../lambdas/platform/http/route.ts';
import { clockAt } from '../platform/counting.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext } from '../platform/requests.ts';

const issuer = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_pool';
const nowSeconds = 1_772_357_400;
const pair = await generateKeyPair('RS256');
const foreignPair = await generateKeyPair('RS256');
const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256' }] });

type Directory = Identification['directory'];

const directory: Directory = {
  findAccess: async (username) => (username === 'ada' ? { email: 'ada@example.com' } : undefined),
  findRoles: async (username) => (username === 'ada' ? ['viewer'] : []),
  findClient: async (clientId) => {
    const name = { client: 'Night Watch (EU)', symbols: '***', keyed: 'api-key key_1', c: 'Owner' }[clientId];
    return name === undefined ? undefined : { name, roles: ['itsm_manager'] };
  },
};

const authorize = (
  authorization: string | undefined,
  changes: { directory?: Directory; keys?: typeof keys; noteUse?: RecordUse; isSessionOpen?: SessionCheck } = {},
) =>
  createAuthorizer(
    {
      verify: createTokenVerifier(changes.keys ?? keys, issuer, clockAt(nowSeconds * 1_000)),
      directory: changes.directory ?? directory,
      isSessionOpen: changes.isSessionOpen ?? (async () => true),
      findKey: async (key) => (key === 'itsm_known' ? { clientId: 'keyed', role: 'itsm_agent' } : undefined),
      recordUse: changes.noteUse ?? (async () => undefined),
      serviceDomain: 'incidents.example.com',
      clock: clockAt(nowSeconds * 1_000),
    },
    () => {},
  )({
    headers: { authorization },
    methodArn: 'arn:aws:execute-api:eu-west-1:123456789012:api1/prod/GET/api/v1/health',
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayRequestAuthorizerEvent);

function token(claims: JWTPayload = {}, key = pair.privateKey, header: object = {}): Promise<string> {
  const all = {
    iss: issuer,
    sub: 'client',
    client_id: 'client',
    token_use: 'access',
    scope: 'itsm/itsm_agent',
    exp: nowSeconds + 3_600,
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
}

const bearer = async (...of: Parameters<typeof token>) => `Bearer ${await token(...of)}`;

describe('authorizer', () => {
  it('allows the whole stage, because the gateway caches the result for every route', async () => {
    expect(await authorize(await bearer())).toEqual({
      principalId: 'client',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Action: 'execute-api:Invoke',
            Effect: 'Allow',
            Resource: 'arn:aws:execute-api:eu-west-1:123456789012:api1/prod/*',
          },
        ],
      },
      context: {
        caller_id: 'client',
        email: 'night-watch-eu@clients.incidents.example.com',
        kind: 'client',
        roles: 'itsm_agent',
        client_id: 'client',
        owner_id: 'client',
        token_expires_at: String(nowSeconds + 3_600),
      },
      usageIdentifierKey: 'client',
    });
  });

  it('identifies people by email address and current groups, and counts them under their client', async () => {
    const person = { sub: 'sub-1', username: 'ada', client_id: 'console', 'cognito:groups': ['itsm_manager'] };
    expect(await authorize(await bearer(person))).toMatchObject({
      context: { caller_id: 'sub-1', email: 'ada@example.com', kind: 'user', roles: 'viewer' },
      usageIdentifierKey: 'console',
    });
  });

  it('omits roles that a client lost after the token was issued', async () => {
    const { context } = await authorize(await bearer({ scope: 'itsm/itsm_agent itsm/super_admin' }));
    expect(context?.roles).toBe('itsm_agent');
  });

  it('checks the session of a person in the user pool if the token allows it', async () => {
    const asked: string[] = [];
    const isSessionOpen: SessionCheck = async (one) => {
      asked.push(one);
      return false;
    };
    const signedOut = await token({ username: 'ada', scope: 'openid email' });
    const denied = await authorize(`Bearer ${signedOut}`, { isSessionOpen });
    expect(denied.policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
    const unknown = await authorize(await bearer({ username: 'ada', scope: '' }), { isSessionOpen });
    expect(unknown.policyDocument.Statement).toMatchObject([{ Effect: 'Allow' }]);
    expect(asked).toEqual([signedOut]);
  });

  it('falls back to the client id if the name cannot be an address', async () => {
    const { context } = await authorize(await bearer({ client_id: 'symbols' }));
    expect(context?.email).toBe('symbols@clients.incidents.example.com');
  });

  it('identifies an API key by its owner while the owner exists, with no higher role', async () => {
    const noteUse =
      (owner: ApiKey['owner']): RecordUse =>
      async (id) =>
        id === 'key_1' ? ({ client_id: 'keyed', owner } as ApiKey) : undefined;
    const known = async (owner: ApiKey['owner']) => {
      const { context } = await authorize(await bearer({ client_id: 'keyed' }), { noteUse: noteUse(owner) });
      if (context?.email) expect(context).toMatchObject({ caller_id: 'client', owner_id: owner.id });
      return context?.email && [context.email, context.roles];
    };
    expect(await known({ id: 'ada', kind: 'user', email: 'ada@before.example.com' })).toEqual([
      'ada@example.com',
      'viewer',
    ]);
    expect(await known({ id: 'bob', kind: 'user', email: 'bob@example.com' })).toBeUndefined();
    expect(await known({ id: 'c', kind: 'client', email: 'c@clients.example.com' })).toEqual([
      'c@clients.example.com',
      'itsm_agent',
    ]);
    expect(await known({ id: 'gone', kind: 'client', email: 'gone@clients.example.com' })).toBeUndefined();
  });

  const confirmedUntil = (seconds: number): Directory => ({
    ...directory,
    findAccess: async () => ({ email: 'ada@example.com', confirmedUntilMs: (nowSeconds + seconds) * 1_000 }),
  });

  it("ends a token with the identity provider's confirmation of the person", async () => {
    const person = await bearer({ username: 'ada' });
    const { context } = await authorize(person, { directory: confirmedUntil(120) });
    expect(context).toMatchObject({ roles: 'viewer', token_expires_at: String(nowSeconds + 120) });
    const late = await authorize(person, { directory: confirmedUntil(0) });
    expect(late.policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
  });

  it('accepts an API key for a week after the confirmation of its owner', async () => {
    const owner = { id: 'ada', kind: 'user' as const, email: 'ada@example.com' };
    const noteUse: RecordUse = async () => ({ client_id: 'keyed', owner }) as ApiKey;
    const getEffect = async (seconds: number) =>
      (await authorize('Bearer itsm_known', { noteUse, directory: confirmedUntil(seconds) })).policyDocument.Statement;
    const week = 7 * 86_400;
    expect(await getEffect(-week)).toMatchObject([{ Effect: 'Allow' }]);
    expect(await getEffect(-week - 1)).toMatchObject([{ Effect: 'Deny' }]);
  });

  it('identifies an API key in place of a token, without a lookup in the user pool if it is unknown', async () => {
    const owner = { id: 'c', kind: 'client' as const, email: 'c@clients.example.com' };
    const noteUse: RecordUse = async () => ({ client_id: 'keyed', owner }) as ApiKey;
    const { context, usageIdentifierKey } = await authorize('Bearer itsm_known', { noteUse });
    expect(context).toMatchObject({ caller_id: 'keyed', owner_id: 'c', roles: 'itsm_agent', kind: 'client' });
    expect(usageIdentifierKey).toBe('keyed');
    const findClient = () => Promise.reject(new Error('unexpected lookup'));
    const unknown = await authorize('Bearer itsm_guess', { directory: { ...directory, findClient } });
    expect(unknown.policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
  });

  const rejected: [string, () => Promise<string | undefined>][] = [
    ['no token', async () => undefined],
    ['no JWT', async () => 'Bearer abc'],
    ['an expired token', () => bearer({ exp: nowSeconds })],
    ['a token that is not valid yet', () => bearer({ nbf: nowSeconds + 60 })],
    ['a token without an end', () => bearer({ exp: undefined as never })],
    ['a foreign issuer', () => bearer({ iss: 'https://evil.com' })],
    ['a foreign key', () => bearer({}, foreignPair.privateKey)],
    ['an unknown key', () => bearer({}, pair.privateKey, { kid: 'two' })],
    ['an id token', () => bearer({ token_use: 'id' })],
    ['a changed token', async () => `Bearer ${(await token()).replace(/\.[^.]+\./, `.${forged}.`)}`],
    ['an unsigned token', async () => `Bearer ${unsigned}.${forged}.`],
    ['a client that was deleted', () => bearer({ client_id: 'gone' })],
    ['an inactive API key in place of a token', async () => 'Bearer itsm_known'],
    ['a token of an inactive API key', () => bearer({ client_id: 'keyed' })],
    ['a person who was deleted', () => bearer({ username: 'bob' })],
  ];

  it.each(rejected)('denies %s with a cacheable response', async (_what, authorization) => {
    const result = await authorize(await authorization());
    expect(result.policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
    expect(result).not.toHaveProperty('usageIdentifierKey');
  });

  it('throws on its own failures instead of denying, so that the gateway returns 503', async () => {
    const down = async () => Promise.reject(new Error('Cognito is down'));
    const broken = { findAccess: down, findRoles: down, findClient: down };
    await expect(authorize(await bearer(), { directory: broken })).rejects.toThrow('Cognito is down');
    const unreachable = async () => Promise.reject(new errors.JWKSTimeout());
    await expect(authorize(await bearer(), { keys: unreachable as never })).rejects.toThrow();
  });
});

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const forged = encode({ iss: issuer, sub: 'client', client_id: 'client', token_use: 'access', exp: nowSeconds + 60 });
const unsigned = encode({ alg: 'none' });

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
