import { changeRisks, changeTypes } from '../../contract/change-calendar.ts';
import type { Change, ChangeCreation, ChangePatch } from '../../contract/changes.ts';
import { idFormats } from '../../contract/ids.ts';
import { approvedChangeFields, type ChangeState, changeStates, changeTransitions } from '../../contract/states.ts';
import {
  type ApprovalRules,
  applyApprovablePatch,
  buildApprovalNotification,
  toSubmission,
} from '../approvals/approval.ts';
import type { TimeBound } from '../lists/list-records.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { newId } from '../platform/ids.ts';
import { invalidField } from '../platform/service-error.ts';
import { diffFields, type Change as RecordChange } from '../records/change-record.ts';
import type { Write } from '../records/item-store.ts';
import {
  type Author,
  createFirstVersion,
  type FromRecord,
  type Resource,
  type StoredRecord,
  toDocumentResponse,
} from '../records/record.ts';
import { buildInsert } from '../records/record-item.ts';
import type { NewRecord } from '../records/record-operations.ts';

/** `ci_words` contains the ids of the changed items, so that a search finds changes by item. */
export const changeListing: ListingSpec = {
  type: 'change',
  idPrefix: idFormats.change.prefix,
  times: ['planned_start', 'planned_end'],
  enums: { risk: changeRisks, state: changeStates, type: changeTypes },
  strings: ['assignment_group', 'assigned_to', 'requested_by'],
  words: ['short_description', 'ci_words', 'description'],
  references: ['ci_ids'],
};

/** A window overlaps a period unless it ends before the period or starts after it. */
export const plannedBounds: Readonly<Record<string, TimeBound>> = {
  planned_after: { after: 'planned_end' },
  planned_before: { before: 'planned_start' },
};

export type ChangeDocument = Omit<Change, FromRecord>;

export const changeRules: ApprovalRules<ChangeState, ChangeDocument> = {
  subject: 'A change',
  transitions: changeTransitions,
  owners: ({ requested_by }) => [requested_by],
  approvedFields: approvedChangeFields,
};

export const changeResource: Resource<ChangeDocument, Change> = {
  name: changeListing.type,
  collection: 'changes',
  toResponse: toDocumentResponse,
  listing: (record) => {
    const ci_words = record.document.ci_ids.join(' ');
    return encodeListing(changeListing, { ...record.document, ci_words, ...record });
  },
  indexKeys: () => ({}),
  changes: diffFields,
};

export function newChange(creation: ChangeCreation, author: Author, nowMs: number): NewRecord<ChangeDocument> {
  const document: ChangeDocument = { ...creation, ...toSubmission(author) };
  const record = createFirstVersion(newId('change'), document, nowMs);
  return {
    record,
    writes: [
      ...buildInsert(changeResource, record, author),
      ...buildSubmissionNotifications(record.id, null, document, nowMs),
    ],
  };
}

export function applyChangePatch(
  { id, document: before }: StoredRecord<ChangeDocument>,
  { ci_ids, ...patch }: ChangePatch,
  nowMs: number,
): RecordChange<ChangeDocument> {
  const items = ci_ids === undefined ? {} : { ci_ids: ci_ids ?? [] };
  const document = applyApprovablePatch(changeRules, before, { ...patch, ...items } as Partial<ChangeDocument>);
  assertWindow(document);
  return { document, additionalWrites: buildSubmissionNotifications(id, before, document, nowMs) };
}

/** The contract validates only the request; the patched change must be consistent, too. */
function assertWindow({ planned_start, planned_end }: ChangeDocument): void {
  if (planned_start === null || planned_end === null) return;
  if (Date.parse(planned_end) <= Date.parse(planned_start)) {
    throw invalidField('planned_end', 'must be after the planned start');
  }
}

function buildSubmissionNotifications(
  id: string,
  before: ChangeDocument | null,
  after: ChangeDocument,
  nowMs: number,
): Write[] {
  if (after.state !== 'submitted' || before?.state === 'submitted') return [];
  const { short_description, requested_by, assignment_group: group } = after;
  return [buildApprovalNotification({ id, event: 'change.submitted', short_description, requested_by, group }, nowMs)];
}
