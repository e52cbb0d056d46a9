import type { routes } from '../../../contract/routes.ts';
import type { IncidentDocument, IncidentRules } from '../../incidents/incident.ts';
import type { UseCase } from '../../platform/http/response.ts';
import type { Changer } from '../../records/change-record.ts';
import { toApiAuthor, toRecordResponse } from '../../records/record.ts';
import { acknowledgePages, type PageStore } from './page-items.ts';

/** The response confirms that nobody else is paged, so it waits for the end of the pages. */
export function acknowledgeIncident(
  store: PageStore,
  change: Changer<IncidentDocument>,
  rules: Pick<IncidentRules, 'acknowledge' | 'resource'>,
): UseCase<typeof routes.acknowledgeIncident> {
  return async ({ params: { id } }, { caller, clock }) => {
    const apply: Parameters<typeof change>[0]['apply'] = ({ document }, nowMs) => ({
      document: rules.acknowledge(document, caller.email, nowMs),
    });
    const record = await change({ id, author: toApiAuthor(caller), apply });
    await acknowledgePages(store, clock, id, caller.email);
    return { status: 200, ...toRecordResponse(rules.resource, record) };
  };
}
