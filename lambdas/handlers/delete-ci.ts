import { ciOperations } from '../../contract/cis.ts';
import { ciType } from '../cmdb/ci.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(ciOperations.deleteCi, deleteRecord(deployedChanger(ciType)));
