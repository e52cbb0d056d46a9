import type { Decision } from '../../contract/approvals.ts';
import { hasRole, type Role } from '../../contract/roles.ts';
import { notificationWrite } from '../notifications/notification.ts';
import type { Caller } from '../platform/caller.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { assertTransition, type Changer, type StateMachine } from '../records/change-record.ts';
import type { Write } from '../records/item-store.ts';
import type { Resource } from '../records/record.ts';
import { updateRecord } from '../records/record-operations.ts';

// What somebody asks for and a manager decides, whatever the kind of record. States `approved` and `rejected` are entered
// by a decision only, never by an update.

export const verdicts = ['approved', 'rejected'] as const;

export type Verdict = (typeof verdicts)[number];

export interface Approvable<State extends string> {
  state: State | Verdict;
  requested_by: string;
  decision_by: string | null;
  decision_at: string | null;
  decision_note: string | null;
}

export const undecided = { decision_by: null, decision_at: null, decision_note: null };

export interface ApprovalRules<State extends string, Document> extends StateMachine<State | Verdict> {
  /** Those whose own matter it is, so that they do not decide on it. */
  owners(document: Document): readonly (string | null)[];
  /** What the consent is given to. */
  approvedFields: readonly (keyof Document & string)[];
}

/** The state that an update asks for; to stay in a state is no transition. */
export function updatedState<State extends string>(
  machine: StateMachine<State | Verdict>,
  from: State | Verdict,
  to: State | Verdict,
): State | Verdict {
  const byUpdate = machine.transitions[from].filter((state) => !(verdicts as readonly string[]).includes(state));
  if (to !== from) assertTransition(machine, from, to, byUpdate);
  return to;
}

/** What was approved is carried out as it was approved, or not at all. */
export function assertAsApproved<State extends string, Document extends Approvable<State>>(
  { a, approvedFields }: ApprovalRules<State, Document>,
  before: Document,
  after: Document,
): void {
  if (before.decision_at === null || before.state === 'rejected') return;
  const changed = approvedFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
  if (changed.length === 0) return;
  const detail = `${a} is carried out as it was approved. To have it otherwise, cancel it and ask for another.`;
  const errors = changed.map((field) => ({ field, message: 'cannot be changed after the approval' }));
  throw new ServiceError('already_approved', detail, { members: { errors } });
}

export interface DecisionMade {
  verdict: Verdict;
  note: string | null;
  caller: Caller;
  nowMs: number;
}

/** The record after a decision; refuses one on one's own matter, and one where there is nothing to decide. */
export function decided<State extends string, Document extends Approvable<State>>(
  rules: ApprovalRules<State, Document>,
  document: Document,
  { verdict, note, caller, nowMs }: DecisionMade,
): Document {
  if (!hasRole(caller.roles, 'super_admin') && rules.owners(document).some((owner) => isSame(owner, caller.email))) {
    throw new ServiceError('forbidden', 'You cannot decide on your own record.');
  }
  assertTransition(rules, document.state, verdict);
  const decision_at = new Date(nowMs).toISOString();
  return { ...document, state: verdict, decision_by: caller.email, decision_at, decision_note: note };
}

/** The directory does not tell addresses apart by case, so this does not either. */
function isSame(owner: string | null, email: string): boolean {
  return owner?.toLowerCase() === email.toLowerCase();
}

/** The use case behind every approval and every rejection. The version of the record decides between two managers. */
export function decide<State extends string, Document extends Approvable<State>, Shown>(
  change: Changer<Document>,
  resource: Pick<Resource<Document, Shown>, 'show'>,
  rules: ApprovalRules<State, Document>,
  verdict: Verdict,
) {
  return updateRecord<Document, Shown, Decision>(change, resource, ({ document }, { note }, caller, nowMs) => ({
    document: decided(rules, document, { verdict, note, caller, nowMs }),
  }));
}

interface Waiting {
  /** The record that waits. */
  id: string;
  event: 'change.submitted' | 'request.submitted';
  short_description: string;
  requested_by: string;
  /** The group that will have to do it, if there is one. */
  group: string | null;
}

/** Those who may decide are told as a group that has the name of their role. */
const deciders: Role = 'itsm_manager';

/** Tells managers, and the group that will do it, that something waits for an approval. */
export function waitingNotifications({ id, group, ...about }: Waiting, nowMs: number): Write[] {
  const created_at = new Date(nowMs).toISOString();
  const audiences = group === null ? [deciders] : [deciders, group];
  // The same for both, so that a manager who follows the group is told once.
  const notification = { id: newId('notification'), ...about, record_id: id, group, created_at };
  return audiences.map((name) => notificationWrite({ kind: 'group', name }, notification));
}
