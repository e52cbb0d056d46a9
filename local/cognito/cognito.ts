// Cognito user pools: the template's pools, clients and groups, their OAuth endpoints and login page, and the Cognito API.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AwsService } from '../aws/service.ts';
import type { Clock } from '../clock/clock.ts';
import type { TrustedProxies } from '../forwarded-headers.ts';
import type { Log } from '../log.ts';
import type { RuntimeService } from '../runtime-service.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import { createApi, type Publish } from './api.ts';
import { type AuthorizationServer, loadAuthorizationServer } from './authorization-server.ts';
import { ClientStore } from './client-store.ts';
import { createEndpoints, type Handle } from './endpoints.ts';
import { FederatedSignIns } from './federated-sign-in.ts';
import { loadKeys } from './keys.ts';
import { OidcStore } from './oidc-store.ts';
import { resourceTypes } from './resource-types.ts';
import { SignInPages } from './sign-in.ts';
import { createTables } from './tables.ts';
import { Tokens } from './tokens.ts';
import { type Invoke, Triggers } from './triggers.ts';
import { parseUserPools, type UserPool } from './user-pool.ts';
import { UserStore } from './user-store.ts';

export interface Cognito extends RuntimeService {
  /** The API that SDK clients call. */
  readonly service: Required<AwsService>;
  /** Handles the OAuth endpoints, login page and keys; false leaves the request untouched. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Loads the template's resources before the start; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
  readonly resourceTypes: ResourceTypes;
}

interface CognitoOptions {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  /** Calls a function and waits for its result. */
  invoke: Invoke;
  publish: Publish;
  /** Proxies whose X-Forwarded-For header is trusted. */
  proxies: TrustedProxies;
}

export function createCognito(options: CognitoOptions): Cognito {
  const { storage, clock, environment, log, publish } = options;
  const clients = new ClientStore(storage, clock);
  const users = new UserStore(storage, clock);
  let pools: UserPool[] = [];
  let endpoints: Handle[] = [];
  return {
    name: 'cognito',
    resourceTypes,
    service: createApi({ pools: () => pools, clients, users, environment, clock, log, publish }),
    load(resources) {
      pools = parseUserPools(resources, environment);
    },
    async start() {
      createTables(storage);
      endpoints = await Promise.all(pools.map((pool) => startPool(options, pool, clients, users)));
    },
    async stop() {
      endpoints = [];
    },
    handle: (request, response) =>
      clock.track(async () => {
        for (const handle of endpoints) if (await handle(request, response)) return true;
        return false;
      }),
  };
}

async function startPool(
  { storage, clock, environment, log, invoke, proxies }: CognitoOptions,
  pool: UserPool,
  clients: ClientStore,
  users: UserStore,
): Promise<Handle> {
  clients.deploy(pool);
  const keys = await loadKeys(storage, pool.id);
  const tokens = new Tokens(pool, keys, clock);
  const oidc = new OidcStore(storage, clock);
  const triggers = new Triggers(pool, environment, invoke);
  const { publicUrl } = environment;
  const shared = { pool, keys, clients, users, oidc, tokens, triggers, clock, log, publicUrl };
  let loading: Promise<AuthorizationServer> | undefined;
  const authorizationServer = () => {
    loading ??= loadAuthorizationServer(shared).catch((error: unknown) => {
      // The next request retries.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const federation = new FederatedSignIns(shared);
  const withServer = { ...shared, proxies, federation, authorizationServer };
  return createEndpoints({
    ...shared,
    token: withServer,
    userInfo: shared,
    federation,
    pages: new SignInPages(withServer),
  });
}
