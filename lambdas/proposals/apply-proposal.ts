import type { Decision } from '../../contract/record-operations.ts';
import { applyDecision } from '../approvals/approval.ts';
import { AlreadyProcessed, type WorkByKind } from '../jobs/process-record.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';
import { type Changer, findRecord } from '../records/change-record.ts';
import type { ItemStore } from '../records/item-store.ts';
import { type Author, toApiAuthor, toRecordResponse } from '../records/record.ts';
import { toItemKey } from '../records/record-item.ts';
import type { Write } from '../records/write-items.ts';
import {
  assertMayApply,
  getTargetKind,
  type ProposalDocument,
  parseBody,
  proposalResource,
  proposalRules,
} from './proposal.ts';

export interface ApprovalTools {
  store: Pick<ItemStore, 'get'>;
  change: Changer<ProposalDocument>;
  work: WorkByKind;
}

interface ApproveInput {
  params: { id: string };
  headers: { 'If-Match'?: string | undefined };
  body: Decision;
}

/**
 * Stores the decision, applies the proposal and stores the outcome. The transaction that applies it also writes a marker,
 * so that repeats and concurrent approvals apply it once; a repeat continues after an interruption at any point.
 */
export function approveProposal(tools: ApprovalTools) {
  const { store, change } = tools;
  return async ({ params: { id }, headers, body: { note } }: ApproveInput, { caller }: { caller: Caller }) => {
    const { document: found } = await findRecord<ProposalDocument>(store, id);
    assertMayApply(found, caller);
    const author = toApiAuthor(caller);
    const decide = async () => {
      const { document } = await change({
        id,
        author,
        ifMatch: headers['If-Match'],
        apply: (before, nowMs) => ({
          document: applyDecision(proposalRules, before.document, { verdict: 'approved', note, caller, nowMs }),
        }),
      });
      return document;
    };
    const decided = found.state === 'approved' ? found : await decide();
    // Whoever completes an interrupted approval, the change is the approver's.
    const approver = { ...author, actor: decided.decision_by ?? author.actor };
    const outcome = await applyProposal(id, decided, approver, tools);
    const record = await change({
      id,
      author,
      apply: ({ document }) => ({ document: document.state === 'approved' ? { ...document, ...outcome } : document }),
    });
    return { status: 200 as const, ...toRecordResponse(proposalResource, record) };
  };
}

type Outcome = Pick<ProposalDocument, 'state' | 'error' | 'record_id'>;

const markerKey = 'applied';

async function applyProposal(
  id: string,
  proposal: ProposalDocument,
  approver: Author,
  { store, work }: ApprovalTools,
): Promise<Outcome> {
  const { operation, record_id, if_match } = proposal;
  const item = {
    author: { ...approver, origin: { kind: 'proposal' as const, id } },
    ifMatch: if_match ?? undefined,
    result: (recordId: string): Write => ({
      name: 'result',
      put: {
        Item: { ...toItemKey(id, markerKey), record_id: { S: recordId } },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }),
  };
  const { create, update } = work[getTargetKind(operation)];
  try {
    const body = parseBody(proposal);
    await (record_id === null ? create(proposal.body, item) : update(record_id, body, item));
  } catch (error) {
    if (error instanceof ServiceError && error.status < 500)
      return { state: 'failed', record_id, error: { code: error.code, detail: error.message } };
    if (!(error instanceof AlreadyProcessed)) throw error;
  }
  const marker = await store.get(id, markerKey);
  return { state: 'applied', record_id: marker?.record_id?.S ?? record_id, error: null };
}
