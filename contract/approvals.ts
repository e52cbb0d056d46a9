import * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import { shownEmail, text, timestamp } from './records.ts';

// What somebody asks for and a manager decides: the same for every kind of record that needs an approval.

/** Set by the service with the creation and with the decision. */
export const approvalFields = {
  requested_by: shownEmail('Who asked for it: the caller that created it.'),
  decision_by: shownEmail('Who approved or rejected it.').nullable(),
  decision_at: timestamp('When that was.').nullable(),
  decision_note: z.string().nullable().meta({ description: 'What they said about it.' }),
};

/** A decision needs no words, so the body may be left out. */
export const decision = z
  .strictObject({ note: text(4_000, 'Why, for those who asked.').nullable().default(null) })
  .prefault({})
  .meta({ id: 'Decision', description: 'What to say with the decision.' });

export type Decision = z.output<typeof decision>;

/** What an update does to such a record, in words. */
export const updateText = (approvedFields: readonly string[]) =>
  'The state changes as its table allows; a forbidden change answers 409 with `allowed_transitions`. To approve and to ' +
  `reject are operations of their own. After the approval ${approvedFields.map((field) => `\`${field}\``).join(', ')} ` +
  'cannot be changed: 409 `already_approved`.';

/** The operation that updates such a record. */
export const approvable = <Operation extends { errors: readonly ErrorCode[] }>(operation: Operation) => ({
  ...operation,
  errors: [...operation.errors, 'already_approved' as const],
});

const duties =
  'Nobody decides on what they asked for themselves, except for the role `super_admin`. Of several decisions at the ' +
  'same moment one counts; the others answer 409.';

/** The two operations of a kind of record, in words. */
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
