import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import type { Changer } from '../records/change-record.ts';
import { apiAuthor } from '../records/record.ts';
import type { IncidentDocument } from './incident.ts';

/** The record stays for audit, with the state it had. */
export function deleteIncident(change: Changer<IncidentDocument>): UseCase<typeof routes.deleteIncident> {
  return async ({ params, headers }, { caller }) => {
    await change({
      id: params.id,
      author: apiAuthor(caller),
      ifMatch: headers['If-Match'],
      apply: ({ document }) => ({ document, deleted: true }),
    });
    return { status: 204 };
  };
}
