import { idFormats } from '../../contract/ids.ts';
import {
  approvedRequestFields,
  type RequestCreation,
  type RequestPatch,
  type ServiceRequest,
} from '../../contract/requests.ts';
import { type RequestState, requestStates, requestTransitions } from '../../contract/states.ts';
import {
  type ApprovalRules,
  assertAsApproved,
  undecided,
  updatedState,
  waitingNotifications,
} from '../approvals/approval.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { newId } from '../platform/ids.ts';
import { type Change, changesBetween, patched } from '../records/change-record.ts';
import {
  type Author,
  type FromRecord,
  firstVersion,
  type Resource,
  type StoredRecord,
  showWhole,
} from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import type { Draft } from '../records/record-operations.ts';

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
  a: 'A service request',
  transitions: requestTransitions,
  owners: ({ requested_by, requested_for }) => [requested_by, requested_for],
  approvedFields: approvedRequestFields,
};

export const requestResource: Resource<RequestDocument, ServiceRequest> = {
  name: requestListing.type,
  collection: 'requests',
  show: showWhole,
  listing: (record) => encodeListing(requestListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: changesBetween,
};

export function draftRequest(creation: RequestCreation, author: Author, nowMs: number): Draft<RequestDocument> {
  const document: RequestDocument = {
    ...creation,
    requested_by: author.actor,
    ...undecided,
  };
  const record = firstVersion(newId('request'), document, nowMs);
  const { short_description, requested_by } = document;
  const waiting = { id: record.id, event: 'request.submitted' as const, short_description, requested_by, group: null };
  return { record, writes: [...insertion(requestResource, record, author), ...waitingNotifications(waiting, nowMs)] };
}

export function changedRequest(
  { document: before }: StoredRecord<RequestDocument>,
  patch: RequestPatch,
): Change<RequestDocument> {
  const state = updatedState(requestRules, before.state, patch.state ?? before.state);
  const document = { ...patched(before, patch as Partial<RequestDocument>), state };
  assertAsApproved(requestRules, before, document);
  return { document };
}
