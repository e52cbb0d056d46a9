import {
  AccountRecovery,
  CfnUserPoolUser,
  CfnUserPoolUserToGroupAttachment,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  StandardThreatProtectionMode,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolGroup,
  type UserPoolResourceServer,
} from 'aws-cdk-lib/aws-cognito';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Role, roleDescriptions, roles, scopePrefix } from '../contract/roles.ts';
import type { Environment } from './environments.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';

// Users and clients. People sign in at the hosted login and get their roles from groups; programs use the
// client-credentials grant and get theirs from scopes. The authorizer identifies the caller of a token.

export interface IdentityProps {
  environment: Environment;
  publicUrl: string;
  /** Where the hosted login and the OAuth endpoints are. */
  authUrl: string;
  functions: Functions;
  records: Records;
}

const tokenLifetime = Duration.hours(1);

/**
 * Cognito charges for each token of a program. A long life is safe, because the authorizer looks up the client every five
 * minutes (docs/decisions/0004-callers-and-tokens.md).
 */
const programTokenLifetime = Duration.hours(24);

/**
 * Where the command line receives the code of a sign-in. Cognito compares the whole address with its port, so there are several
 * for the case that one is in use. They are below the ports that operating systems give out.
 */
export const commandLineRedirectUris = [18251, 18252, 18253, 18254, 18255].map(
  (port) => `http://127.0.0.1:${port}/callback`,
);

export class Identity extends Construct {
  readonly authorizer: ServiceFunction;
  readonly userPool: UserPool;
  /** Where the hosted login and the OAuth endpoints are. */
  readonly authUrl: string;
  /** The web console, where people sign in. */
  readonly console: UserPoolClient;
  /** `itsm login`, where people sign in with the browser. */
  readonly commandLine: UserPoolClient;
  /** Programs with credentials of their own, by name. */
  readonly clients: ReadonlyMap<string, UserPoolClient>;
  /** The caller of the canary. */
  readonly canary: UserPoolClient;
  private readonly records: Records;

  constructor(scope: Construct, id: string, { environment, publicUrl, authUrl, functions, records }: IdentityProps) {
    super(scope, id);
    this.records = records;
    this.userPool = this.createUserPool(environment);
    this.userPool.addDomain('HostedLogin', {
      cognitoDomain: { domainPrefix: toLoginPrefix(Stack.of(this), environment) },
    });
    this.authUrl = authUrl;
    for (const [index, role] of roles.entries()) {
      new UserPoolGroup(this, `Group-${role}`, {
        userPool: this.userPool,
        groupName: role,
        description: roleDescriptions[role],
        // Cognito prefers the lowest number, so the highest role comes first.
        precedence: roles.length - index,
      });
    }
    if (environment.adminEmail) this.createAdministrator(environment.adminEmail);
    const page = `${publicUrl}/console/`;
    this.console = this.createClientForPeople('Console', 'console', { callbackUrls: [page], logoutUrls: [page] });
    this.commandLine = this.createClientForPeople('CommandLine', 'command-line', {
      callbackUrls: commandLineRedirectUris,
    });
    const createClient = this.createClientFactory();
    this.clients = new Map(environment.clients.map(({ name, role }) => [name, createClient(name, role)]));
    this.canary = createClient('canary', 'itsm_manager');
    this.authorizer = this.createAuthorizer(functions);
  }

  /** Allows identifying the caller of a token. */
  grantIdentify(fn: ServiceFunction): void {
    const issuer = this.userPool.userPoolProviderUrl;
    const operations = ['AdminGetUser', 'AdminListGroupsForUser', 'DescribeUserPoolClient'];
    const actions = operations.map((operation) => `cognito-idp:${operation}`);
    fn.grant(actions, [this.userPool.userPoolArn], {
      ISSUER: issuer,
      JWKS_URL: `${issuer}/.well-known/jwks.json`,
      USER_INFO_URL: `${this.authUrl}/oauth2/userInfo`,
      USER_POOL_ID: this.userPool.userPoolId,
    });
    this.records.grantUseApiKeys(fn);
  }

  /** Allows looking up the email address of a user. */
  grantFindPeople(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:AdminGetUser']);
  }

  /** Allows listing users with their roles. */
  grantListPeople(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:ListUsers', 'cognito-idp:ListUsersInGroup']);
  }

  /** Allows listing groups without their members. */
  grantListGroups(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:ListGroups']);
  }

  /** Allows creating app clients for API keys, and reading a secret again when a request is retried. */
  grantCreateClients(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:CreateUserPoolClient', 'cognito-idp:DescribeUserPoolClient']);
  }

  /** Allows deleting app clients of API keys; a client whose id was lost is found by its name. */
  grantDeleteClients(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:DeleteUserPoolClient', 'cognito-idp:ListUserPoolClients']);
  }

