import { routes } from '../../contract/routes.ts';
import { ciType } from '../cmdb/ci.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(routes.getCi, getRecord(deployedStore(), ciType));
