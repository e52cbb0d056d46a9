import { requestOperations } from '../../contract/requests.ts';
import { decide } from '../approvals/decide.ts';
import { listResource } from '../lists/list-resource.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { getRecord } from '../records/get-record.ts';
import { listHistory } from '../records/list-history.ts';
import { updateRecord } from '../records/update-record.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { changedRequest, draftRequest, requestResource, requestRules } from './request.ts';
import { requestListing } from './request-listing.ts';

export const listRequests = () =>
  route(
    requestOperations.listRequests,
    listResource(createListSource(requestListing), requestListing, requestResource),
  );

export const createRequest = () =>
  route(
    requestOperations.createRequest,
    createRecord('createRequest', createRecordStore(), requestResource, draftRequest),
  );

export const getRequest = () => route(requestOperations.getRequest, getRecord(createRecordStore(), requestResource));

export const updateRequest = () =>
  route(requestOperations.updateRequest, updateRecord(createChanger(requestResource), requestResource, changedRequest));

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
  route(requestOperations.listRequestHistory, listHistory(createRecordStore(), createCursorSeal()));
