import { hasRole } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from './item-store.ts';
import type { StoredRecord } from './record.ts';
import { recordSortKey, toRecord } from './record-item.ts';

export type DeletedRecords = 'hidden' | 'shown';

/** Finds a record. A deleted record does not exist unless the caller asked for deleted ones. */
export async function findRecord<Document>(
  store: Pick<ItemStore, 'get'>,
  id: string,
  deleted: DeletedRecords = 'hidden',
): Promise<StoredRecord<Document>> {
  const item = await store.get(id, recordSortKey);
  return assertFound(id, item && toRecord<Document>(item), deleted);
}

export function assertFound<Document>(
  id: string,
  record: StoredRecord<Document> | undefined,
  deleted: DeletedRecords = 'hidden',
): StoredRecord<Document> {
  if (!record || (record.deleted && deleted === 'hidden')) throw notFound(id);
  return record;
}

export function notFound(id: string): ServiceError {
  return new ServiceError('not_found', `${id} does not exist.`);
}

/** Deleted records are kept for audits, so only managers may read them. */
export function deletedRecordsFor({ roles }: Caller, query: { include_deleted: boolean }): DeletedRecords {
  if (!query.include_deleted) return 'hidden';
  if (hasRole(roles, 'itsm_manager')) return 'shown';
  throw new ServiceError('forbidden', 'include_deleted requires the role itsm_manager or higher.');
}

/** Finds the deleted records among the ids. A record that does not exist counts as deleted. */
export type FindDeleted = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Finds the records that must not be quoted to the caller. */
export type FindHidden = (ids: readonly string[], caller: Pick<Caller, 'roles'>) => Promise<ReadonlySet<string>>;

/** Replaces the contents of a record that the caller must not see. */
export const withheldAsDeleted = { withheld: 'record_deleted' } as const;

/** Managers may read deleted records, so nothing is looked up for them. */
export function createHiddenFinder(findDeleted: FindDeleted): FindHidden {
  return async (ids, { roles }) => {
    if (ids.length === 0 || hasRole(roles, 'itsm_manager')) return new Set();
    return findDeleted([...new Set(ids)]);
  };
}
