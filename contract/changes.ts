import * as z from 'zod';
import { acrossFields } from './across-fields.ts';
import { approvable, approvalFields, decision, decisionTexts, updateText } from './approvals.ts';
import { changeCalendar, changeCalendarExample, changeCalendarQuery } from './change-calendar.ts';
import {
  approvedChangeFields,
  changeFields,
  changeId,
  changeRisks,
  changeStates,
  changeTypes,
  plannedWindow,
} from './change-fields.ts';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { email, idParams, line, listOf, moment, text, timestamp, withReadOnlyFields } from './records.ts';

/** Fields that may be unset: absent on create means `null`, and `null` in an update clears them. */
const optionalFields = {
  description: text(32_000, 'What is to be done and how it is undone; Markdown.').nullable(),
  planned_start: plannedWindow.planned_start,
  planned_end: plannedWindow.planned_end,
  assignment_group: line(100, 'The group that carries it out.').nullable(),
  assigned_to: email('The person who carries it out.').nullable(),
};

const { short_description, type, risk, state, ci_ids } = changeFields;

const identifiers = { id: changeId, number: changeId.meta({ description: 'The same as the id.' }) };

const computed = {
  ...approvalFields,
  deleted: z.boolean().meta({ description: 'True for a deleted change, which is shown on request only.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When a field of it last changed.'),
};

export const change = z
  .strictObject({
    ...identifiers,
    short_description,
    type,
    risk,
    state,
    ...optionalFields,
    ci_ids,
    ...computed,
  })
  .meta({ id: 'Change', description: 'Something that is to be done to what runs, with the consent of a manager.' });

export type Change = z.infer<typeof change>;

const setByService = { ...identifiers, ...computed };

const endsAfterItStarts = acrossFields<PlannedWindow>({
  of: ['planned_start', 'planned_end'],
  at: 'planned_end',
  error: 'must be after planned_start',
});

type PlannedWindow = { [Field in keyof typeof plannedWindow]?: string | null | undefined };

function isWindow({ planned_start, planned_end }: PlannedWindow): boolean {
  return !planned_start || !planned_end || Date.parse(planned_end) > Date.parse(planned_start);
}

export const changeCreation = withReadOnlyFields(
  z
    .strictObject({
      short_description,
      type: type.default('normal'),
      risk: risk.default('medium'),
      state: z
        .enum(['draft', 'submitted'])
        .default('submitted')
        .meta({ description: 'A draft waits for nobody until it is submitted.' }),
      ci_ids: ci_ids.default([]),
      ...z.object(optionalFields).partial().shape,
    })
    .refine(isWindow, endsAfterItStarts)
    .meta({ id: 'ChangeCreation', description: 'A new change.' }),
  setByService,
);

export type ChangeCreation = z.output<typeof changeCreation>;

export const changePatch = withReadOnlyFields(
  z
    .strictObject(
      z.object({ short_description, type, risk, state, ci_ids: ci_ids.nullable(), ...optionalFields }).partial().shape,
    )
    .refine(isWindow, endsAfterItStarts)
    .meta({ id: 'ChangePatch', description: 'The fields to change; null clears an optional one.' }),
  setByService,
);

export type ChangePatch = z.output<typeof changePatch>;

export const changeListQuery = listQuery({
  things: 'changes',
  filters: {
    state: listOf(changeStates, 'Only these states; several separated by commas.'),
    type: listOf(changeTypes, 'Only these types; several separated by commas.'),
    risk: listOf(changeRisks, 'Only these risks; several separated by commas.'),
    assignment_group: filter('Only changes of this group.'),
    assigned_to: filter('Only changes of this person.'),
    requested_by: filter('Only changes that this caller asked for.'),
    planned_after: moment('Only changes whose planned window ends after this moment.'),
    planned_before: moment('Only changes whose planned window starts before this moment.'),
  },
  sorts: ['created_at', 'updated_at', 'planned_start', 'risk'],
  searched: 'short_description, description, ci_ids',
  order: 'With `sort=risk`, `asc` is low first; with `sort=planned_start`, `asc` begins with those without a plan.',
});

export const changeExample: Change = {
  id: 'CHG4M8K2TX',
  number: 'CHG4M8K2TX',
  short_description: 'Renew the certificate of the mail gateway',
  type: 'normal',
  risk: 'low',
  state: 'submitted',
  ci_ids: ['CI0000042'],
  description: 'Install the new certificate, restart the gateway, check a delivery. Undo: restore the old file.',
  planned_start: '2026-03-07T20:00:00.000Z',
  planned_end: '2026-03-07T21:00:00.000Z',
  assignment_group: 'messaging',
  assigned_to: 'ada.lovelace@example.com',
  requested_by: 'agent@clients.incidents.example.com',
  decision_by: null,
  decision_at: null,
  decision_note: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'changes',
  path: '/changes',
  thing: 'change',
  things: 'changes',
  params: idParams(changeId),
  record: change,
  example: changeExample,
});

const { approve, reject } = decisionTexts('a change');

export const changeOperations = defineOperations({
  listChanges: operations.list(changeListQuery),
  createChange: operations.create(changeCreation, {
    description: 'The caller becomes `requested_by`. It is submitted for approval at once, unless `state` is `draft`.',
    bodyExample: {
      short_description: 'Renew the certificate of the mail gateway',
      risk: 'low',
      planned_start: '2026-03-07T20:00:00Z',
      planned_end: '2026-03-07T21:00:00Z',
      ci_ids: ['CI0000042'],
    },
  }),
  getChangeCalendar: {
    capability: 'changes',
    rateLimit: 'general',
    method: 'GET',
    path: '/changes/calendar',
    summary: 'Show planned changes and their collisions',
    description:
      'The changes whose planned windows touch the time asked for, in the order of their start, without rejected and ' +
      'cancelled ones; and each pair that is still to be carried out, overlaps in time and touches the same ' +
      'configuration item, or one that the other depends on.',
    access: 'viewer',
    query: changeCalendarQuery,
    responses: {
      200: { description: 'The calendar.', body: changeCalendar, example: changeCalendarExample },
    },
  },
  getChange: operations.get,
  updateChange: approvable(
    operations.update(changePatch, {
      description: updateText(approvedChangeFields),
      bodyExample: { planned_start: '2026-03-08T20:00:00Z', planned_end: '2026-03-08T21:00:00Z' },
    }),
  ),
  deleteChange: operations.delete,
  approveChange: operations.act('approve', decision, approve),
  rejectChange: operations.act('reject', decision, reject),
  listChangeHistory: operations.history,
});
