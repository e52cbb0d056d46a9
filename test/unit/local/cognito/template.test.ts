import { resourceTypes } from '../../../../local/cognito/resource-types.ts';
import type { Properties } from '../../../../local/template/resource-type.ts';
import { aCognito, parseClaims, postForm } from './a-cognito.ts';

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
    ['a foreign identity provider', client({ SupportedIdentityProviders: ['Google'] }), 'only COGNITO'],
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
