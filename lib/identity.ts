import { type CfnUserPoolClient, UserPoolClient } from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import { offerProvider, type SingleSignOnValues } from './single-sign-on.ts';
import { type Directory, describeClientForPeople } from './user-pool.ts';

// How the service uses the user pool: the console's client, the authorizer that identifies the caller of a token, and
// permissions on people, groups and clients.

export interface IdentityProps {
  directory: Directory;
  publicUrl: string;
  /** Where the hosted login and the OAuth endpoints are. */
  authUrl: string;
  functions: Functions;
  records: Records;
  singleSignOn: SingleSignOnValues | undefined;
}

export class Identity extends Construct {
  readonly authorizer: ServiceFunction;
  readonly directory: Directory;
  /** The web console, where people sign in. */
  readonly console: UserPoolClient;
  private readonly authUrl: string;
  private readonly records: Records;

  constructor(scope: Construct, id: string, props: IdentityProps) {
    super(scope, id);
    const { directory, publicUrl, authUrl, functions, records, singleSignOn } = props;
    this.directory = directory;
    this.authUrl = authUrl;
    this.records = records;
    this.console = this.createConsoleClient(`${publicUrl}/console/`, singleSignOn);
    this.authorizer = this.createAuthorizer(functions);
  }

  /** Allows identifying the caller of a token. */
  readonly grantIdentify = (fn: ServiceFunction): void => {
    const issuer = this.directory.userPool.userPoolProviderUrl;
    const operations = ['AdminGetUser', 'AdminListGroupsForUser', 'DescribeUserPoolClient'];
    const actions = operations.map((operation) => `cognito-idp:${operation}`);
    fn.grant(actions, [this.directory.userPool.userPoolArn], {
      ISSUER: issuer,
      JWKS_URL: `${issuer}/.well-known/jwks.json`,
      USER_INFO_URL: `${this.authUrl}/oauth2/userInfo`,
      USER_POOL_ID: this.directory.userPool.userPoolId,
    });
    this.records.grantUseApiKeys(fn);
  };

  /** Allows looking up the email address of a user. */
  readonly grantFindPeople = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:AdminGetUser']);
  };

  /** Allows listing users with their roles. */
  readonly grantListPeople = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:ListUsers', 'cognito-idp:ListUsersInGroup']);
  };

  /** Allows creating people of the identity provider, linking them and giving them roles. */
  readonly grantFederate = (fn: ServiceFunction): void => {
    const operations = [
      ...['ListUsers', 'AdminGetUser', 'AdminListGroupsForUser', 'AdminCreateUser', 'AdminSetUserPassword'],
      ...['AdminLinkProviderForUser', 'AdminUpdateUserAttributes', 'AdminAddUserToGroup', 'AdminRemoveUserFromGroup'],
    ];
    this.allowPool(
      fn,
      operations.map((operation) => `cognito-idp:${operation}`),
    );
  };

  /** Allows listing the members of a group. */
  readonly grantListMembers = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:ListUsersInGroup']);
  };

  /** Allows listing groups without their members. */
  readonly grantListGroups = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:ListGroups']);
  };

  /** Allows creating app clients for API keys, and reading a secret again when a request is retried. */
  readonly grantCreateClients = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:CreateUserPoolClient', 'cognito-idp:DescribeUserPoolClient']);
  };

  /** Allows deleting app clients of API keys; a client whose id was lost is found by its name. */
  readonly grantDeleteClients = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:DeleteUserPoolClient', 'cognito-idp:ListUserPoolClients']);
  };

  /** Allows getting tokens as the canary, whose secret only the user pool stores. */
  readonly grantUseCanary = (fn: ServiceFunction): void => {
    this.allowPool(fn, ['cognito-idp:DescribeUserPoolClient']);
    fn.lambda.addEnvironment('CANARY_CLIENT_ID', this.directory.canary.userPoolClientId);
    fn.lambda.addEnvironment('TOKEN_URL', `${this.authUrl}/oauth2/token`);
  };

  private allowPool(fn: ServiceFunction, actions: readonly string[]): void {
    fn.grant(actions, [this.directory.userPool.userPoolArn], { USER_POOL_ID: this.directory.userPool.userPoolId });
  }

  /** It has the address of the console, which the stack of the user pool does not know. */
  private createConsoleClient(page: string, singleSignOn: SingleSignOnValues | undefined): UserPoolClient {
    const options = describeClientForPeople('console', { callbackUrls: [page], logoutUrls: [page] });
    const { userPool } = this.directory;
    const client = new UserPoolClient(this, 'Console', { ...options, userPool });
    const resource = client.node.defaultChild as CfnUserPoolClient;
    resource.overrideLogicalId('IdentityUserPoolConsole23F8730F');
    if (singleSignOn) offerProvider(resource, singleSignOn);
    return client;
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
