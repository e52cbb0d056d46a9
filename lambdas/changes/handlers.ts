import { changeOperations } from '../../contract/changes.ts';
import { decide } from '../approvals/decide.ts';
import { createCiGraphReader } from '../cmdb/wiring.ts';
import { listResource } from '../lists/list-resource.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { getRecord } from '../records/get-record.ts';
import { listHistory } from '../records/list-history.ts';
import { updateRecord } from '../records/update-record.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { changedChange, changeResource, changeRules, draftChange } from './change.ts';
import { changeListing, plannedBounds } from './change-listing.ts';
import { getChangeCalendar as getChangeCalendarUseCase } from './get-change-calendar.ts';

export const listChanges = () =>
  route(
    changeOperations.listChanges,
    listResource(createListSource(changeListing), changeListing, changeResource, plannedBounds),
  );

export const createChange = () =>
  route(changeOperations.createChange, createRecord('createChange', createRecordStore(), changeResource, draftChange));

export const getChange = () => route(changeOperations.getChange, getRecord(createRecordStore(), changeResource));

export const updateChange = () =>
  route(
    changeOperations.updateChange,
    updateRecord(createChanger(changeResource), changeResource, (before, patch, _caller, nowMs) =>
      changedChange(before, patch, nowMs),
    ),
  );

export const deleteChange = () => route(changeOperations.deleteChange, deleteRecord(createChanger(changeResource)));

export const approveChange = () =>
  route(changeOperations.approveChange, decide(createChanger(changeResource), changeResource, changeRules, 'approved'));

export const rejectChange = () =>
  route(changeOperations.rejectChange, decide(createChanger(changeResource), changeResource, changeRules, 'rejected'));

export const listChangeHistory = () =>
  route(changeOperations.listChangeHistory, listHistory(createRecordStore(), createCursorSeal()));

export const getChangeCalendar = () =>
  route(
    changeOperations.getChangeCalendar,
    getChangeCalendarUseCase(createListSource(changeListing), createCiGraphReader()),
  );
