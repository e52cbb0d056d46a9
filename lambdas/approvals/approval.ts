import type { Decision } from '../../contract/record-operations.ts';
import { hasRole } from '../../contract/roles.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import { ServiceError } from '../platform/service-error.ts';
import { applyPatch, assertTransition, type Changer, type StateMachine } from '../records/change-record.ts';
import type { Author, Resource } from '../records/record.ts';
import { updateRecord } from '../records/record-operations.ts';

// Approval rules for all record types that a manager approves or rejects. Only a decision can set the states `approved`
// and `rejected`; an update cannot.

export const verdicts = ['approved', 'rejected'] as const;

export type Verdict = (typeof verdicts)[number];

export interface Approvable<State extends string> {
  state: State | Verdict;
  requested_by: string;
  decision_by: string | null;
  decision_at: string | null;
  decision_note: string | null;
}

/** The fields that the service adds to a new record. */
export function toSubmission({ actor }: Author) {
  return { requested_by: actor, decision_by: null, decision_at: null, decision_note: null };
}

export interface ApprovalRules<State extends string, Document> extends StateMachine<State | Verdict> {
  /** The people whose record it is. They must not decide on it. */
  owners(document: Document): readonly (string | null)[];
  /** Fields that cannot change after the approval. */
  approvedFields: readonly (keyof Document & string)[];
}

/** Validates the state requested by an update. Staying in the same state is always allowed. */
export function validateStateUpdate<State extends string>(
  machine: StateMachine<State | Verdict>,
  from: State | Verdict,
  to: State | Verdict,
): State | Verdict {
  const byUpdate = machine.transitions[from].filter((state) => !(verdicts as readonly string[]).includes(state));
  if (to !== from) assertTransition(machine, from, to, byUpdate);
  return to;
}

/** Applies a patch. Rejects transitions that need a decision, and changes to approved fields. */
export function applyApprovablePatch<State extends string, Document extends Approvable<State>>(
  rules: ApprovalRules<State, Document>,
  before: Document,
  patch: Partial<Document>,
): Document {
  const state = validateStateUpdate(rules, before.state, patch.state ?? before.state);
  const document = { ...applyPatch(before, patch), state };
  assertApprovedFieldsUnchanged(rules, before, document);
  return document;
}

function assertApprovedFieldsUnchanged<State extends string, Document extends Approvable<State>>(
  { subject, approvedFields }: ApprovalRules<State, Document>,
  before: Document,
  after: Document,
): void {
  if (before.decision_at === null || before.state === 'rejected') return;
  const changed = approvedFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return;
  const detail = `${subject} cannot change after its approval. Cancel it and create a new one instead.`;
  const errors = changed.map((field) => ({ field, message: 'cannot be changed after the approval' }));
  throw new ServiceError('already_approved', detail, { members: { errors } });
}

export interface DecisionInput {
  verdict: Verdict;
  note: string | null;
  caller: Caller;
  nowMs: number;
}

/** Applies a decision. Rejects decisions on one's own record and on records that need no decision. */
export function applyDecision<State extends string, Document extends Approvable<State>>(
  rules: ApprovalRules<State, Document>,
  document: Document,
  { verdict, note, caller, nowMs }: DecisionInput,
): Document {
  if (
    !hasRole(caller.roles, 'super_admin') &&
    rules.owners(document).some((owner) => isSameEmail(owner, caller.email))
  ) {
    throw new ServiceError('forbidden', 'You cannot decide on your own record.');
  }
  assertTransition(rules, document.state, verdict);
  const decision_at = toIso(nowMs);
  return { ...document, state: verdict, decision_by: caller.email, decision_at, decision_note: note };
}

/** The user pool treats email addresses as case-insensitive. */
function isSameEmail(owner: string | null, email: string): boolean {
  return owner?.toLowerCase() === email.toLowerCase();
}

/** Approves or rejects a record. If two managers decide concurrently, the version check lets only one succeed. */
export function decide<State extends string, Document extends Approvable<State>, View>(
  change: Changer<Document>,
  resource: Pick<Resource<Document, View>, 'toResponse'>,
  rules: ApprovalRules<State, Document>,
  verdict: Verdict,
  /** Lets the SLA follow the new state. */
  follow: (before: Document, after: Document, nowMs: number, createdAt: string) => Document = (_, after) => after,
) {
  return updateRecord<Document, View, Decision>(
    change,
    resource,
    ({ document, created_at }, { note }, caller, nowMs) => {
      const decided = applyDecision(rules, document, { verdict, note, caller, nowMs });
      return { document: follow(document, decided, nowMs, created_at) };
    },
  );
}
