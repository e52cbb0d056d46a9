import { createContext, type ReactNode, useCallback, useContext } from 'react';
import type { ServiceClient } from '../client/index.ts';
import { useApi } from './api.ts';
import { type Loaded, useLoad } from './use-load.ts';

/** The signed-in person, loaded once for the whole page. */
export type Caller = Awaited<ReturnType<ServiceClient['getMe']>>;

const CallerContext = createContext<Loaded<Caller> | undefined>(undefined);

export function CallerProvider({ children }: { children: ReactNode }) {
  const { client } = useApi();
  const caller = useLoad(useCallback((signal: AbortSignal) => client.getMe({}, { signal }), [client]));
  return <CallerContext value={caller}>{children}</CallerContext>;
}

export function useCallerIfSignedIn(): Loaded<Caller> | undefined {
  return useContext(CallerContext);
}

export function useCaller(): Loaded<Caller> {
  const caller = useCallerIfSignedIn();
  if (!caller) throw new Error('useCaller is called outside of CallerProvider.');
  return caller;
}
