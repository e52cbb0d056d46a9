import { routes } from '../../contract/routes.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { requestResource } from '../requests/request.ts';

export const handler = route(routes.deleteRequest, deleteRecord(deployedChanger(requestResource)));
