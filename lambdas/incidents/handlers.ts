import { incidentStatisticsOperations } from '../../contract/incident-statistics.ts';
import { incidentOperations } from '../../contract/incidents.ts';
import { workNoteOperations } from '../../contract/work-notes.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { listResource } from '../lists/list-records.ts';
import { createListEngine, createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { createIncidentRules, diffIncidents, incidentListing, toIncidentResponse } from './incident.ts';
import {
  getIncidentStatistics as getIncidentStatisticsUseCase,
  incidentBounds,
  refineIncidentQuery,
} from './incident-query.ts';
import { loadSlaPolicy } from './sla/sla.ts';
import { getIncidentSla as getIncidentSlaUseCase } from './sla/sla-operations.ts';
import { createWorkNote as createWorkNoteUseCase, listWorkNotes as listWorkNotesUseCase } from './work-notes.ts';

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
    incidentStatisticsOperations.getIncidentStatistics,
    getIncidentStatisticsUseCase(createListEngine(incidentListing)),
  );

export const createIncident = () => {
  const { resource, create } = createIncidentRules(loadSlaPolicy());
  return route(
    incidentOperations.createIncident,
    withNameWarnings(createRecord('createIncident', createRecordStore(), resource, create), createKnownNames()),
  );
};

export const getIncident = () =>
  route(incidentOperations.getIncident, getRecord(createRecordStore(), { toResponse: toIncidentResponse }));

export const updateIncident = () => {
  const { resource, change } = createIncidentRules(loadSlaPolicy());
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
  route(incidentOperations.deleteIncident, deleteRecord(createChanger(createIncidentRules(loadSlaPolicy()).resource)));

export const listIncidentHistory = () =>
  route(
    incidentOperations.listIncidentHistory,
    listHistory(createRecordStore(), { changes: diffIncidents }, createCursorSeal()),
  );

export const getIncidentSla = () =>
  route(incidentOperations.getIncidentSla, getIncidentSlaUseCase(createRecordStore(), loadSlaPolicy()));

export const listWorkNotes = () =>
  route(workNoteOperations.listWorkNotes, listWorkNotesUseCase(createRecordStore(), createCursorSeal()));

export const createWorkNote = () =>
  route(workNoteOperations.createWorkNote, createWorkNoteUseCase(createRecordStore()));
