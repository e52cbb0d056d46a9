// Types for the part of oidc-provider that is used here; the package ships none.
declare module 'oidc-provider/lib/provider.js' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Model {
    jti: string;
    exp: number;
    scope?: string;
    accountId?: string;
    clientId?: string;
    grantId?: string;
    authTime?: number;
    nonce?: string;
    loginTs?: number;
    uid: string;
    save(ttl?: number): Promise<string>;
    destroy(): Promise<void>;
  }

  export interface Grant extends Model {
    addOIDCScope(scope: string): void;
  }

  export interface Interaction extends Model {
    params: Record<string, string | undefined>;
    session?: { accountId: string; uid: string } | undefined;
    persist(): Promise<string>;
  }

  export interface Context {
    req: IncomingMessage;
    res: ServerResponse;
    path: string;
    status: number;
    type: string;
    body: unknown;
    set(headers: Record<string, string>): void;
    redirect(url: string): void;
    response: { get(header: string): string };
    cookies: { set(name: string, value: string | null, options?: object): void };
    oidc: {
      params?: Record<string, string | undefined>;
      client?: { clientId: string };
      account?: { accountId: string };
      session?: { accountId?: string };
      entities: {
        AccessToken?: Model;
        AuthorizationCode?: Model;
        RefreshToken?: Model;
        Client?: { clientId: string };
        Account?: { accountId: string };
      };
    };
  }

  export class Provider {
    constructor(issuer: string, configuration: object);
    silent: boolean;
    /** Whether it trusts X-Forwarded-Proto and X-Forwarded-Host. */
    proxy: boolean;
    Grant: new (payload: {
      accountId: string;
      clientId: string;
    }) => Grant;
    Session: { get(context: Context): Promise<Model>; findByUid(uid: string): Promise<Model | undefined> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: 'error', listener: (error: Error) => void): this;
    on(event: 'server_error', listener: (context: Context, error: Error) => void): this;
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    createContext(request: IncomingMessage, response: ServerResponse): Context;
    cookieName(kind: 'session' | 'interaction' | 'resume'): string;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  }
}

declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import type { Context } from 'oidc-provider/lib/provider.js';

  export class Check {
    constructor(reason: string, description: string, check: (context: Context) => boolean);
  }
  export function base(): { get(name: string): { checks: { add(check: Check): void } }; remove(name: string): void };
}

declare module 'oidc-provider/lib/helpers/errors.js' {
  export class InvalidGrant extends Error {
    constructor(detail: string);
  }
  export class SessionNotFound extends Error {}
}

declare module 'oidc-provider/lib/helpers/als.js' {
  import type { AsyncLocalStorage } from 'node:async_hooks';

  const contexts: AsyncLocalStorage<unknown>;
  export default contexts;
}
