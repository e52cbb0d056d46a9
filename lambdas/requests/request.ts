import type { RequestCreation, RequestPatch, ServiceRequest } from '../../contract/requests.ts';
import { approvedRequestFields, endedStates, type RequestState, requestTransitions } from '../../contract/states.ts';
import { type ApprovalRules, applyApprovablePatch, toSubmission } from '../approvals/approval.ts';
import { encodeListing } from '../lists/listing.ts';
import type { Change } from '../records/change-record.ts';
import type { Author, FromRecord, Resource, StoredRecord } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';
import type { Levels } from '../sla/level-store.ts';
import { createSlaTracker, diffTracked, type Tracked, type TrackedKind, toTrackedResponse } from '../sla/track-sla.ts';
import { requestListing } from './request-listing.ts';

export type RequestDocument = Omit<ServiceRequest, FromRecord> & Pick<Tracked, 'sla'>;

const tracked: TrackedKind<RequestDocument> = {
  kind: 'request',
  ended: endedStates.request,
  fields: ({ item }) => ({ assignment_group: null, category: item, priority: null }),
};

export const requestRules: ApprovalRules<RequestState, RequestDocument> = {
  subject: 'A service request',
  transitions: requestTransitions,
  owners: ({ requested_by, requested_for }) => [requested_by, requested_for],
  approvedFields: approvedRequestFields,
};

export const requestView = { toResponse: toTrackedResponse<RequestDocument>, changes: diffTracked<RequestDocument> };

export function createRequestRules(levels: Levels) {
  const sla = createSlaTracker(tracked, levels);
  const resource: Resource<RequestDocument, ServiceRequest> = {
    name: requestListing.type,
    collection: 'requests',
    prepare: sla.prepare,
    ...requestView,
    listing: (record) => {
      const finished_at = record.document.state === 'fulfilled' ? record.updated_at : null;
      return encodeListing(requestListing, {
        ...record.document,
        finished_at,
        ...record,
        ...sla.list(record.document),
      });
    },
    indexKeys: sla.indexKeys,
  };
  return {
    resource,
    sla,
    async create(creation: RequestCreation, author: Author, nowMs: number): Promise<NewRecord<RequestDocument>> {
      await sla.prepare();
      return draftRecord(
        resource,
        'request',
        sla.start({ ...creation, ...toSubmission(author) }, nowMs),
        author,
        nowMs,
      );
    },
    applyPatch(
      { document: before, created_at }: StoredRecord<RequestDocument>,
      patch: RequestPatch,
      _caller: unknown,
      nowMs: number,
    ): Change<RequestDocument> {
      const after = applyApprovablePatch(requestRules, before, patch as Partial<RequestDocument>);
      return { document: sla.follow(before, after, nowMs, created_at) };
    },
  };
}
