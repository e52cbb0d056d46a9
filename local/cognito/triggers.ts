// Calls the functions that a pool defines for sign-ins. A failing function ends the sign-in.
import type { StackEnvironment } from '../template/resource-type.ts';
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

  private async run(
    trigger: 'PreAuthentication' | 'PostAuthentication',
    userName: string,
    clientId: string,
    request: object,
  ): Promise<string | undefined> {
    const functionArn = this.pool.triggers[trigger];
    if (functionArn === undefined) return undefined;
    const { payload, functionError } = await this.invoke(functionArn, {
      version: '1',
      region: this.environment.region,
      userPoolId: this.pool.id,
      userName,
      callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
      triggerSource: `${trigger}_Authentication`,
      request,
      response: {},
    });
    if (functionError === undefined) return undefined;
    const { errorMessage = 'unknown' } = (payload ?? {}) as { errorMessage?: string };
    return `${trigger} failed with error ${errorMessage}.`;
  }
}

function toAttributes({ sub, status, attributes }: User): Record<string, string> {
  return { sub, 'cognito:user_status': status, ...attributes };
}
