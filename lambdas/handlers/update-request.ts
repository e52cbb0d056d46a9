import { requestOperations } from '../../contract/requests.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { updateRecord } from '../records/update-record.ts';
import { changedRequest, requestResource } from '../requests/request.ts';

export const handler = route(
  requestOperations.updateRequest,
  updateRecord(deployedChanger(requestResource), requestResource, changedRequest),
);
