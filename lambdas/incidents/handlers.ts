import { incidentOperations } from '../../contract/incidents.ts';
import { workNoteOperations } from '../../contract/work-notes.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadSlaPolicy } from '../sla/sla.ts';
import { getIncidentSla as getIncidentSlaUseCase } from '../sla/sla-response.ts';
import {
  buildIncidentChange,
  createIncidentResource,
  incidentListing,
  newIncident,
  toIncidentResponse,
} from './incident.ts';
import { createWorkNote as createWorkNoteUseCase, listWorkNotes as listWorkNotesUseCase } from './work-notes.ts';

export const listIncidents = () =>
  route(
    incidentOperations.listIncidents,
    listResource(createListSource(incidentListing), incidentListing, { toResponse: toIncidentResponse }),
  );

export const createIncident = () => {
  const policy = loadSlaPolicy();
  return route(
    incidentOperations.createIncident,
    createRecord('createIncident', createRecordStore(), createIncidentResource(policy), (body, author, nowMs) =>
      newIncident(body, author, nowMs, policy),
    ),
  );
};

export const getIncident = () =>
  route(incidentOperations.getIncident, getRecord(createRecordStore(), { toResponse: toIncidentResponse }));

export const updateIncident = () => {
  const policy = loadSlaPolicy();
  const type = createIncidentResource(policy);
  return route(
    incidentOperations.updateIncident,
    updateRecord(createChanger(type), type, (before, body, { email }, nowMs) =>
      buildIncidentChange(before, body, email, nowMs, policy),
    ),
  );
};

export const deleteIncident = () =>
  route(incidentOperations.deleteIncident, deleteRecord(createChanger(createIncidentResource(loadSlaPolicy()))));

export const listIncidentHistory = () =>
  route(incidentOperations.listIncidentHistory, listHistory(createRecordStore(), createCursorSeal()));

export const getIncidentSla = () =>
  route(incidentOperations.getIncidentSla, getIncidentSlaUseCase(createRecordStore(), loadSlaPolicy()));

export const listWorkNotes = () =>
  route(workNoteOperations.listWorkNotes, listWorkNotesUseCase(createRecordStore(), createCursorSeal()));

export const createWorkNote = () =>
  route(workNoteOperations.createWorkNote, createWorkNoteUseCase(createRecordStore()));
