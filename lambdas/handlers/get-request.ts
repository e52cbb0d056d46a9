import { requestOperations } from '../../contract/requests.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';
import { requestResource } from '../requests/request.ts';

export const handler = route(requestOperations.getRequest, getRecord(deployedStore(), requestResource));
