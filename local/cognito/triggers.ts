// Calls the functions that a pool defines for sign-ins. A failing function ends the sign-in.
import type { StackEnvironment } from '../template/resource-type.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { UserPool } from './user-pool.ts';
import type { User } from './user-store.ts';

export type Invoke = (functionArn: string, payload: unknown) => Promise<{ payload: unknown; functionError?: unknown }>;

/** Facts for an audit log. */
export interface SignInAttempt {
  source_ip: string;
  /** Whether the password is checked. */
  outcome: 'checked' | 'blocked';
}

export class Triggers {
  private readonly pool: UserPool;
  private readonly environment: StackEnvironment;
  private readonly invoke: Invoke;

  constructor(pool: UserPool, environment: StackEnvironment, invoke: Invoke) {
    this.pool = pool;
    this.environment = environment;
    this.invoke = invoke;
  }

  /** Before the password check; resolves with an error message if the sign-in must end. Cognito sends no `attempt`. */
  runPreAuthentication(
    name: string,
    user: User | undefined,
    clientId: string,
    attempt: SignInAttempt,
  ): Promise<string | undefined> {
    const userAttributes = user ? toAttributes(user) : {};
    const request = { userAttributes, validationData: { ...attempt }, userNotFound: !user };
    return this.run('PreAuthentication', user?.username ?? name, clientId, request);
  }

  /** After the sign-in is complete; resolves with an error message if it must end. */
  runPostAuthentication(user: User, clientId: string, attempt: SignInAttempt): Promise<string | undefined> {
    const request = { userAttributes: toAttributes(user), newDeviceUsed: false, clientMetadata: { ...attempt } };
    return this.run('PostAuthentication', user.username, clientId, request);
  }

  /** After a provider's response is verified; resolves with the attributes to map. */
  async runInboundFederation(
    provider: IdentityProvider,
    userName: string,
    clientId: string,
    attributes: object,
  ): Promise<{ error: string } | { attributes: Record<string, string> }> {
    const functionArn = this.pool.triggers.InboundFederation?.LambdaArn;
    if (functionArn === undefined) return { attributes: {} };
    const request = { providerName: provider.name, providerType: provider.type, attributes };
    const source = 'InboundFederation_ExternalProvider';
    const { error, response } = await this.call(functionArn, source, userName, clientId, request);
    return error === undefined ? { attributes: response.userAttributesToMap ?? {} } : { error };
  }

  /** Before tokens are created; resolves with an error message if there must be none. */
  async runTokenGeneration(
    user: User,
    groups: readonly string[],
    clientId: string,
    source: 'HostedAuth' | 'RefreshTokens',
  ): Promise<string | undefined> {
    const functionArn = this.pool.triggers.PreTokenGeneration;
    if (functionArn === undefined) return undefined;
    const groupConfiguration = { groupsToOverride: groups, iamRolesToOverride: [], preferredRole: null };
    const request = { userAttributes: toAttributes(user), groupConfiguration };
    const { error, response } = await this.call(
      functionArn,
      `TokenGeneration_${source}`,
      user.username,
      clientId,
      request,
    );
    return response.claimsOverrideDetails ? 'PreTokenGeneration cannot change claims here.' : error;
  }

  private async run(
    trigger: 'PreAuthentication' | 'PostAuthentication',
    userName: string,
    clientId: string,
    request: object,
  ): Promise<string | undefined> {
    const functionArn = this.pool.triggers[trigger];
    if (functionArn === undefined) return undefined;
    return (await this.call(functionArn, `${trigger}_Authentication`, userName, clientId, request)).error;
  }

  private async call(
    functionArn: string,
    triggerSource: string,
    userName: string,
    clientId: string,
    request: object,
  ): Promise<{ error?: string; response: TriggerResponse }> {
    const { payload, functionError } = await this.invoke(functionArn, {
      version: '1',
      region: this.environment.region,
      userPoolId: this.pool.id,
      userName,
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
      triggerSource,
      request,
      response: {},
    });
    const { errorMessage = 'unknown', response = {} } = (payload ?? {}) as {
      errorMessage?: string;
      response?: TriggerResponse;
    };
    if (functionError === undefined) return { response };
    const [source = ''] = triggerSource.split('_');
    const trigger = source === 'TokenGeneration' ? 'PreTokenGeneration' : source;
    return { error: `${trigger} failed with error ${errorMessage}.`, response: {} };
  }
}

interface TriggerResponse {
  userAttributesToMap?: Record<string, string>;
  claimsOverrideDetails?: unknown;
}

function toAttributes({ sub, status, attributes }: User): Record<string, string> {
  return { sub, 'cognito:user_status': status, ...attributes };
}
