import {
  AccountRecovery,
  type CfnUserPool,
  type CfnUserPoolClient,
  CfnUserPoolUser,
  CfnUserPoolUserToGroupAttachment,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ResourceServerScope,
  StandardThreatProtectionMode,
  StringAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  type UserPoolClientOptions,
  UserPoolGroup,
  type UserPoolResourceServer,
} from 'aws-cdk-lib/aws-cognito';
import { ArnFormat, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type Role, roleDescriptions, roles, scopePrefix } from '../contract/roles.ts';
import { confirmedUntilAttribute } from '../contract/single-sign-on.ts';
import { type Environment, toInstanceName } from './environments.ts';
import { toFunctionName } from './functions.ts';
import {
  createProviders,
  describeSingleSignOn,
  describeTriggers,
  federationFunction,
  offerProvider,
  type SingleSignOnValues,
} from './single-sign-on.ts';

// People, groups and programs. People sign in at the hosted login and get their roles from groups; programs use the
// client-credentials grant and get theirs from scopes.

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

/** The function that writes sign-ins to the audit log. */
export const signInFunction = 'record-sign-ins';

export class Directory extends Construct {
  readonly userPool: UserPool;
  /** `itsm login`, where people sign in with the browser. */
  readonly commandLine: UserPoolClient;
  /** Programs with credentials of their own, by name. */
  readonly clients: ReadonlyMap<string, UserPoolClient>;
  /** The caller of the canary. */
  readonly canary: UserPoolClient;

  constructor(scope: Construct, id: string, environment: Environment) {
    super(scope, id);
    const singleSignOn = describeSingleSignOn(this, environment);
    this.userPool = this.createUserPool(environment, singleSignOn);
    this.userPool.addDomain('HostedLogin', {
      cognitoDomain: { domainPrefix: toLoginPrefix(Stack.of(this), environment) },
    });
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
    this.commandLine = this.userPool.addClient(
      'CommandLine',
      describeClientForPeople('command-line', { callbackUrls: commandLineRedirectUris }),
    );
    if (singleSignOn) {
      const client = this.commandLine.node.defaultChild as CfnUserPoolClient;
      offerProvider(client, singleSignOn);
      for (const provider of createProviders(this, this.userPool, singleSignOn)) client.addResourceDependency(provider);
    }
    const createClient = this.createClientFactory();
    this.clients = new Map(environment.clients.map(({ name, role }) => [name, createClient(name, role)]));
    this.canary = createClient('canary', 'itsm_manager');
  }

  private createUserPool(environment: Environment, singleSignOn: SingleSignOnValues | undefined): UserPool {
    const { removalPolicy, deletionProtection, mfa, threatProtection } = environment;
    const userPool = new UserPool(this, 'UserPool', {
      userPoolName: 'Incident Service',
      signInCaseSensitive: false,
      selfSignUpEnabled: false,
      signInAliases: { email: true },
      standardAttributes: { email: { required: true, mutable: true } },
      // Without a provider, too: Cognito cannot remove an attribute.
      customAttributes: {
        [confirmedUntilAttribute.replace('custom:', '')]: new StringAttribute({ mutable: true, maxLen: 30 }),
      },
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
    const pool = userPool.node.defaultChild as CfnUserPool;
    const signIns = this.toFunctionArn(environment, signInFunction);
    pool.addPropertyOverride('LambdaConfig', {
      PreAuthentication: signIns,
      PostAuthentication: signIns,
      ...(singleSignOn && describeTriggers(this.toFunctionArn(environment, federationFunction), singleSignOn)),
    });
    return userPool;
  }

  /** By name: the function belongs to the service's stack, which refers to this one. */
  private toFunctionArn(environment: Environment, name: string): string {
    return Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: toFunctionName(toInstanceName(environment), name),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
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
}

/** A public client: it has no secret, so it proves with PKCE that the code is its own. */
export function describeClientForPeople(
  name: string,
  addresses: { callbackUrls: string[]; logoutUrls?: string[] },
): UserPoolClientOptions {
  return {
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
  };
}

/** Where Cognito serves the hosted login. */
export function toLoginUrl(stack: Stack, environment: Environment): string {
  return `https://${toLoginPrefix(stack, environment)}.auth.${stack.region}.amazoncognito.com`;
}

/** Unique in a region across all AWS accounts. */
function toLoginPrefix(stack: Stack, { loginPrefix, serviceInstance }: Environment): string {
  return loginPrefix ?? `incidents-${serviceInstance}-${stack.account}`;
}
