import type { Decision } from '../../contract/approvals.ts';
import type { Changer } from '../records/change-record.ts';
import type { Resource } from '../records/resource.ts';
import { updateRecord } from '../records/update-record.ts';
import { type Approvable, type ApprovalRules, decided, type Verdict } from './approval.ts';

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
