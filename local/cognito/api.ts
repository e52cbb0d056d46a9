// The Cognito user pools API, as far as it makes sense on one machine: app clients, people, groups.
import { AwsError } from '../aws/error.ts';
import { type AwsService, type Input, jsonService, unsupportedOperation } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { clientOperations, type Operation } from './client-api.ts';
import type { ClientStore } from './client-store.ts';
import { apiCallEvent, isChange } from './cloud-trail.ts';
import { formatMark, parseMark, parsePageSize } from './paging.ts';
import { userOperations } from './user-api.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

/** Hands an event of CloudTrail to the default event bus. */
export type Publish = (event: ReturnType<typeof apiCallEvent>) => Promise<void>;

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
    ...Object.entries(clientOperations(clients)),
    ...Object.entries(userOperations(users, log)),
    ['DescribeUserPool', async (pool) => ({ UserPool: describe(pool, users.count(pool)) })],
  ]);
  return jsonService({
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
      if (!run) throw unsupportedOperation('cognito-idp', operation);
      const pool = pools().find(({ id }) => id === input?.UserPoolId);
      if (!pool) {
        throw new AwsError('ResourceNotFoundException', `User pool ${String(input?.UserPoolId)} does not exist.`);
      }
      if (!isChange(operation)) return run(pool, input);
      const findSub = (name: unknown) => (typeof name === 'string' ? users.find(pool, name)?.sub : undefined);
      // A person who is deleted is known before, one who is created only afterwards.
      const before = findSub(input.Username);
      const output = await run(pool, input);
      const sub = before ?? findSub(input.Username);
      const event = apiCallEvent({ operation, input, output, sub, caller, nowMs: clock.now() }, environment);
      // CloudTrail is not part of the call: one that was made is answered, whether or not it is recorded.
      await publish(event).catch((error: unknown) =>
        log.error('an API call was not recorded', { error: String(error) }),
      );
      return output;
    },
  });
}

function listPools(pools: readonly UserPool[], { MaxResults, NextToken }: Input) {
  const pageSize = parsePageSize(MaxResults, 'maxResults');
  const after = parseMark(NextToken) ?? '';
  const remaining = pools.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = remaining.slice(0, pageSize);
  const last = remaining.length > pageSize ? page.at(-1) : undefined;
  const UserPools = page.map(({ id, name }) => ({ Id: id, Name: name }));
  return { UserPools, ...(last && { NextToken: formatMark(last.id) }) };
}

function describe(pool: UserPool, people: number) {
  const { passwordPolicy: policy } = pool;
  return {
    Id: pool.id,
    Name: pool.name,
    Arn: pool.arn,
    ...(pool.domain === undefined ? {} : { Domain: pool.domain }),
    EstimatedNumberOfUsers: people,
    MfaConfiguration: 'OFF',
    AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
    Policies: {
      PasswordPolicy: {
        MinimumLength: policy.minimumLength,
        RequireLowercase: policy.lowercase,
        RequireUppercase: policy.uppercase,
        RequireNumbers: policy.numbers,
        RequireSymbols: policy.symbols,
        TemporaryPasswordValidityDays: policy.temporaryDays,
      },
    },
    ...(pool.email === 'username' ? { UsernameAttributes: ['email'] } : {}),
    ...(pool.email === 'alias' ? { AliasAttributes: ['email'] } : {}),
    UsernameConfiguration: { CaseSensitive: pool.caseSensitive },
  };
}
