import type { Priority } from '../../contract/priority.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { showSla } from '../sla/show-sla.ts';
import type { IncidentDocument } from './incident.ts';

export function getIncidentSla(
  store: Pick<ItemStore, 'get'>,
  policy: SlaPolicy,
): UseCase<typeof routes.getIncidentSla> {
  return async ({ params, query }, { clock }) => {
    const { id, document } = await findRecord<IncidentDocument>(store, params.id);
    const simulated = query.simulate?.slice('priority:'.length) as Priority | undefined;
    return { status: 200, body: showSla(id, document.sla, clock.now(), policy, simulated) };
  };
}
