// The Cognito user pools API, as far as it makes sense on one machine: app clients, people, groups.
import { AwsError } from '../aws/error.ts';
import { type AwsService, type Input, jsonService } from '../aws/service.ts';
import type { Log } from '../log.ts';
import type { StackEnvironment } from '../template/resource-type.ts';
import { clientOperations, type Operation } from './client-api.ts';
import type { ClientStore } from './client-store.ts';
import { userOperations } from './user-api.ts';
import type { UserPool } from './user-pool.ts';
import type { UserStore } from './user-store.ts';

export function createApi(parts: {
  pools: () => readonly UserPool[];
  clients: ClientStore;
  users: UserStore;
  environment: StackEnvironment;
  log: Log;
}): Required<AwsService> {
  const { pools, clients, users, environment, log } = parts;
  const operations = new Map<string, Operation>([
    ...Object.entries(clientOperations(clients)),
    ...Object.entries(userOperations(users, log)),
    ['DescribeUserPool', async (pool) => ({ UserPool: describe(pool, users.count(pool)) })],
  ]);
  return jsonService({
    signingName: 'cognito-idp',
    jsonVersion: '1.1',
    access: (operation, input) => [
      {
        action: `cognito-idp:${operation}`,
        resource: `arn:aws:cognito-idp:${environment.region}:${environment.accountId}:userpool/${String(input?.UserPoolId)}`,
      },
    ],
    call: async (operation, input: Input) => {
      const run = operations.get(operation);
      if (!run) throw new AwsError('UnknownOperationException', `${operation} of Cognito is not supported here`);
      const pool = pools().find(({ id }) => id === input?.UserPoolId);
      if (!pool) {
        throw new AwsError('ResourceNotFoundException', `User pool ${String(input?.UserPoolId)} does not exist.`);
      }
      return run(pool, input);
    },
  });
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
