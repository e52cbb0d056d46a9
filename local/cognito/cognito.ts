// Cognito user pools on one machine: the template's pools, clients and groups, their OAuth endpoints and login page,
// and the calls of the Cognito API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwsService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import { createApi, type Publish } from './api.ts';
import { type AuthorizationServer, loadAuthorizationServer } from './authorization-server.ts';
import { ClientStore } from './client-store.ts';
import { createEndpoints, type Handle } from './endpoints.ts';
import { loadKeys } from './keys.ts';
import { OidcStore } from './oidc-store.ts';
import { generatePassword, hashPassword } from './password.ts';
import { resourceTypes } from './resource-types.ts';
import { SignInPages } from './sign-in.ts';
import { createTables } from './tables.ts';
import { Tokens } from './tokens.ts';
import { type Invoke, Triggers } from './triggers.ts';
import { readUserPools, type UserPool } from './user-pool.ts';
import { newAttributes, UserStore } from './user-store.ts';

export interface Cognito extends RuntimeService {
  /** The API that SDK clients call. */
  readonly service: Required<AwsService>;
  /** Answers requests that are Cognito's (OAuth endpoints, login page, keys); false leaves the request untouched. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Reads the template's resources; throws with the list of everything it cannot honour. Before start. */
  load(resources: readonly Resource[]): void;
  readonly resourceTypes: ResourceTypes;
}

interface Surroundings {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  /** Calls a function and waits for its answer. */
  invoke: Invoke;
  publish: Publish;
}

export function createCognito(surroundings: Surroundings): Cognito {
  const { storage, clock, environment, log, publish } = surroundings;
  const clients = new ClientStore(storage, clock);
  const users = new UserStore(storage, clock);
  let pools: UserPool[] = [];
  let endpoints: Handle[] = [];
  return {
    name: 'cognito',
    resourceTypes,
    service: createApi({ pools: () => pools, clients, users, environment, clock, log, publish }),
    load(resources) {
      pools = readUserPools(resources, environment);
    },
    async start() {
      createTables(storage);
      endpoints = await Promise.all(pools.map((pool) => startPool(surroundings, pool, clients, users)));
    },
    async stop() {
      endpoints = [];
    },
    handle: (request, response) =>
      clock.busy(async () => {
        for (const handle of endpoints) if (await handle(request, response)) return true;
        return false;
      }),
  };
}

async function startPool(
  { storage, clock, environment, log, invoke }: Surroundings,
  pool: UserPool,
  clients: ClientStore,
  users: UserStore,
): Promise<Handle> {
  clients.deploy(pool);
  await deployUsers(pool, users);
  const keys = await loadKeys(storage, pool.id);
  const tokens = new Tokens(pool, keys, clock);
  const oidc = new OidcStore(storage, clock);
  const shared = { pool, keys, clients, users, oidc, tokens, clock, log };
  let loading: Promise<AuthorizationServer> | undefined;
  const authorizationServer = () => {
    loading ??= loadAuthorizationServer(shared).catch((error: unknown) => {
      // The next request loads it again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const withServer = { ...shared, triggers: new Triggers(pool, environment, invoke), authorizationServer };
  return createEndpoints({
    ...shared,
    token: withServer,
    userInfo: shared,
    pages: new SignInPages(withServer),
    publicUrl: environment.publicUrl,
  });
}

/** People of the template are created once; afterwards they belong to whoever administers the pool. */
async function deployUsers(pool: UserPool, users: UserStore): Promise<void> {
  for (const { username, attributes, groups } of pool.users) {
    if (users.find(pool, username)) continue;
    const list = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
    const passwordHash = await hashPassword(generatePassword(pool.passwordPolicy));
    const user = await users.create(pool, { username, passwordHash, attributes: newAttributes(pool, username, list) });
    for (const group of groups) await users.join(user, group);
  }
}
