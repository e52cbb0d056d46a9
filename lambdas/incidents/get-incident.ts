import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { etagOf, isUnchanged } from '../records/etag.ts';
import { deletedRecordsFor, findRecord } from '../records/find-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { IncidentDocument } from './incident.ts';
import { incidentAnswer } from './incident-answer.ts';

export function getIncident(store: Pick<ItemStore, 'get'>): UseCase<typeof routes.getIncident> {
  return async ({ params, query, headers }, { caller }) => {
    const record = await findRecord<IncidentDocument>(store, params.id, deletedRecordsFor(caller, query));
    if (isUnchanged(headers['If-None-Match'], record)) return { status: 304, headers: { ETag: etagOf(record) } };
    return { status: 200, ...incidentAnswer(record) };
  };
}
