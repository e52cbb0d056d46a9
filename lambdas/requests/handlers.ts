import { requestCatalog, requestOperations } from '../../contract/requests.ts';
import { statisticsOperations } from '../../contract/statistics.ts';
import type { RecordNote } from '../../contract/work-notes.ts';
import { decide, type Verdict } from '../approvals/approval.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { getStatistics } from '../lists/statistics.ts';
import { createListEngine, createListSource } from '../lists/wiring.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { createNote, listNotes, ownersOnly } from '../records/notes.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadLevels } from '../sla/level-store.ts';
import { refineSlaQuery } from '../sla/sla-query.ts';
import { createRequestRules, requestRules, requestView } from './request.ts';
import { requestColumns, requestListing } from './request-listing.ts';

export const listRequests = () =>
  route(
    requestOperations.listRequests,
    listResource(createListSource(requestListing), requestListing, requestView, {}, refineSlaQuery),
  );

export const getRequestStatistics = () =>
  route(
    statisticsOperations.getRequestStatistics,
    getStatistics({ engine: createListEngine(requestListing), columns: requestColumns, refine: refineSlaQuery }),
  );

export const createRequest = () => {
  const rules = createRequestRules(loadLevels());
  return route(
    requestOperations.createRequest,
    withNameWarnings(
      createRecord('createRequest', createRecordStore(), rules.resource, rules.create),
      createKnownNames(),
    ),
  );
};

export const getRequestCatalog = () => {
  const { REQUEST_CATALOG } = env('REQUEST_CATALOG');
  const items = requestCatalog.parse(JSON.parse(REQUEST_CATALOG));
  return route(requestOperations.getRequestCatalog, async () => ({ status: 200 as const, body: { items } }));
};

export const getRequest = () => route(requestOperations.getRequest, getRecord(createRecordStore(), requestView));

export const updateRequest = () => {
  const rules = createRequestRules(loadLevels());
  return route(
    requestOperations.updateRequest,
    withNameWarnings(updateRecord(createChanger(rules.resource), rules.resource, rules.applyPatch), createKnownNames()),
  );
};

export const deleteRequest = () =>
  route(requestOperations.deleteRequest, deleteRecord(createChanger(createRequestRules(loadLevels()).resource)));

export const approveRequest = () => route(requestOperations.approveRequest, decideRequest('approved'));

export const rejectRequest = () => route(requestOperations.rejectRequest, decideRequest('rejected'));

export const listRequestHistory = () =>
  route(requestOperations.listRequestHistory, listHistory(createRecordStore(), requestView, createCursorSeal()));

export const listRequestNotes = () =>
  route(requestOperations.listRequestNotes, listNotes<RecordNote>(createRecordStore(), createCursorSeal()));

export const createRequestNote = () =>
  route(
    requestOperations.createRequestNote,
    createNote<RecordNote>('createRequestNote', createRecordStore(), ownersOnly(createRecordStore())),
  );

function decideRequest(verdict: Verdict) {
  const { resource, sla } = createRequestRules(loadLevels());
  return decide(createChanger(resource), resource, requestRules, verdict, sla.follow);
}
