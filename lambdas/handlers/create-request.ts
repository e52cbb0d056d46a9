import { requestOperations } from '../../contract/requests.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { draftRequest, requestResource } from '../requests/request.ts';

export const handler = route(
  requestOperations.createRequest,
  createRecord('createRequest', deployedStore(), requestResource, draftRequest),
);
