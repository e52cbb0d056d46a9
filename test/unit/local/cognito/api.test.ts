import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  CreateUserPoolCommand,
  DeleteUserPoolClientCommand,
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
  ListGroupsCommand,
  ListUserPoolClientsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
  UpdateUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { AwsError } from '../../../../local/aws/error.ts';
import type { Access } from '../../../../local/aws/service.ts';
import { aCognito, password, postForm, type RunningCognito } from './a-cognito.ts';

describe('Cognito API', () => {
  let running: RunningCognito;
  let endpoint: Server;
  let sdk: CognitoIdentityProviderClient;
  let UserPoolId: string;
  let asked: Access[];
  let denied: AwsError | undefined;

  beforeAll(async () => {
    running = await aCognito();
    UserPoolId = running.poolId;
    endpoint = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const result = await running.cognito.service.handle(
        {
          method: request.method ?? '',
          path: '/',
          query: new URLSearchParams(),
          headers: request.headers as Record<string, string>,
          body: Buffer.concat(chunks),
        },
        (accesses) => {
          asked = [...accesses];
          if (denied) throw denied;
        },
      );
      response.writeHead(result.status, result.headers).end(result.body);
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    sdk = new CognitoIdentityProviderClient({
      region: 'eu-west-1',
      endpoint: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
      credentials: { accessKeyId: 'operator', secretAccessKey: 'operator' },
    });
  });
  afterAll(async () => {
    sdk.destroy();
    endpoint.closeAllConnections();
    await new Promise((resolve) => endpoint.close(resolve));
    await running.stop();
  });

  const machineSettings = {
    GenerateSecret: true,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['client_credentials' as const],
    AllowedOAuthScopes: ['itsm/viewer'],
  };

  describe('app clients', () => {
    it('are created with an id and a secret of Cognito’s form, and described', async () => {
      const { UserPoolClient: made } = await sdk.send(
        new CreateUserPoolClientCommand({ UserPoolId, ClientName: 'key 1', ...machineSettings }),
      );
      expect(made?.ClientId).toMatch(/^[a-z0-9]{26}$/);
      expect(made?.ClientSecret).toMatch(/^[a-z0-9]{51}$/);
      expect(made?.CreationDate).toBeInstanceOf(Date);
      const { UserPoolClient: found } = await sdk.send(
        new DescribeUserPoolClientCommand({ UserPoolId, ClientId: made?.ClientId }),
      );
      expect(found).toEqual(made);
      expect(found).toMatchObject({
        UserPoolId,
        ClientName: 'key 1',
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['itsm/viewer'],
        AllowedOAuthFlowsUserPoolClient: true,
        RefreshTokenValidity: 30,
        EnableTokenRevocation: true,
      });
    });

    it('are updated, keeping name and secret', async () => {
      const { UserPoolClient: made } = await sdk.send(
        new CreateUserPoolClientCommand({ UserPoolId, ClientName: 'key 2', ...machineSettings }),
      );
      const ClientId = made?.ClientId;
      const { GenerateSecret: _generate, ...settings } = machineSettings;
      const { UserPoolClient: updated } = await sdk.send(
        new UpdateUserPoolClientCommand({ UserPoolId, ClientId, ...settings, AllowedOAuthScopes: ['itsm/agent'] }),
      );
      expect(updated).toMatchObject({
        ClientName: 'key 2',
        ClientSecret: made?.ClientSecret,
        AllowedOAuthScopes: ['itsm/agent'],
      });
      const response = await postForm(`${running.url}/oauth2/token`, {
        grant_type: 'client_credentials',
        client_id: ClientId!,
        client_secret: made!.ClientSecret!,
        scope: 'itsm/agent',
      });
      expect(response.status).toBe(200);
    });

    it('are deleted', async () => {
      const { UserPoolClient: made } = await sdk.send(
        new CreateUserPoolClientCommand({ UserPoolId, ClientName: 'key 3', ...machineSettings }),
      );
      const ClientId = made?.ClientId;
      await sdk.send(new DeleteUserPoolClientCommand({ UserPoolId, ClientId }));
      await expect(sdk.send(new DescribeUserPoolClientCommand({ UserPoolId, ClientId }))).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: `User pool client ${ClientId} does not exist.`,
      });
    });

    it('are listed page by page, each once', async () => {
      for (let i = 0; i < 5; i++) {
        await sdk.send(new CreateUserPoolClientCommand({ UserPoolId, ClientName: `listed ${i}`, ...machineSettings }));
      }
      const seen: string[] = [];
      let NextToken: string | undefined;
      do {
        const page = await sdk.send(new ListUserPoolClientsCommand({ UserPoolId, MaxResults: 2, NextToken }));
        expect(page.UserPoolClients?.length).toBeLessThanOrEqual(2);
        seen.push(...(page.UserPoolClients ?? []).map(({ ClientName }) => ClientName!));
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(['machine', 'console', 'listed 0', 'listed 4']));
    });

    it.each([
      ['an unknown scope', { ...machineSettings, AllowedOAuthScopes: ['itsm/none'] }, 'ScopeDoesNotExistException'],
      ['no secret', { ...machineSettings, GenerateSecret: false }, 'InvalidOAuthFlowException'],
      [
        'two kinds of flow',
        { ...machineSettings, AllowedOAuthFlows: ['client_credentials', 'code'] },
        'InvalidOAuthFlowException',
      ],
      ['the implicit flow', { ...machineSettings, AllowedOAuthFlows: ['implicit'] }, 'InvalidOAuthFlowException'],
      ['a flow without scopes', { ...machineSettings, AllowedOAuthScopes: [] }, 'InvalidOAuthFlowException'],
      [
        'no callback address',
        { AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'] },
        'InvalidParameterException',
      ],
      ['a cleartext address', { CallbackURLs: ['http://example.com/'] }, 'InvalidParameterException'],
      [
        'a too short validity',
        { ...machineSettings, AccessTokenValidity: 1, TokenValidityUnits: { AccessToken: 'minutes' } },
        'InvalidParameterException',
      ],
      ['a field nobody knows here', { AnalyticsConfiguration: {} }, 'InvalidParameterException'],
    ])('are rejected with %s', async (_name, settings, name) => {
      const input = { UserPoolId, ClientName: 'bad', ...settings };
      await expect(sdk.send(new CreateUserPoolClientCommand(input as never))).rejects.toMatchObject({ name });
    });
  });

  describe('people', () => {
    it('are created, found by e-mail, changed and deleted', async () => {
      const Username = 'Grace@Example.com';
      const { User } = await sdk.send(
        new AdminCreateUserCommand({
          UserPoolId,
          Username,
          MessageAction: 'SUPPRESS',
          UserAttributes: [{ Name: 'email_verified', Value: 'true' }],
        }),
      );
      expect(User).toMatchObject({
        Username: expect.stringMatching(/^[0-9a-f-]{36}$/),
        Enabled: true,
        UserStatus: 'FORCE_CHANGE_PASSWORD',
      });
      await sdk.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password: password, Permanent: true }));
      await sdk.send(
        new AdminUpdateUserAttributesCommand({
          UserPoolId,
          Username,
          UserAttributes: [{ Name: 'custom:team', Value: 'x' }],
        }),
      );
      const found = await sdk.send(new AdminGetUserCommand({ UserPoolId, Username: 'grace@example.com' }));
      expect(found).toMatchObject({ Username: User?.Username, UserStatus: 'CONFIRMED' });
      expect(found.UserCreateDate).toBeInstanceOf(Date);
      expect(Object.fromEntries((found.UserAttributes ?? []).map(({ Name, Value }) => [Name, Value]))).toEqual({
        sub: User?.Username,
        email: Username,
        email_verified: 'true',
        'custom:team': 'x',
      });
      await sdk.send(new AdminDisableUserCommand({ UserPoolId, Username }));
      expect((await sdk.send(new AdminGetUserCommand({ UserPoolId, Username }))).Enabled).toBe(false);
      await sdk.send(new AdminEnableUserCommand({ UserPoolId, Username }));
      expect((await sdk.send(new AdminGetUserCommand({ UserPoolId, Username }))).Enabled).toBe(true);
      await sdk.send(new AdminDeleteUserCommand({ UserPoolId, Username }));
      await expect(sdk.send(new AdminGetUserCommand({ UserPoolId, Username }))).rejects.toMatchObject({
        name: 'UserNotFoundException',
        message: 'User does not exist.',
      });
    });

    it('are unique, ignoring case', async () => {
      await running.person('one@example.com', password);
      const again = new AdminCreateUserCommand({ UserPoolId, Username: 'ONE@example.com', MessageAction: 'SUPPRESS' });
      await expect(sdk.send(again)).rejects.toMatchObject({
        name: 'UsernameExistsException',
        message: 'An account with the given email already exists.',
      });
    });

    it('become unverified with a new address', async () => {
      await running.person('old@example.com', password);
      const change = (UserAttributes: { Name: string; Value: string }[], Username = 'old@example.com') =>
        sdk.send(new AdminUpdateUserAttributesCommand({ UserPoolId, Username, UserAttributes }));
      await change([{ Name: 'email_verified', Value: 'true' }]);
      await change([{ Name: 'email', Value: 'fresh@example.com' }]);
      const { UserAttributes } = await sdk.send(new AdminGetUserCommand({ UserPoolId, Username: 'fresh@example.com' }));
      expect(UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'false' });
    });

    it('cannot have a password that violates the policy', async () => {
      await running.person('weak@example.com', password);
      const input = { UserPoolId, Username: 'weak@example.com', Password: 'short', Permanent: true };
      await expect(sdk.send(new AdminSetUserPasswordCommand(input))).rejects.toMatchObject({
        name: 'InvalidPasswordException',
        message: 'Password did not conform with policy: Password not long enough',
      });
    });

    it.each([
      [{ Username: 'no-address' }, 'Username should be an email.'],
      [{ Username: 'x@example.com', UserAttributes: [{ Name: 'custom:none', Value: '1' }] }, 'custom:none'],
      [{ Username: 'x@example.com', MessageAction: 'RESEND' }, 'RESEND'],
    ])('are rejected as %j', async (input, message) => {
      const create = new AdminCreateUserCommand({ UserPoolId, MessageAction: 'SUPPRESS', ...input } as never);
      await expect(sdk.send(create)).rejects.toMatchObject({
        name: 'InvalidParameterException',
        message: expect.stringContaining(message),
      });
    });

    it('get their invitation in the log instead of an e-mail', async () => {
      await sdk.send(new AdminCreateUserCommand({ UserPoolId, Username: 'invited@example.com' }));
      expect(running.lines.at(-1)).toMatchObject({
        level: 'warn',
        username: 'invited@example.com',
        temporary_password: expect.any(String),
      });
    });

    it('are listed by filter and page by page', async () => {
      for (let i = 0; i < 5; i++)
        await running.call('AdminCreateUser', { Username: `page${i}@example.com`, MessageAction: 'SUPPRESS' });
      const exact = await sdk.send(new ListUsersCommand({ UserPoolId, Filter: 'email = "page3@example.com"' }));
      expect(exact.Users).toHaveLength(1);
      const seen: string[] = [];
      let PaginationToken: string | undefined;
      do {
        const page = await sdk.send(
          new ListUsersCommand({
            UserPoolId,
            Filter: 'email ^= "page"',
            Limit: 2,
            AttributesToGet: ['email'],
            PaginationToken,
          }),
        );
        seen.push(...(page.Users ?? []).map(({ Attributes }) => Attributes!.map(({ Value }) => Value).join()));
        PaginationToken = page.PaginationToken;
      } while (PaginationToken !== undefined);
      expect(seen).toEqual([0, 1, 2, 3, 4].map((i) => `page${i}@example.com`));
      await expect(sdk.send(new ListUsersCommand({ UserPoolId, Filter: 'shoe_size = "44"' }))).rejects.toMatchObject({
        name: 'InvalidParameterException',
      });
    });
  });

  describe('groups', () => {
    it('come from the template and have members', async () => {
      const { Groups } = await sdk.send(new ListGroupsCommand({ UserPoolId }));
      expect(Groups?.map(({ GroupName, Precedence }) => [GroupName, Precedence])).toEqual([
        ['agent', 1],
        ['viewer', 2],
      ]);
      await running.person('member@example.com', password);
      const Username = 'member@example.com';
      await sdk.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: 'viewer' }));
      await sdk.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName: 'agent' }));
      const mine = await sdk.send(new AdminListGroupsForUserCommand({ UserPoolId, Username }));
      expect(mine.Groups?.map(({ GroupName }) => GroupName)).toEqual(['agent', 'viewer']);
      const members = await sdk.send(new ListUsersInGroupCommand({ UserPoolId, GroupName: 'agent', Limit: 1 }));
      expect(members.Users).toHaveLength(1);
      await sdk.send(new AdminRemoveUserFromGroupCommand({ UserPoolId, Username, GroupName: 'agent' }));
      expect((await sdk.send(new ListUsersInGroupCommand({ UserPoolId, GroupName: 'agent' }))).Users).toEqual([]);
    });

    it('are rejected when unknown', async () => {
      await running.person('lonely@example.com', password);
      const join = new AdminAddUserToGroupCommand({ UserPoolId, Username: 'lonely@example.com', GroupName: 'none' });
      await expect(sdk.send(join)).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: 'Group not found.',
      });
    });
  });

  it('describes the pool', async () => {
    const { UserPool } = await sdk.send(new DescribeUserPoolCommand({ UserPoolId }));
    expect(UserPool).toMatchObject({
      Id: UserPoolId,
      Name: 'Service Desk',
      Domain: 'service-desk',
      Arn: `arn:aws:cognito-idp:eu-west-1:111122223333:userpool/${UserPoolId}`,
    });
  });

  it('rejects an unknown pool or operation', async () => {
    await expect(sdk.send(new DescribeUserPoolCommand({ UserPoolId: 'eu-west-1_none' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'User pool eu-west-1_none does not exist.',
    });
    await expect(sdk.send(new CreateUserPoolCommand({ PoolName: 'another' }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
  });

  it('requires the permission to call the operation on the pool', async () => {
    await sdk.send(new ListGroupsCommand({ UserPoolId }));
    expect(asked).toEqual([
      {
        action: 'cognito-idp:ListGroups',
        resource: `arn:aws:cognito-idp:eu-west-1:111122223333:userpool/${UserPoolId}`,
      },
    ]);
    denied = new AwsError('AccessDeniedException', 'no');
    await expect(sdk.send(new ListGroupsCommand({ UserPoolId }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    denied = undefined;
  });

  describe('CloudTrail events', () => {
    beforeEach(() => {
      running.published.length = 0;
    });

    it('describe changes without names', async () => {
      await running.person('bea@example.com', 'Correct-Horse-1', ['viewer']);
      await running.call('AdminGetUser', { Username: 'bea@example.com' });
      await running.call('AdminDeleteUser', { Username: 'bea@example.com' });
      const details = running.published.map(({ detail }) => detail);
      expect(details.map(({ eventName }) => eventName)).toEqual([
        'AdminCreateUser',
        'AdminSetUserPassword',
        'AdminAddUserToGroup',
        'AdminDeleteUser',
      ]);
      const subs = new Set(details.map(({ additionalEventData }) => additionalEventData.sub));
      expect([...subs]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(details[2]).toMatchObject({
        eventSource: 'cognito-idp.amazonaws.com',
        userIdentity: { type: 'IAMUser', arn: 'arn:aws:iam::111122223333:user/operator' },
        requestParameters: { userPoolId: running.poolId, groupName: 'viewer' },
      });
      expect(JSON.stringify(running.published)).not.toMatch(/bea@|Correct-Horse/);
    });

    it('are not sent for rejected calls', async () => {
      await expect(running.call('AdminDeleteUser', { Username: 'nobody@example.com' })).rejects.toThrow();
      expect(running.published).toEqual([]);
    });
  });
});
