import { idFormats } from '../../contract/ids.ts';
import type { RequestCreation, RequestPatch, ServiceRequest } from '../../contract/requests.ts';
import { approvedRequestFields, type RequestState, requestStates, requestTransitions } from '../../contract/states.ts';
import {
  type ApprovalRules,
  applyApprovablePatch,
  buildApprovalNotification,
  toSubmission,
} from '../approvals/approval.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { newId } from '../platform/ids.ts';
import { type Change, diffFields } from '../records/change-record.ts';
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

export const requestListing: ListingSpec = {
  type: 'request',
  idPrefix: idFormats.request.prefix,
  times: [],
  enums: { state: requestStates },
  strings: ['item', 'requested_for', 'requested_by'],
  words: ['short_description', 'item', 'description'],
};

export type RequestDocument = Omit<ServiceRequest, FromRecord>;

export const requestRules: ApprovalRules<RequestState, RequestDocument> = {
  subject: 'A service request',
  transitions: requestTransitions,
  owners: ({ requested_by, requested_for }) => [requested_by, requested_for],
  approvedFields: approvedRequestFields,
};

export const requestResource: Resource<RequestDocument, ServiceRequest> = {
  name: requestListing.type,
  collection: 'requests',
  toResponse: toDocumentResponse,
  listing: (record) => encodeListing(requestListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: diffFields,
};

export function newRequest(creation: RequestCreation, author: Author, nowMs: number): NewRecord<RequestDocument> {
  const document: RequestDocument = { ...creation, ...toSubmission(author) };
  const record = createFirstVersion(newId('request'), document, nowMs);
  const { short_description, requested_by } = document;
  const approval = { id: record.id, event: 'request.submitted' as const, short_description, requested_by, group: null };
  return {
    record,
    writes: [...buildInsert(requestResource, record, author), buildApprovalNotification(approval, nowMs)],
  };
}

export function applyRequestPatch(
  { document: before }: StoredRecord<RequestDocument>,
  patch: RequestPatch,
): Change<RequestDocument> {
  return { document: applyApprovablePatch(requestRules, before, patch as Partial<RequestDocument>) };
}
