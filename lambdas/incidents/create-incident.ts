import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { repeatable } from '../records/idempotency.ts';
import type { ItemStore } from '../records/item-store.ts';
import { apiAuthor } from '../records/record.ts';
import { writeOnce } from '../records/write-once.ts';
import type { SlaPolicy } from '../sla/policy.ts';
import { draftIncident } from './draft-incident.ts';
import { incidentAnswer, incidentLocation } from './incident-answer.ts';

export function createIncident(
  store: Pick<ItemStore, 'transact'>,
  policy: SlaPolicy,
): UseCase<typeof routes.createIncident> {
  return ({ body, headers }, { caller, clock }) => {
    const nowMs = clock.now();
    return writeOnce(store, repeatable('createIncident', caller, headers, body), nowMs, () => {
      const { record, writes } = draftIncident(body, apiAuthor(caller), nowMs, policy);
      const answer = incidentAnswer(record);
      const created = {
        ...answer,
        status: 201 as const,
        headers: { ...answer.headers, Location: incidentLocation(record) },
      };
      // The only condition is that the id is free; the next attempt has another one.
      return { writes, answer: created, refused: () => {} };
    });
  };
}
