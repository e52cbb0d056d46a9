import { Match } from 'aws-cdk-lib/assertions';
import { directoryCalls } from '../../contract/audit.ts';
import { roles } from '../../contract/roles.ts';
import { commandLineRedirectUris } from '../../lib/user-pool.ts';
import { listStatements, local, prod, resources, theOnly, withOptions } from './stack.ts';

describe('identity', () => {
  it('has a scope and a group for every role', () => {
    const server = theOnly(prod, 'AWS::Cognito::UserPoolResourceServer') as { Scopes: { ScopeName: string }[] };
    expect(server).toMatchObject({ Identifier: 'itsm' });
    expect(server.Scopes.map(({ ScopeName }) => ScopeName)).toEqual([...roles]);
    const groups = resources(prod, 'AWS::Cognito::UserPoolGroup').map(([, { Properties }]) => Properties.GroupName);
    expect(groups.sort()).toEqual([...roles].sort());
  });

  it('disables sign-up and requires strong passwords', () => {
    prod.hasResourceProperties('AWS::Cognito::UserPool', {
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      Policies: {
        PasswordPolicy: Match.objectLike({ MinimumLength: 12, RequireSymbols: true, RequireNumbers: true }),
      },
    });
  });

  const clientNamed = (name: string) =>
    resources(local, 'AWS::Cognito::UserPoolClient')
      .map(([, { Properties }]) => Properties)
      .find(({ ClientName }) => ClientName === name);

  it.each([
    ['admin', 'super_admin'],
    ['manager', 'itsm_manager'],
    ['agent', 'itsm_agent'],
    ['viewer', 'viewer'],
  ])('gives the client %s the scope of %s only, for a day', (name, role) => {
    const client = clientNamed(name);
    expect(client).toMatchObject({
      AllowedOAuthFlows: ['client_credentials'],
      GenerateSecret: true,
      AccessTokenValidity: 24 * 60,
      TokenValidityUnits: { AccessToken: 'minutes' },
    });
    expect(client?.AllowedOAuthScopes).toEqual([{ 'Fn::Join': ['', [{ Ref: expect.any(String) }, `/${role}`]] }]);
  });

  it('deploys only the bootstrap client and the canary to AWS', () => {
    const names = resources(prod, 'AWS::Cognito::UserPoolClient').map(([, { Properties }]) => Properties.ClientName);
    expect(names.sort()).toEqual(['admin', 'canary', 'command-line', 'console']);
  });

  it('gives people tokens for an hour', () => {
    for (const name of ['console', 'command-line'])
      expect(clientNamed(name)).toMatchObject({ AccessTokenValidity: 60 });
  });

  it('signs people in to the console with a code and no secret', () => {
    expect(clientNamed('console')).toMatchObject({
      AllowedOAuthFlows: ['code'],
      GenerateSecret: false,
      CallbackURLs: [{ 'Fn::Join': ['', [{ Ref: 'PublicUrl' }, '/console/']] }],
    });
  });

  it('signs people in to the command line on addresses of their own machine, with a code and no secret', () => {
    const client = clientNamed('command-line');
    expect(client).toMatchObject({ AllowedOAuthFlows: ['code'], GenerateSecret: false });
    expect(client?.CallbackURLs).toEqual(commandLineRedirectUris);
    for (const url of commandLineRedirectUris) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it('creates the first administrator only if configured, and retains the user', async () => {
    const named = await withOptions();
    named.hasResource('AWS::Cognito::UserPoolUser', {
      Properties: { Username: 'ada@acme.org', DesiredDeliveryMediums: ['EMAIL'] },
      DeletionPolicy: 'Retain',
    });
    named.hasResourceProperties('AWS::Cognito::UserPoolUserToGroupAttachment', { GroupName: 'super_admin' });
    prod.resourceCountIs('AWS::Cognito::UserPoolUser', 0);
  });

  it('adds the identity provider only if configured, with its secret from Secrets Manager', async () => {
    const named = await withOptions();
    named.hasResourceProperties('AWS::Cognito::UserPoolIdentityProvider', {
      ProviderName: 'Acme',
      ProviderType: 'OIDC',
      ProviderDetails: {
        oidc_issuer: 'https://login.acme.org',
        client_id: 'incidents',
        client_secret: '{{resolve:secretsmanager:incidents-all-options/oidc-client-secret:SecretString:::}}',
      },
      AttributeMapping: { email: 'email', email_verified: 'email_verified', name: 'name' },
    });
    named.hasResourceProperties('AWS::Cognito::UserPool', {
      LambdaConfig: { InboundFederation: { LambdaVersion: 'V1_0' }, PreTokenGeneration: Match.anyValue() },
    });
    for (const name of ['console', 'command-line'])
      named.hasResourceProperties('AWS::Cognito::UserPoolClient', {
        ClientName: name,
        SupportedIdentityProviders: ['COGNITO', 'Acme'],
      });
    const onTable = listStatements(named, 'federate-sign-ins').filter(({ Resource }) =>
      JSON.stringify(Resource).includes('EventLog'),
    );
    expect(onTable).toMatchObject([
      { Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['audit#*', 'sso#*'] } } },
    ]);
    prod.resourceCountIs('AWS::Cognito::UserPoolIdentityProvider', 0);
  });

  it('has no secret in outputs or variables', () => {
    for (const template of [local, prod]) {
      expect(JSON.stringify(template.toJSON())).not.toContain('ClientSecret');
    }
  });

  it('records sign-ins and user pool changes only in the partitions of the audit log', () => {
    prod.hasResourceProperties('AWS::Cognito::UserPool', {
      LambdaConfig: { PreAuthentication: Match.anyValue(), PostAuthentication: Match.anyValue() },
    });
    prod.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.cognito-idp'],
        detail: { eventName: Object.keys(directoryCalls) },
      },
    });
    const [, { Properties }] = resources(prod, 'AWS::Lambda::Function').find(([, each]) =>
      JSON.stringify(each.Properties.Handler).includes('record-directory-changes'),
    )!;
    const roles = JSON.stringify(Properties.Environment);
    for (const name of ['CreateApiKey', 'DeleteApiKey', 'SweepApiKeys'])
      expect(roles).toContain(`Functions${name}Role`);
    for (const handler of ['record-sign-ins', 'record-directory-changes', 'list-audit']) {
      const onTable = listStatements(prod, handler).filter(({ Resource }) =>
        JSON.stringify(Resource).includes('EventLog'),
      );
      expect(onTable).toHaveLength(1);
      const partitions = handler === 'list-audit' ? ['audit#*'] : ['audit#*', 'sign-ins#*'];
      expect(onTable[0]!.Condition).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } });
    }
  });
});
