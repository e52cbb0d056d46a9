import { ciOperations } from '../../contract/cis.ts';
import { ciType } from '../cmdb/ci.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(ciOperations.getCi, getRecord(deployedStore(), ciType));
