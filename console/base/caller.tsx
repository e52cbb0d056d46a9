import { createContext, type ReactNode, useContext } from 'react';
import type { ServiceClient } from '../../client/index.ts';
import { hasRole, type Role } from '../../contract/roles.ts';
import { useApi } from './api.ts';
import { type Loaded, useLoad } from './use-load.ts';

/** The signed-in user, loaded once for all components. */
export type Caller = Awaited<ReturnType<ServiceClient['getMe']>>;

export const callerKey = ['me'];

const CallerContext = createContext<Loaded<Caller> | undefined>(undefined);

export function CallerProvider({ children }: { children: ReactNode }) {
  const { client } = useApi();
  const caller = useLoad(callerKey, (signal) => client.getMe({}, { signal }), { keepMs: Number.POSITIVE_INFINITY });
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

/** Whether the user has the role or a higher one; false until known. The service enforces it. */
export function useHasRole(minimum: Role): boolean {
  const { data } = useCaller();
  return hasRole(data?.roles ?? [], minimum);
}

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  itsm_agent: 'Agent',
  itsm_manager: 'Manager',
  super_admin: 'Super admin',
};
