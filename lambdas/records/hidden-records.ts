import { hasRole } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';

/** Which of the records are deleted. One that does not exist at all counts as deleted. */
export type FindDeleted = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Which of the records must not be quoted to the caller. */
export type FindHidden = (ids: readonly string[], caller: Pick<Caller, 'roles'>) => Promise<ReadonlySet<string>>;

/** What the service says of a record whose contents it withholds. */
export const withheldAsDeleted = { withheld: 'record_deleted' } as const;

/** Managers may read deleted records, so for them nothing is looked up. */
export function hiddenRecords(findDeleted: FindDeleted): FindHidden {
  return async (ids, { roles }) => {
    if (ids.length === 0 || hasRole(roles, 'itsm_manager')) return new Set();
    return findDeleted([...new Set(ids)]);
  };
}