  /** Allows getting tokens as the canary, whose secret only the user pool stores. */
  grantUseCanary(fn: ServiceFunction): void {
    this.allowPool(fn, ['cognito-idp:DescribeUserPoolClient']);
    fn.lambda.addEnvironment('CANARY_CLIENT_ID', this.canary.userPoolClientId);
    fn.lambda.addEnvironment('TOKEN_URL', `${this.authUrl}/oauth2/token`);
  }

  private allowPool(fn: ServiceFunction, actions: readonly string[]): void {
    fn.grant(actions, [this.userPool.userPoolArn], { USER_POOL_ID: this.userPool.userPoolId });
  }

  private createUserPool({ removalPolicy, deletionProtection, mfa, threatProtection }: Environment): UserPool {
    const userPool = new UserPool(this, 'UserPool', {
      userPoolName: 'Incident Service',
      signInCaseSensitive: false,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      passwordPolicy: {
        minLength: 12,
        requireLowercase: true,
        requireUppercase: true,
        requireDigits: true,
        requireSymbols: true,
        tempPasswordValidity: Duration.days(3),
      },
      mfa: mfa === 'required' ? Mfa.REQUIRED : Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      featurePlan: threatProtection ? FeaturePlan.PLUS : FeaturePlan.ESSENTIALS,
      ...(threatProtection && { standardThreatProtectionMode: StandardThreatProtectionMode.FULL_FUNCTION }),
      deletionProtection,
      removalPolicy,
    });
    Validations.of(userPool).acknowledge({
      id: 'AwsSolutions-COG2',
      reason: 'Each organisation decides whether its people must use a second factor; every person may.',
    });
    Validations.of(userPool).acknowledge({
      id: 'AwsSolutions-COG8',
      reason: 'The Plus plan is priced per person; the Essentials plan has all the features the service uses.',
    });
    return userPool;
  }

  /** Cognito sends a temporary password. The person stays when the option is left out later. */
  private createAdministrator(email: string): void {
    const user = new CfnUserPoolUser(this, 'Administrator', {
      userPoolId: this.userPool.userPoolId,
      username: email,
      desiredDeliveryMediums: ['EMAIL'],
      userAttributes: [
        { name: 'email', value: email },
        { name: 'email_verified', value: 'true' },
      ],
    });
    user.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const groupName: Role = 'super_admin';
    const membership = new CfnUserPoolUserToGroupAttachment(this, 'AdministratorRole', {
      userPoolId: this.userPool.userPoolId,
      username: user.ref,
      groupName,
    });
    membership.node.addDependency(this.node.findChild(`Group-${groupName}`));
    membership.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }

  /** A public client: it has no secret, so it proves with PKCE that the code is its own. */
  private createClientForPeople(
    id: string,
    name: string,
    addresses: { callbackUrls: string[]; logoutUrls?: string[] },
  ): UserPoolClient {
    return this.userPool.addClient(id, {
      userPoolClientName: name,
      generateSecret: false,
      authFlows: { userSrp: false },
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        ...addresses,
      },
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      accessTokenValidity: tokenLifetime,
      idTokenValidity: tokenLifetime,
      refreshTokenValidity: Duration.days(30),
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
    });
  }

  private createClientFactory(): (name: string, role: Role) => UserPoolClient {
    const toScope = (role: Role) =>
      new ResourceServerScope({ scopeName: role, scopeDescription: roleDescriptions[role] });
    const server = this.userPool.addResourceServer('ResourceServer', {
      identifier: scopePrefix,
      scopes: roles.map(toScope),
    });
    return (name, role) => this.createClient(name, server, toScope(role));
  }

  private createClient(name: string, server: UserPoolResourceServer, scope: ResourceServerScope): UserPoolClient {
    return this.userPool.addClient(`Client-${name}`, {
      userPoolClientName: name,
      generateSecret: true,
      authFlows: { userSrp: false },
      oAuth: { flows: { clientCredentials: true }, scopes: [OAuthScope.resourceServer(server, scope)] },
      accessTokenValidity: programTokenLifetime,
      enableTokenRevocation: true,
    });
  }

  private createAuthorizer(functions: Functions): ServiceFunction {
    const authorizer = functions.create({
      name: 'authorizer',
      capability: 'identity',
      description: 'Authorizes API requests: verifies the access token and looks up the caller and roles.',
    });
    this.grantIdentify(authorizer);
    return authorizer;
  }
}

/** Where Cognito serves the hosted login. */
export function toLoginUrl(stack: Stack, environment: Environment): string {
  return `https://${toLoginPrefix(stack, environment)}.auth.${stack.region}.amazoncognito.com`;
}

/** Unique in a region across all AWS accounts. */
function toLoginPrefix(stack: Stack, { loginPrefix, serviceInstance }: Environment): string {
  return loginPrefix ?? `incidents-${serviceInstance}-${stack.account}`;
}
