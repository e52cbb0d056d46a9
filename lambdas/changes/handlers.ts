import { changeOperations } from '../../contract/changes.ts';
import { statisticsOperations } from '../../contract/statistics.ts';
import type { RecordNote } from '../../contract/work-notes.ts';
import { decide, type Verdict } from '../approvals/approval.ts';
import { createCiGraphReader } from '../cmdb/ci-graph.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { getStatistics } from '../lists/statistics.ts';
import { createListEngine, createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createNote, listNotes } from '../records/notes.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadLevels } from '../sla/level-store.ts';
import { refineSlaQuery } from '../sla/sla-query.ts';
import { changeRules, changeView, createChangeRules } from './change.ts';
import {
  getChangeCalendar as getChangeCalendarUseCase,
  getChangeCollisions as getChangeCollisionsUseCase,
} from './change-calendar.ts';
import { changeColumns, changeListing, plannedBounds } from './change-listing.ts';

export const listChanges = () =>
  route(
    changeOperations.listChanges,
    listResource(createListSource(changeListing), changeListing, changeView, plannedBounds, refineSlaQuery),
  );

export const getChangeStatistics = () =>
  route(
    statisticsOperations.getChangeStatistics,
    getStatistics({
      engine: createListEngine(changeListing),
      columns: changeColumns,
      refine: refineSlaQuery,
      bounds: plannedBounds,
    }),
  );

export const createChange = () => {
  const rules = createChangeRules(loadLevels());
  return route(
    changeOperations.createChange,
    withNameWarnings(
      createRecord('createChange', createRecordStore(), rules.resource, rules.create),
      createKnownNames(),
    ),
  );
};

export const getChange = () => route(changeOperations.getChange, getRecord(createRecordStore(), changeView));

export const updateChange = () => {
  const rules = createChangeRules(loadLevels());
  return route(
    changeOperations.updateChange,
    withNameWarnings(updateRecord(createChanger(rules.resource), rules.resource, rules.applyPatch), createKnownNames()),
  );
};

export const deleteChange = () =>
  route(changeOperations.deleteChange, deleteRecord(createChanger(createChangeRules(loadLevels()).resource)));

export const approveChange = () => route(changeOperations.approveChange, decideChange('approved'));

export const rejectChange = () => route(changeOperations.rejectChange, decideChange('rejected'));

export const listChangeHistory = () =>
  route(changeOperations.listChangeHistory, listHistory(createRecordStore(), changeView, createCursorSeal()));

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

export const listChangeNotes = () =>
  route(changeOperations.listChangeNotes, listNotes<RecordNote>(createRecordStore(), createCursorSeal()));

export const createChangeNote = () =>
  route(changeOperations.createChangeNote, createNote<RecordNote>('createChangeNote', createRecordStore()));

function decideChange(verdict: Verdict) {
  const { resource, sla } = createChangeRules(loadLevels());
  return decide(createChanger(resource), resource, changeRules, verdict, sla.follow);
}
