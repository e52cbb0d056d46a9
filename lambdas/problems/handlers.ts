import { problemOperations } from '../../contract/problems.ts';
import type { RecordNote } from '../../contract/work-notes.ts';
import { createKnownNames, withNameWarnings } from '../identity/people-directory.ts';
import { toIncidentResponse } from '../incidents/incident.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { listResource } from '../lists/list-records.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { findRecord } from '../records/change-record.ts';
import { createNote, listNotes } from '../records/notes.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import {
  applyProblemPatch,
  newProblem,
  problemBounds,
  problemListing,
  problemResource,
  refineProblemQuery,
} from './problem.ts';

export const listProblems = () =>
  route(
    problemOperations.listProblems,
    listResource(createListSource(problemListing), problemListing, problemResource, problemBounds, refineProblemQuery),
  );

export const createProblem = () =>
  route(
    problemOperations.createProblem,
    withNameWarnings(
      createRecord('createProblem', createRecordStore(), problemResource, newProblem),
      createKnownNames(),
    ),
  );

export const getProblem = () => route(problemOperations.getProblem, getRecord(createRecordStore(), problemResource));

export const updateProblem = () =>
  route(
    problemOperations.updateProblem,
    withNameWarnings(
      updateRecord(createChanger(problemResource), problemResource, (before, body, _, nowMs) =>
        applyProblemPatch(before, body, nowMs),
      ),
      createKnownNames(),
    ),
  );

export const deleteProblem = () => route(problemOperations.deleteProblem, deleteRecord(createChanger(problemResource)));

export const listProblemHistory = () =>
  route(problemOperations.listProblemHistory, listHistory(createRecordStore(), problemResource, createCursorSeal()));

export const listProblemNotes = () =>
  route(problemOperations.listProblemNotes, listNotes<RecordNote>(createRecordStore(), createCursorSeal()));

export const createProblemNote = () =>
  route(problemOperations.createProblemNote, createNote<RecordNote>('createProblemNote', createRecordStore()));

export const listProblemIncidents = () => {
  const store = createRecordStore();
  const list = listResource(createListSource(incidentListing), incidentListing, { toResponse: toIncidentResponse });
  return route(problemOperations.listProblemIncidents, async ({ params: { id }, query }, context) => {
    const page = list({ query: { ...query, parent_problem_id: [id] } }, context);
    const [response] = await Promise.all([page, findRecord(store, id)]);
    return response;
  });
};
