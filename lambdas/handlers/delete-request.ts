import { requestOperations } from '../../contract/requests.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { requestResource } from '../requests/request.ts';

export const handler = route(requestOperations.deleteRequest, deleteRecord(deployedChanger(requestResource)));
