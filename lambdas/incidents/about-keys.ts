import type { IncidentState } from '../../contract/incidents.ts';
import type { StoredRecord } from '../records/record.ts';

/** Which states still need somebody's work. */
export const openStates: readonly IncidentState[] = ['new', 'in_progress', 'on_hold', 'reopened'];

type Keyed = Pick<
  StoredRecord<{ ci_id: string | null; state: IncidentState }>,
  'id' | 'created_at' | 'deleted' | 'document'
>;

/** Keys of the sparse index `about`: the open incidents of a configuration item, the newest last. */
export function aboutKeys({ id, created_at, deleted, document: { ci_id, state } }: Keyed) {
  const isOpen = !deleted && ci_id !== null && openStates.includes(state);
  return isOpen ? { about_pk: ci_id, about_sk: `${created_at}#${id}` } : { about_pk: null, about_sk: null };
}
