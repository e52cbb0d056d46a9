// The Cognito user pools API: app clients, users and groups.
import { AwsError } from '../aws/error.ts';
import { type AwsService, createJsonService, type Input, unsupportedOperationError } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { createClientOperations, type Operation } from './client-api.ts';
import type { ClientStore } from './client-store.ts';
import { isChange, toCloudTrailEvent } from './cloud-trail.ts';
import { formatPageToken, parsePageSize, parsePageToken } from './paging.ts';
import { createUserOperations } from './user-api.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

/** Sends a CloudTrail event to the default event bus. */
export type Publish = (event: ReturnType<typeof toCloudTrailEvent>) => Promise<void>;

export function createApi(parts: {
  pools: () => readonly UserPool[];
  clients: ClientStore;
  users: UserStore;
  environment: StackEnvironment;
  clock: Clock;
  log: Log;
  publish: Publish;
}): Required<AwsService> {
  const { pools, clients, users, environment, clock, log, publish } = parts;
  const operations = new Map<string, Operation>([
    ...Object.entries(createClientOperations(clients)),
    ...Object.entries(createUserOperations(users, log)),
    ['DescribeUserPool', async (pool) => ({ UserPool: describe(pool, users.count(pool)) })],
  ]);
  return createJsonService({
    signingName: 'cognito-idp',
    jsonVersion: '1.1',
    access(operation, input) {
      const id = operation === 'ListUserPools' ? '*' : String(input?.UserPoolId);
      const resource = `arn:aws:cognito-idp:${environment.region}:${environment.accountId}:userpool/${id}`;
      return [{ action: `cognito-idp:${operation}`, resource }];
    },
    call: async (operation, input: Input, caller) => {
      if (operation === 'ListUserPools') return listPools(pools(), input);
      const run = operations.get(operation);
      if (!run) throw unsupportedOperationError('cognito-idp', operation);
      const pool = pools().find(({ id }) => id === input?.UserPoolId);
      if (!pool) {
        throw new AwsError('ResourceNotFoundException', `User pool ${String(input?.UserPoolId)} does not exist.`);
      }
      if (!isChange(operation)) return run(pool, input);
      const findSub = (name: unknown) => (typeof name === 'string' ? users.find(pool, name)?.sub : undefined);
      // Look up the user before and after the call: a deleted user exists only before, a created one only after.
      const before = findSub(input.Username);
      const output = await run(pool, input);
      const sub = before ?? findSub(input.Username);
      const event = toCloudTrailEvent({ operation, input, output, sub, caller, nowMs: clock.now() }, environment);
      // Do not fail the call when only its event is lost.
      await publish(event).catch((error: unknown) =>
        log.error('A CloudTrail event was lost', { error: String(error) }),
      );
      return output;
    },
  });
}

function listPools(pools: readonly UserPool[], { MaxResults, NextToken }: Input) {
  const pageSize = parsePageSize(MaxResults, 'maxResults');
  const after = parsePageToken(NextToken) ?? '';
  const remaining = pools.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = remaining.slice(0, pageSize);
  const last = remaining.length > pageSize ? page.at(-1) : undefined;
  const UserPools = page.map(({ id, name }) => ({ Id: id, Name: name }));
  return { UserPools, ...(last && { NextToken: formatPageToken(last.id) }) };
}

function describe(pool: UserPool, userCount: number) {
  const { passwordPolicy: policy } = pool;
  return {
    Id: pool.id,
    Name: pool.name,
    Arn: pool.arn,
    ...(pool.domain === undefined ? {} : { Domain: pool.domain }),
    EstimatedNumberOfUsers: userCount,
    MfaConfiguration: 'OFF',
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    Policies: {
      PasswordPolicy: {
        MinimumLength: policy.minLength,
        RequireLowercase: policy.lowercase,
        RequireUppercase: policy.uppercase,
        RequireNumbers: policy.numbers,
        RequireSymbols: policy.symbols,
        TemporaryPasswordValidityDays: policy.temporaryDays,
      },
    },
    UsernameAttributes: ['email'],
    UsernameConfiguration: { CaseSensitive: pool.caseSensitive },
  };
}
