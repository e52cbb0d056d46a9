import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { shownEmail, text, timestamp } from './records.ts';

// Fields and operations shared by all records that need a manager's approval.

/** Set by the service on creation and on the decision. */
export const approvalFields = {
  requested_by: shownEmail('Caller who created the record.'),
  decision_by: shownEmail('Caller who approved or rejected the record.').nullable(),
  decision_at: timestamp('Time of the decision.').nullable(),
  decision_note: z.string().nullable().meta({ description: 'Note on the decision.' }),
};

/** The note is optional, so the body is too. */
export const decision = z
  .strictObject({ note: text(4_000, 'Note for the requester.').nullable().default(null) })
  .prefault({})
  .meta({ id: 'Decision', description: 'Approval or rejection.' });

export type Decision = z.output<typeof decision>;

export const updateText = (approvedFields: readonly string[]) =>
  'A state transition that is not allowed returns 409 with `allowed_transitions`. Use the approve and reject operations ' +
  `to decide. After approval, changing ${approvedFields.map((field) => `\`${field}\``).join(', ')} returns 409 ` +
  '`already_approved`.';

/** Adds the approval errors to an update operation. */
export const approvable = <Operation extends { errors: readonly ErrorCode[] }>(operation: Operation) => ({
  ...operation,
  errors: [...operation.errors, 'already_approved' as const],
});

const duties =
  'Callers cannot decide on their own records, except with the role `super_admin`. If several callers decide at the same ' +
  'time, the first decision wins and the others return 409.';

export const decisionTexts = (a: string) => ({
  approve: {
    summary: `Approve ${a}`,
    description: duties,
    access: 'itsm_manager' as const,
    bodyExample: { note: 'Tested in staging, go ahead.' },
  },
  reject: {
    summary: `Reject ${a}`,
    description: duties,
    access: 'itsm_manager' as const,
    bodyExample: { note: 'Not in the last week of the quarter.' },
  },
});
