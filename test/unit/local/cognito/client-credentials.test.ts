import { createLocalJWKSet, jwtVerify } from 'jose';
import { formatPageToken, parsePageSize, parsePageToken } from '../../../../local/cognito/paging.ts';
import {
  findPasswordProblem,
  generatePassword,
  hashPassword,
  parsePasswordPolicy,
  verifyPassword,
} from '../../../../local/cognito/password.ts';
import { resourceTypes } from '../../../../local/cognito/resource-types.ts';
import type { Properties } from '../../../../local/template/resource-type.ts';
import { aCognito, parseClaims, postForm, type RunningCognito } from './a-cognito.ts';

describe('client credentials', () => {
  let running: RunningCognito;
  let secret: string;

  beforeAll(async () => {
    running = await aCognito();
    secret = await getSecret(running.machine);
  });
  afterAll(() => running.stop());

  async function getSecret(ClientId: string): Promise<string> {
    return (await running.call('DescribeUserPoolClient', { ClientId })).UserPoolClient.ClientSecret;
  }

  function ask(fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    const all = { grant_type: 'client_credentials', client_id: running.machine, client_secret: secret, ...fields };
    const form = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '-'));
    return postForm(`${running.url}/oauth2/token`, form, headers);
  }

  const basic = (id: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
  });

  it('returns exactly Cognito’s response', async () => {
    const { status, body, headers } = await ask();
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), expires_in: 3600, token_type: 'Bearer' });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json;charset=UTF-8');
  });

  it('puts Cognito’s claims, and no others, into the token', async () => {
    const { body } = await ask();
    const claims = parseClaims(body.access_token);
    const now = Math.floor(running.clock.now() / 1000);
    expect(claims).toEqual({
      sub: running.machine,
      client_id: running.machine,
      token_use: 'access',
      scope: 'itsm/viewer itsm/agent',
      iss: `${running.url}/${running.poolId}`,
      auth_time: claims.iat,
      iat: claims.iat,
      exp: claims.iat + 3600,
      version: 2,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(Math.abs(claims.iat - now)).toBeLessThan(5);
  });

  it('signs with a key that the issuer publishes', async () => {
    const { body } = await ask();
    const issuer = `${running.url}/${running.poolId}`;
    const keys = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as { keys: Record<string, string>[] };
    const { protectedHeader } = await jwtVerify(body.access_token, createLocalJWKSet(keys), {
      issuer,
      algorithms: ['RS256'],
      currentDate: new Date(running.clock.now()),
    });
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid']);
    expect(keys.keys.map((key) => Object.keys(key).sort().join())).toEqual([
      'alg,e,kid,kty,n,use',
      'alg,e,kid,kty,n,use',
    ]);
  });

  it('accepts the client in HTTP Basic, too', async () => {
    const { status, body } = await ask({ client_id: '-', client_secret: '-' }, basic(running.machine, secret));
    expect(status).toBe(200);
    expect(parseClaims(body.access_token).client_id).toBe(running.machine);
  });

  it('grants each requested scope once', async () => {
    const { body } = await ask({ scope: 'itsm/agent itsm/agent' });
    expect(parseClaims(body.access_token).scope).toBe('itsm/agent');
  });

  it.each<[string, Record<string, string>, string]>([
    ['an unknown scope', { scope: 'itsm/nothing' }, 'invalid_scope'],
    ['a scope the client is not allowed', { scope: 'itsm/viewer itsm/admin' }, 'invalid_scope'],
    ['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
    ['no secret', { client_secret: '-' }, 'invalid_client'],
    ['an unknown client', { client_id: 'nobody' }, 'invalid_client'],
    ['no client', { client_id: '-' }, 'invalid_request'],
    ['no grant type', { grant_type: '-' }, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a grant the client is not allowed', { grant_type: 'refresh_token', refresh_token: 'x' }, 'unauthorized_client'],
  ])('rejects %s', async (_name, fields, error) => {
    const { status, body } = await ask(fields);
    expect({ status, body }).toEqual({ status: 400, body: { error } });
  });

  it('rejects a public client', async () => {
    const { status, body } = await ask({ client_id: running.web, client_secret: '-' });
    expect({ status, body }).toEqual({ status: 400, body: { error: 'unauthorized_client' } });
  });

  it('returns 401 for a wrong secret in HTTP Basic', async () => {
    const { status, body, headers } = await ask(
      { client_id: '-', client_secret: '-' },
      basic(running.machine, 'wrong'),
    );
    expect({ status, body }).toEqual({ status: 401, body: { error: 'invalid_client' } });
    expect(headers.get('www-authenticate')).toMatch(/^Basic/);
  });

  it.each([
    ['a garbled header', { authorization: 'Basic !' }],
    ['another scheme', { authorization: 'Bearer x' }],
    ['a JSON body', { 'content-type': 'application/json' }],
  ])('rejects %s', async (_name, headers) => {
    const { status, body } = await ask({}, headers);
    expect({ status, body }).toEqual({ status: 400, body: { error: 'invalid_request' } });
  });

  it('rejects a duplicate parameter and a body that is too large', async () => {
    const send = (body: string) =>
      fetch(`${running.url}/oauth2/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    expect((await send(`grant_type=client_credentials&scope=a&scope=b&client_id=${running.machine}`)).status).toBe(400);
    expect((await send(`grant_type=${'x'.repeat(40_000)}`)).status).toBe(413);
  });

  it('accepts only POST, from any origin', async () => {
    const get = await fetch(`${running.url}/oauth2/token`);
    expect(get.status).toBe(405);
    expect(get.headers.get('allow')).toBe('POST');
    const preflight = await fetch(`${running.url}/oauth2/token`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('follows the client’s token validity', async () => {
    const { UserPoolClient } = await running.call('CreateUserPoolClient', {
      ClientName: 'short',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['itsm/admin'],
      AccessTokenValidity: 10,
      TokenValidityUnits: { AccessToken: 'minutes' },
    });
    const { body } = await ask({ client_id: UserPoolClient.ClientId, client_secret: UserPoolClient.ClientSecret });
    expect(body.expires_in).toBe(600);
    const claims = parseClaims(body.access_token);
    expect(claims.exp - claims.iat).toBe(600);
  });

  it('rejects a deleted client', async () => {
    const { UserPoolClient } = await running.call('CreateUserPoolClient', {
      ClientName: 'gone',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['itsm/admin'],
    });
    const credentials = { client_id: UserPoolClient.ClientId, client_secret: UserPoolClient.ClientSecret };
    expect((await ask(credentials)).status).toBe(200);
    await running.call('DeleteUserPoolClient', { ClientId: UserPoolClient.ClientId });
    expect((await ask(credentials)).body).toEqual({ error: 'invalid_client' });
  });

  it('rejects a client without OAuth', async () => {
    const { UserPoolClient } = await running.call('CreateUserPoolClient', { ClientName: 'off', GenerateSecret: true });
    const { body } = await ask({ client_id: UserPoolClient.ClientId, client_secret: UserPoolClient.ClientSecret });
    expect(body).toEqual({ error: 'invalid_grant' });
  });

  it('keeps keys and secrets after a restart', async () => {
    const keySet = () =>
      fetch(`${running.url}/${running.poolId}/.well-known/jwks.json`).then((response) => response.json());
    const before = await keySet();
    await running.restart();
    expect(await keySet()).toEqual(before);
    expect(await getSecret(running.machine)).toBe(secret);
    expect((await ask()).status).toBe(200);
  });

  it('ignores other paths', async () => {
    for (const path of ['/', '/prod/api/health', '/oauth2', '/oauth2/tokens', '/other_pool/.well-known/jwks.json']) {
      expect(await (await fetch(`${running.url}${path}`)).text()).toBe('not cognito');
    }
  });

  it('serves its OpenID configuration', async () => {
    const response = await fetch(`${running.url}/${running.poolId}/.well-known/openid-configuration`);
    expect(await response.json()).toMatchObject({
      issuer: `${running.url}/${running.poolId}`,
      jwks_uri: `${running.url}/${running.poolId}/.well-known/jwks.json`,
      token_endpoint: `${running.url}/oauth2/token`,
      authorization_endpoint: `${running.url}/oauth2/authorize`,
    });
  });
});

describe('password', () => {
  it('is stored as a salted hash that matches only the password', async () => {
    const [first, second] = await Promise.all([hashPassword('Correct-Horse-1'), hashPassword('Correct-Horse-1')]);
    expect(first).not.toBe(second);
    expect(first).not.toContain('Correct');
    expect(await verifyPassword('Correct-Horse-1', first)).toBe(true);
    expect(await verifyPassword('Correct-Horse-2', first)).toBe(false);
  });

  it('is never correct for an unknown user', async () => {
    expect(await verifyPassword('', undefined)).toBe(false);
  });

  it('rejects an unknown hash scheme', async () => {
    await expect(verifyPassword('x', 'md5$abc')).rejects.toThrow('unknown password hash md5');
  });

  it('follows AWS’s default policy unless the pool has its own', () => {
    expect(findPasswordProblem(parsePasswordPolicy(undefined), 'lowercase')).toBe(
      'Password must have uppercase characters',
    );
    expect(findPasswordProblem(parsePasswordPolicy({ MinimumLength: 6 }), 'lowercase')).toBeUndefined();
    expect(findPasswordProblem(parsePasswordPolicy({}), 'x'.repeat(257))).toBe('Password too long');
    expect(findPasswordProblem(parsePasswordPolicy({}), undefined)).toBe('Password not long enough');
  });

  it.each([
    ['short', 'Password not long enough'],
    ['nouppercase-1', 'Password must have uppercase characters'],
    ['NOLOWERCASE-1', 'Password must have lowercase characters'],
    ['No-Numbers', 'Password must have numeric characters'],
    ['NoSymbols1', 'Password must have symbol characters'],
  ])('cannot be %s', (password, problem) => {
    expect(findPasswordProblem(parsePasswordPolicy(undefined), password)).toBe(problem);
  });

  it.each([6, 8, 20, 99])('is generated to meet any policy of %s characters', (MinimumLength) => {
    const policy = { ...parsePasswordPolicy(undefined), minLength: MinimumLength };
    for (let i = 0; i < 50; i++) expect(findPasswordProblem(policy, generatePassword(policy))).toBeUndefined();
  });
});

describe('page sizes and tokens', () => {
  it('default to 60 per page, which is the maximum', () => {
    expect(parsePageSize(undefined, 'limit')).toBe(60);
    expect(parsePageSize(7, 'limit')).toBe(7);
    for (const size of [61, -1, 1.5, 'many']) {
      expect(() => parsePageSize(size, 'limit')).toThrow(
        expect.objectContaining({ code: 'InvalidParameterException' }),
      );
    }
  });

  it('parse their own tokens and reject others', () => {
    expect(parsePageToken(formatPageToken('abc'))).toBe('abc');
    expect(parsePageToken(formatPageToken(12))).toBe('12');
    expect(parsePageToken(undefined)).toBeUndefined();
    expect(() => parsePageToken('not a token')).toThrow(expect.objectContaining({ code: 'InvalidParameterException' }));
  });
});

const environment = {
  stackName: 'service',
  region: 'eu-west-1',
  accountId: '111122223333',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://localhost:3001',
};

describe('Cognito resource types', () => {
  const type = (name: string) => resourceTypes[`AWS::Cognito::${name}`]!;

  it('refers to a pool as AWS does, with the issuer on this machine', () => {
    const id = type('UserPool').ref('People', {}, environment);
    expect(id).toMatch(/^eu-west-1_[A-Za-z0-9]{9}$/);
    expect(type('UserPool').ref('People', { UserPoolName: 'x' }, environment)).toBe(id);
    expect(type('UserPool').ref('Others', {}, environment)).not.toBe(id);
    expect(type('UserPool').attributes?.('People', {}, environment)).toEqual({
      Arn: `arn:aws:cognito-idp:eu-west-1:111122223333:userpool/${id}`,
      ProviderName: `cognito-idp.eu-west-1.amazonaws.com/${id}`,
      ProviderURL: `http://localhost:3000/${id}`,
      UserPoolId: id,
    });
  });

  it('refers to clients, domains, groups and resource servers as AWS does', () => {
    expect(type('UserPoolClient').ref('Web', {}, environment)).toMatch(/^[a-z0-9]{26}$/);
    expect(type('UserPoolClient').attributes?.('Web', { ClientName: 'web' }, environment)).toEqual({
      ClientId: type('UserPoolClient').ref('Web', {}, environment),
      Name: 'web',
    });
    expect(type('UserPoolDomain').ref('D', { Domain: 'desk' }, environment)).toBe('desk');
    expect(type('UserPoolGroup').ref('G', { GroupName: 'viewer' }, environment)).toBe('viewer');
    expect(type('UserPoolResourceServer').ref('R', { Identifier: 'itsm' }, environment)).toBe('itsm');
  });
});

describe('load', () => {
  const pool = (more: Properties) => (resources: Record<string, [string, Properties]>) => {
    resources.People = ['UserPool', { ...resources.People?.[1], ...more }];
  };
  const client = (more: Properties) => (resources: Record<string, [string, Properties]>) => {
    resources.Web = ['UserPoolClient', { ...resources.Web?.[1], ...more }];
  };

  it.each<[string, (resources: Record<string, [string, Properties]>) => void, string]>([
    ['a required second factor', pool({ MfaConfiguration: 'ON' }), 'People: a required second factor'],
    ['self sign-up', pool({ AdminCreateUserConfig: {} }), 'People: self sign-up is not supported'],
    ['phone numbers as user names', pool({ UsernameAttributes: ['phone_number'] }), 'UsernameAttributes must be email'],
    [
      'the implicit flow',
      client({ AllowedOAuthFlows: ['implicit'] }),
      'Web: The OAuth flow implicit is not supported here',
    ],
    ['an unknown scope', client({ AllowedOAuthScopes: ['itsm/none'] }), 'Web: Invalid scope requested: itsm/none'],
    [
      'a foreign identity provider',
      client({ SupportedIdentityProviders: ['Google'] }),
      'The provider Google does not exist',
    ],
    ['irrevocable tokens', client({ EnableTokenRevocation: false }), 'revocation'],
    ['a client of another pool', client({ UserPoolId: 'eu-west-1_other' }), 'Web: no user pool eu-west-1_other'],
    [
      'two domains',
      (resources) => {
        resources.Second = ['UserPoolDomain', { ...resources.Domain?.[1], Domain: 'second' }];
      },
      'Domain, Second: only one pool can have a domain',
    ],
  ])('rejects %s', async (_name, change, problem) => {
    await expect(aCognito(change)).rejects.toThrow(problem);
  });

  it('offers keys but no hosted endpoints for a pool without a domain', async () => {
    const running = await aCognito((resources) => {
      delete resources.Domain;
    });
    expect((await fetch(`${running.url}/${running.poolId}/.well-known/jwks.json`)).status).toBe(200);
    expect((await fetch(`${running.url}/oauth2/token`, { method: 'POST' })).status).toBe(404);
    await running.stop();
  });

  it('includes the scopes of every resource server', async () => {
    const running = await aCognito((resources) => {
      const { UserPoolId } = resources.Viewers![1];
      resources.Second = [
        'UserPoolResourceServer',
        { Identifier: 'ops', Name: 'ops', UserPoolId, Scopes: [{ ScopeName: 'run' }] },
      ];
      resources.Machine = [
        'UserPoolClient',
        { ...resources.Machine?.[1], AllowedOAuthScopes: ['itsm/admin', 'ops/run'] },
      ];
    });
    const { UserPoolClient } = await running.call('DescribeUserPoolClient', { ClientId: running.machine });
    const { body } = await postForm(`${running.url}/oauth2/token`, {
      grant_type: 'client_credentials',
      client_id: UserPoolClient.ClientId,
      client_secret: UserPoolClient.ClientSecret,
    });
    expect(parseClaims(body.access_token).scope).toBe('itsm/admin ops/run');
    await running.stop();
  });
});
