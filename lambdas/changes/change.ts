import type { Change, ChangeCreation, ChangePatch } from '../../contract/changes.ts';
import { approvedChangeFields, type ChangeState, changeTransitions, endedStates } from '../../contract/states.ts';
import { type ApprovalRules, applyApprovablePatch, toSubmission } from '../approvals/approval.ts';
import { encodeListing } from '../lists/listing.ts';
import { invalidField } from '../platform/service-error.ts';
import type { Change as RecordChange } from '../records/change-record.ts';
import type { Author, FromRecord, Resource, StoredRecord } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';
import type { Levels } from '../sla/level-store.ts';
import { createSlaTracker, diffTracked, type Tracked, type TrackedKind, toTrackedResponse } from '../sla/track-sla.ts';
import { changeListing } from './change-listing.ts';

export type ChangeDocument = Omit<Change, FromRecord> & Pick<Tracked, 'sla'>;

const tracked: TrackedKind<ChangeDocument> = {
  kind: 'change',
  ended: endedStates.change,
  fields: ({ assignment_group, type }) => ({ assignment_group, category: type, priority: null }),
};

export const changeRules: ApprovalRules<ChangeState, ChangeDocument> = {
  subject: 'A change',
  transitions: changeTransitions,
  owners: ({ requested_by }) => [requested_by],
  approvedFields: approvedChangeFields,
};

export const changeView = { toResponse: toTrackedResponse<ChangeDocument>, changes: diffTracked<ChangeDocument> };

export function createChangeRules(levels: Levels) {
  const sla = createSlaTracker(tracked, levels);
  const resource: Resource<ChangeDocument, Change> = {
    name: changeListing.type,
    collection: 'changes',
    prepare: sla.prepare,
    ...changeView,
    listing: (record) => {
      const ci_words = record.document.ci_ids.join(' ');
      const finished_at = record.document.state === 'completed' ? record.updated_at : null;
      const added = { ci_words, finished_at, ...record, ...sla.list(record.document) };
      return encodeListing(changeListing, { ...record.document, ...added });
    },
    indexKeys: sla.indexKeys,
  };
  return {
    resource,
    sla,
    async create(creation: ChangeCreation, author: Author, nowMs: number): Promise<NewRecord<ChangeDocument>> {
      await sla.prepare();
      return draftRecord(resource, 'change', sla.start({ ...creation, ...toSubmission(author) }, nowMs), author, nowMs);
    },
    applyPatch(
      { document: before, created_at }: StoredRecord<ChangeDocument>,
      { ci_ids, ...patch }: ChangePatch,
      _caller: unknown,
      nowMs: number,
    ): RecordChange<ChangeDocument> {
      const items = ci_ids === undefined ? {} : { ci_ids: ci_ids ?? [] };
      const after = applyApprovablePatch(changeRules, before, { ...patch, ...items } as Partial<ChangeDocument>);
      assertWindow(after);
      return { document: sla.follow(before, after, nowMs, created_at) };
    },
  };
}

/** The contract validates only the request; the patched change must be consistent, too. */
function assertWindow({ planned_start, planned_end }: ChangeDocument): void {
  if (planned_start === null || planned_end === null) return;
  if (Date.parse(planned_end) <= Date.parse(planned_start)) {
    throw invalidField('planned_end', 'must be after the planned start');
  }
}
