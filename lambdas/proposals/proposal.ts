import { ciId } from '../../contract/ci-relations.ts';
import { ciCreation, ciOperations, ciPatch } from '../../contract/cis.ts';
import { incidentCreation, incidentId, incidentOperations, incidentUpdate } from '../../contract/incidents.ts';
import type { Proposal, ProposalCreation } from '../../contract/proposals.ts';
import { hasRole } from '../../contract/roles.ts';
import { type ProposableOperation, type ProposalState, proposalTransitions } from '../../contract/states.ts';
import { type ApprovalRules, toSubmission } from '../approvals/approval.ts';
import { parseRecord } from '../jobs/process-record.ts';
import { createDocumentType } from '../lists/document-type.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';
import { findRecord } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { Author, FromRecord } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';
import { proposalListing } from './proposal-listing.ts';

export type ProposalDocument = Omit<Proposal, FromRecord>;

export const proposalRules: ApprovalRules<ProposalState, ProposalDocument> = {
  subject: 'A proposal',
  transitions: proposalTransitions,
  owners: ({ requested_by }) => [requested_by],
  approvedFields: [],
};

export const proposalResource = createDocumentType<ProposalDocument, Proposal>(proposalListing, 'proposals');

/** How each operation is validated and who may do it. Only updates have an `id`. */
const targets = {
  createIncident: { kind: 'incident', body: incidentCreation, operation: incidentOperations.createIncident },
  updateIncident: {
    kind: 'incident',
    body: incidentUpdate,
    operation: incidentOperations.updateIncident,
    id: incidentId,
  },
  createCi: { kind: 'ci', body: ciCreation, operation: ciOperations.createCi },
  updateCi: { kind: 'ci', body: ciPatch, operation: ciOperations.updateCi, id: ciId },
} as const satisfies Record<ProposableOperation, object>;

export function getTargetKind(operation: ProposableOperation): 'incident' | 'ci' {
  return targets[operation].kind;
}

/** The body as the operation reads it; the error lists all problems. */
export function parseBody({
  operation,
  body,
}: Pick<Proposal, 'operation' | 'body'>): Readonly<Record<string, unknown>> {
  return parseRecord(targets[operation].body, body);
}

/** An approver must be allowed to do what they approve. */
export function assertMayApply({ operation }: ProposalDocument, { roles }: Caller): void {
  const { access } = targets[operation].operation;
  if (hasRole(roles, access)) return;
  throw new ServiceError('forbidden', `To approve this proposal you need the role ${access}, as for ${operation}.`);
}

/** Creates a proposal, if the operation would accept it now. */
export function createProposalDraft(store: Pick<ItemStore, 'get'>) {
  return async (creation: ProposalCreation, author: Author, nowMs: number): Promise<NewRecord<ProposalDocument>> => {
    const { operation, record_id, if_match } = creation;
    const target = targets[operation];
    let affected: Affected = creation.body;
    if ('id' in target) {
      if (!target.id.safeParse(record_id).success) throw invalid('record_id', 'must be the id of the record to update');
      const found = await findRecord<Affected>(store, String(record_id)).catch((error: unknown) => {
        throw error instanceof ServiceError && error.code === 'not_found'
          ? invalid('record_id', 'does not exist')
          : error;
      });
      affected = found.document;
    } else if (record_id !== null || if_match !== null) {
      throw invalid(record_id === null ? 'if_match' : 'record_id', `must be null for ${operation}`);
    }
    parseBody(creation);
    const document: ProposalDocument = {
      ...creation,
      state: 'pending',
      error: null,
      assignment_group: affected.assignment_group ?? null,
      ...toSubmission(author),
    };
    return draftRecord(proposalResource, 'proposal', document, author, nowMs);
  };
}

/** The fields of the record that the proposal creates or updates, as far as they matter here. */
interface Affected {
  assignment_group?: string | null;
}

function invalid(field: string, message: string): ServiceError {
  return new ServiceError('invalid_input', 'The proposal is invalid.', {
    members: { errors: [{ field, message }] },
  });
}
