import { changeOperations } from '../../contract/changes.ts';
import { changeResource } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(changeOperations.getChange, getRecord(deployedStore(), changeResource));
