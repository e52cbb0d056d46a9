import { changeOperations } from '../../contract/changes.ts';
import { changedChange, changeResource } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { updateRecord } from '../records/update-record.ts';

export const handler = route(
  changeOperations.updateChange,
  updateRecord(deployedChanger(changeResource), changeResource, (before, patch, _caller, nowMs) =>
    changedChange(before, patch, nowMs),
  ),
);
