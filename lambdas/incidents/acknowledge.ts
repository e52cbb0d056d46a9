import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import type { Changer } from '../records/change-record.ts';
import { toApiAuthor, toRecordResponse } from '../records/record.ts';
import type { IncidentDocument, IncidentRules } from './incident.ts';

export function acknowledge(
  change: Changer<IncidentDocument>,
  rules: Pick<IncidentRules, 'acknowledge' | 'resource'>,
): UseCase<typeof routes.acknowledgeIncident> {
  return async ({ params: { id } }, { caller }) => {
    const apply: Parameters<typeof change>[0]['apply'] = ({ document }, nowMs) => ({
      document: rules.acknowledge(document, caller.email, nowMs),
    });
    const record = await change({ id, author: toApiAuthor(caller), apply });
    return { status: 200, ...toRecordResponse(rules.resource, record) };
  };
}
