import { changeOperations } from '../../contract/changes.ts';
import { changeResource } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(changeOperations.deleteChange, deleteRecord(deployedChanger(changeResource)));
