import { changeOperations } from '../../contract/changes.ts';
import { changeResource, draftChange } from '../changes/change.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  changeOperations.createChange,
  createRecord('createChange', deployedStore(), changeResource, draftChange),
);
