import { incidentOperations } from '../../contract/incidents.ts';
import { workNoteOperations } from '../../contract/work-notes.ts';
import { listResource } from '../lists/list-resource.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { getRecord } from '../records/get-record.ts';
import { listHistory } from '../records/list-history.ts';
import { updateRecord } from '../records/update-record.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { loadSlaPolicy } from '../sla/policy.ts';
import { createWorkNote as createWorkNoteUseCase } from './create-work-note.ts';
import { draftIncident } from './draft-incident.ts';
import { getIncidentSla as getIncidentSlaUseCase } from './get-incident-sla.ts';
import { incidentType, showIncident } from './incident.ts';
import { incidentChange } from './incident-change.ts';
import { incidentListing } from './incident-listing.ts';
import { listWorkNotes as listWorkNotesUseCase } from './list-work-notes.ts';

export const listIncidents = () =>
  route(
    incidentOperations.listIncidents,
    listResource(createListSource(incidentListing), incidentListing, { show: showIncident }),
  );

export const createIncident = () => {
  const policy = loadSlaPolicy();
  return route(
    incidentOperations.createIncident,
    createRecord('createIncident', createRecordStore(), incidentType(policy), (body, author, nowMs) =>
      draftIncident(body, author, nowMs, policy),
    ),
  );
};

export const getIncident = () =>
  route(incidentOperations.getIncident, getRecord(createRecordStore(), { show: showIncident }));

export const updateIncident = () => {
  const policy = loadSlaPolicy();
  const type = incidentType(policy);
  return route(
    incidentOperations.updateIncident,
    updateRecord(createChanger(type), type, (before, body, { email }, nowMs) =>
      incidentChange(before, body, email, nowMs, policy),
    ),
  );
};

export const deleteIncident = () =>
  route(incidentOperations.deleteIncident, deleteRecord(createChanger(incidentType(loadSlaPolicy()))));

export const listIncidentHistory = () =>
  route(incidentOperations.listIncidentHistory, listHistory(createRecordStore(), createCursorSeal()));

export const getIncidentSla = () =>
  route(incidentOperations.getIncidentSla, getIncidentSlaUseCase(createRecordStore(), loadSlaPolicy()));

export const listWorkNotes = () =>
  route(workNoteOperations.listWorkNotes, listWorkNotesUseCase(createRecordStore(), createCursorSeal()));

export const createWorkNote = () =>
  route(workNoteOperations.createWorkNote, createWorkNoteUseCase(createRecordStore()));
