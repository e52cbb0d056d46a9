import { changeOperations } from '../../contract/changes.ts';
import { decide } from '../approvals/approval.ts';
import { createCiGraphReader } from '../cmdb/ci-graph.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { applyChangePatch, changeListing, changeResource, changeRules, newChange, plannedBounds } from './change.ts';
import {
  getChangeCalendar as getChangeCalendarUseCase,
  getChangeCollisions as getChangeCollisionsUseCase,
} from './change-calendar.ts';

export const listChanges = () =>
  route(
    changeOperations.listChanges,
    listResource(createListSource(changeListing), changeListing, changeResource, plannedBounds),
  );

export const createChange = () =>
  route(
    changeOperations.createChange,
    withNameWarnings(createRecord('createChange', createRecordStore(), changeResource, newChange), createKnownNames()),
  );

export const getChange = () => route(changeOperations.getChange, getRecord(createRecordStore(), changeResource));

export const updateChange = () =>
  route(
    changeOperations.updateChange,
    withNameWarnings(
      updateRecord(createChanger(changeResource), changeResource, (before, patch, _caller, nowMs) =>
        applyChangePatch(before, patch, nowMs),
      ),
      createKnownNames(),
    ),
  );

export const deleteChange = () => route(changeOperations.deleteChange, deleteRecord(createChanger(changeResource)));

export const approveChange = () =>
  route(changeOperations.approveChange, decide(createChanger(changeResource), changeResource, changeRules, 'approved'));

export const rejectChange = () =>
  route(changeOperations.rejectChange, decide(createChanger(changeResource), changeResource, changeRules, 'rejected'));

export const listChangeHistory = () =>
  route(changeOperations.listChangeHistory, listHistory(createRecordStore(), changeResource, createCursorSeal()));

export const getChangeCalendar = () =>
  route(
    changeOperations.getChangeCalendar,
    getChangeCalendarUseCase(createListSource(changeListing), createCiGraphReader()),
  );

export const getChangeCollisions = () =>
  route(
    changeOperations.getChangeCollisions,
    getChangeCollisionsUseCase(createListSource(changeListing), createCiGraphReader()),
  );
