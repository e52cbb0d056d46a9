import { type IncidentReport, incidentOperations } from '../../contract/incidents.ts';
import { type IncidentStatistics, statisticsOperations } from '../../contract/statistics.ts';
import { type WorkNote, workNoteOperations } from '../../contract/work-notes.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { getStatistics } from '../lists/statistics.ts';
import { createListEngine, createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createNote, listNotes, ownersOnly } from '../records/notes.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadLevels } from '../sla/level-store.ts';
import { diffTracked } from '../sla/track-sla.ts';
import { createIncidentRules, toIncidentResponse } from './incident.ts';
import { incidentListing } from './incident-listing.ts';
import { incidentBounds, incidentColumns, refineIncidentQuery } from './incident-query.ts';
import { getIncidentSla as getIncidentSlaUseCase } from './incident-sla.ts';

export const listIncidents = () =>
  route(
    incidentOperations.listIncidents,
    listResource(
      createListSource(incidentListing),
      incidentListing,
      { toResponse: toIncidentResponse },
      incidentBounds,
      refineIncidentQuery,
    ),
  );

export const getIncidentStatistics = () =>
  route(
    statisticsOperations.getIncidentStatistics,
    getStatistics<IncidentStatistics>({
      engine: createListEngine(incidentListing),
      columns: incidentColumns,
      bounds: incidentBounds,
      refine: refineIncidentQuery,
    }),
  );

export const createIncident = () => {
  const { resource, create } = createIncidentRules(loadLevels());
  return route(
    incidentOperations.createIncident,
    withNameWarnings(createRecord('createIncident', createRecordStore(), resource, create), createKnownNames()),
  );
};

export const reportIncident = () => {
  const { resource, create } = createIncidentRules(loadLevels());
  return route(
    incidentOperations.reportIncident,
    createRecord('reportIncident', createRecordStore(), resource, (report: IncidentReport, author, nowMs) =>
      create({ ...newReport, ...report }, author, nowMs),
    ),
  );
};

/** What the service desk decides on. */
const newReport = {
  priority: 'P3',
  state: 'new',
  category: null,
  subcategory: null,
  impact: null,
  assignment_group: null,
  assigned_to: null,
  parent_problem_id: null,
  change_id: null,
  resolution: null,
  notify_stakeholders: false,
} as const;

export const getIncident = () =>
  route(incidentOperations.getIncident, getRecord(createRecordStore(), { toResponse: toIncidentResponse }));

export const updateIncident = () => {
  const { resource, change } = createIncidentRules(loadLevels());
  return route(
    incidentOperations.updateIncident,
    withNameWarnings(
      updateRecord(createChanger(resource), resource, (before, body, { email }, nowMs) =>
        change(before, body, email, nowMs),
      ),
      createKnownNames(),
    ),
  );
};

export const deleteIncident = () =>
  route(incidentOperations.deleteIncident, deleteRecord(createChanger(createIncidentRules(loadLevels()).resource)));

export const listIncidentHistory = () =>
  route(
    incidentOperations.listIncidentHistory,
    listHistory(createRecordStore(), { changes: diffTracked }, createCursorSeal()),
  );

export const getIncidentSla = () =>
  route(incidentOperations.getIncidentSla, getIncidentSlaUseCase(createRecordStore(), loadLevels()));

export const listWorkNotes = () =>
  route(workNoteOperations.listWorkNotes, listNotes<WorkNote>(createRecordStore(), createCursorSeal()));

export const createWorkNote = () =>
  route(
    workNoteOperations.createWorkNote,
    createNote<WorkNote>('createWorkNote', createRecordStore(), ownersOnly(createRecordStore())),
  );
