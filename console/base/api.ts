import { createContext, useContext } from 'react';
import { createClient, type RateLimitState, type ServiceClient } from '../../client/index.ts';
import type { Config } from './config.ts';
import { syncServerClock } from './server-clock.ts';
import type { Session } from './session.ts';
import { createStore, type Store } from './store.ts';

/** The dependencies of every page. */
export interface Api {
  config: Config;
  session: Session;
  client: ServiceClient;
  /** The rate limit as of the latest response. */
  rateLimit: Store<RateLimitState | undefined>;
}

export function openApi(config: Config, session: Session): Api {
  const rateLimit = createStore<RateLimitState | undefined>(undefined);
  const client = createClient({
    baseUrl: config.base_url,
    authUrl: config.auth_url,
    credentials: { token: (context) => session.accessToken(context) },
    onRateLimit: (state) => {
      rateLimit.set(state);
      if (state.resetsAt) syncServerClock(state.resetsAt);
    },
  });
  return { config, session, client, rateLimit };
}

export const ApiContext = createContext<Api | undefined>(undefined);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi is called outside of ApiContext.');
  return api;
}
