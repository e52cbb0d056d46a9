import type { Role } from '../contract/roles.ts';
import { useCaller } from './caller.tsx';

const ranks: Readonly<Record<Role, number>> = { viewer: 0, itsm_agent: 1, itsm_manager: 2, super_admin: 3 };

/** Whether the signed-in person has the role or a higher one; not before that is known. The service decides anyway. */
export function useMay(minimum: Role): boolean {
  const { data } = useCaller();
  return data?.roles.some((role) => ranks[role] >= ranks[minimum]) ?? false;
}
