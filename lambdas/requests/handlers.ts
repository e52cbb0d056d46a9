import { requestCatalog, requestOperations } from '../../contract/requests.ts';
import { decide } from '../approvals/approval.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { applyRequestPatch, newRequest, requestListing, requestResource, requestRules } from './request.ts';

export const listRequests = () =>
  route(
    requestOperations.listRequests,
    listResource(createListSource(requestListing), requestListing, requestResource),
  );

export const createRequest = () =>
  route(
    requestOperations.createRequest,
    withNameWarnings(
      createRecord('createRequest', createRecordStore(), requestResource, newRequest),
      createKnownNames(),
    ),
  );

export const getRequestCatalog = () => {
  const { REQUEST_CATALOG } = env('REQUEST_CATALOG');
  const items = requestCatalog.parse(JSON.parse(REQUEST_CATALOG));
  return route(requestOperations.getRequestCatalog, async () => ({ status: 200 as const, body: { items } }));
};

export const getRequest = () => route(requestOperations.getRequest, getRecord(createRecordStore(), requestResource));

export const updateRequest = () =>
  route(
    requestOperations.updateRequest,
    withNameWarnings(
      updateRecord(createChanger(requestResource), requestResource, applyRequestPatch),
      createKnownNames(),
    ),
  );

export const deleteRequest = () => route(requestOperations.deleteRequest, deleteRecord(createChanger(requestResource)));

export const approveRequest = () =>
  route(
    requestOperations.approveRequest,
    decide(createChanger(requestResource), requestResource, requestRules, 'approved'),
  );

export const rejectRequest = () =>
  route(
    requestOperations.rejectRequest,
    decide(createChanger(requestResource), requestResource, requestRules, 'rejected'),
  );

export const listRequestHistory = () =>
  route(requestOperations.listRequestHistory, listHistory(createRecordStore(), requestResource, createCursorSeal()));
