import { routes } from '../../contract/routes.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';
import { requestResource } from '../requests/request.ts';

export const handler = route(routes.getRequest, getRecord(deployedStore(), requestResource));
