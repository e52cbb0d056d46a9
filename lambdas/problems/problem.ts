import { idFormats } from '../../contract/ids.ts';
import type { ProblemImport } from '../../contract/problem-imports.ts';
import type { ProblemCreation, ProblemPatch, ProblemRecord } from '../../contract/problems.ts';
import { type ProblemState, priorities, problemStates, problemTransitions } from '../../contract/states.ts';
import { createDocumentType } from '../lists/document-type.ts';
import type { RefineQuery, TimeBound } from '../lists/list-records.ts';
import type { ListingSpec } from '../lists/listing.ts';
import { toIso } from '../platform/clock.ts';
import { invalidField } from '../platform/service-error.ts';
import { applyPatch, assertTransition, type Change, type StateMachine } from '../records/change-record.ts';
import type { ImportRules } from '../records/import-record.ts';
import type { Author, FromRecord, StoredRecord } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';
import { buildReferenceChecks } from '../records/references.ts';

export const problemListing: ListingSpec = {
  type: 'problem',
  idPrefix: idFormats.problem.prefix,
  times: ['resolved_at'],
  enums: { priority: priorities, state: problemStates },
  // `is_known_error` is `yes` or null.
  strings: ['assignment_group', 'assigned_to', 'opened_by', 'ci_id', 'is_known_error'],
  words: ['short_description', 'root_cause', 'workaround', 'description'],
  references: ['ci_id', 'change_ids'],
};

export const problemBounds: Readonly<Record<string, TimeBound>> = {
  resolved_after: { after: 'resolved_at' },
  resolved_before: { before: 'resolved_at' },
};

export const refineProblemQuery: RefineQuery = (query, { known_error }) =>
  known_error ? { ...query, strings: { ...query.strings, is_known_error: 'yes' } } : query;

export type ProblemDocument = Omit<ProblemRecord, FromRecord>;

const machine: StateMachine<ProblemState> = { subject: 'A problem', transitions: problemTransitions };

export const problemResource = createDocumentType<ProblemDocument, ProblemRecord>(problemListing, 'problems', {
  columns: ({ known_error }) => ({ is_known_error: known_error ? 'yes' : null }),
});

export function newProblem(creation: ProblemCreation, author: Author, nowMs: number): NewRecord<ProblemDocument> {
  const document = { ...creation, opened_by: author.actor, resolved_at: null, closed_at: null };
  const { record, writes } = draftRecord(problemResource, 'problem', document, author, nowMs);
  return { record, writes: [...writes, ...buildReferenceChecks({ change_ids: document.change_ids })] };
}

export const problemImportRules: ImportRules<ProblemImport, ProblemDocument> = {
  kind: 'problem',
  resource: problemResource,
  toDocument({ id, external_id, notes, history, created_at, updated_at, ...document }) {
    return document;
  },
};

export function applyProblemPatch(
  { document: before }: StoredRecord<ProblemDocument>,
  patch: ProblemPatch,
  nowMs: number,
): Change<ProblemDocument> {
  const after = applyPatch(before, patch as Partial<ProblemDocument>);
  if (after.known_error && after.root_cause === null && after.workaround === null) {
    throw invalidField('known_error', 'requires root_cause or workaround');
  }
  const added = after.change_ids.filter((id) => !before.change_ids.includes(id));
  const additionalWrites = buildReferenceChecks({ change_ids: added });
  if (after.state === before.state) return { document: after, additionalWrites };
  assertTransition(machine, before.state, after.state);
  const isResolved = after.state === 'resolved' || after.state === 'closed';
  const resolved_at = isResolved ? (before.resolved_at ?? toIso(nowMs)) : null;
  const closed_at = after.state === 'closed' ? toIso(nowMs) : null;
  return { document: { ...after, resolved_at, closed_at }, additionalWrites };
}
