import * as z from 'zod';
import {
  changeCalendar,
  changeCalendarExample,
  changeCalendarQuery,
  changeFields,
  changeId,
  itemList,
  plannedWindow,
} from './change-calendar.ts';
import { changeCollisions, changeCollisionsExample, changeCollisionsQuery } from './change-collisions.ts';
import { filter, idList, listQuery, missing, not } from './list-query.ts';
import { defineOperations } from './operation.ts';
import {
  approvable,
  approvalFields,
  decision,
  decisionTexts,
  recordOperations,
  updateText,
} from './record-operations.ts';
import {
  acrossFields,
  ciReference,
  defaultToNull,
  email,
  enumList,
  idParams,
  lifecycleFields,
  line,
  patchFields,
  storedCiReference,
  text,
  timeBound,
  warnings,
  withReadOnlyFields,
} from './records.ts';
import { slaFields, slaFilter } from './sla.ts';
import { approvedChangeFields, changeRisks, changeStates, changeTypes } from './states.ts';
import { recordNotes } from './work-notes.ts';

/** A history entry holds the old and the new texts, and an item of the table has at most 400 KB. */
const maxPlanCharacters = 4_000;

/** Default to null on create; null clears them in an update. */
const optionalFields = {
  description: text(32_000, 'Description and reason in Markdown.').nullable(),
  implementation_plan: text(maxPlanCharacters, 'Steps of the implementation in Markdown.').nullable(),
  backout_plan: text(maxPlanCharacters, 'Steps that undo the change, in Markdown.').nullable(),
  test_plan: text(maxPlanCharacters, 'Checks after the implementation in Markdown.').nullable(),
  planned_start: plannedWindow.planned_start,
  planned_end: plannedWindow.planned_end,
  assignment_group: line(100, 'Group that implements the change.').nullable(),
  assigned_to: email('Person who implements the change.').nullable(),
};

const { short_description, type, risk, state, ci_ids } = changeFields;
/** Stored references may be older than the rule that items have seven digits. */
const requestedItems = itemList(ciReference);

const suppressPages = z
  .boolean()
  .meta({ description: 'Whether alerts of the affected items page nobody while the change is in `implementing`.' });

const identifiers = { id: changeId, number: changeId.meta({ description: 'Same as `id`.' }) };

const computed = {
  ...approvalFields,
  ...slaFields,
  ...lifecycleFields('change'),
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
    suppress_pages: suppressPages,
    ...computed,
  })
  .meta({ id: 'Change', description: 'Change request.' });

export type Change = z.infer<typeof change>;

const setByService = { ...identifiers, ...computed };

const endsAfterItStarts = acrossFields<PlannedWindow>({
  of: ['planned_start', 'planned_end'],
  at: 'planned_end',
  error: 'must be after the planned start',
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
        .meta({ description: 'Initial state. A draft needs no approval until it is submitted.' }),
      ci_ids: requestedItems.default([]),
      suppress_pages: suppressPages.default(true),
      ...defaultToNull(optionalFields),
    })
    .refine(isWindow, endsAfterItStarts)
    .meta({ id: 'ChangeCreation', description: 'New change.' }),
  setByService,
);

export type ChangeCreation = z.output<typeof changeCreation>;

export const changePatch = withReadOnlyFields(
  z
    .strictObject(
      patchFields({
        short_description,
        type,
        risk,
        state,
        ci_ids: requestedItems.nullable(),
        suppress_pages: suppressPages,
        ...optionalFields,
      }),
    )
    .refine(isWindow, endsAfterItStarts)
    .meta({ id: 'ChangePatch', description: 'Fields to update. null or an empty text clears an optional field.' }),
  setByService,
);

export type ChangePatch = z.output<typeof changePatch>;

export const changeSorts = ['created_at', 'updated_at', 'planned_start', 'risk', 'sla_breach_at'] as const;

export const changeListQuery = listQuery({
  things: 'changes',
  filters: {
    id: idList(changeId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'CHG4M8K2TX'),
    state: enumList(changeStates, 'Filter by state, comma-separated.'),
    type: enumList(changeTypes, 'Filter by type, comma-separated.'),
    risk: enumList(changeRisks, 'Filter by risk, comma-separated.'),
    assignment_group: filter('Filter by assignment group.'),
    assigned_to: filter('Filter by assignee.'),
    requested_by: filter('Filter by requester.'),
    ci_ids: idList(
      storedCiReference,
      'Return only changes of any of these configuration items, comma-separated.',
      'CI0000042',
    ),
    sla: slaFilter,
    missing: missing(['assignment_group', 'assigned_to']),
    not: not(['assignment_group', 'assigned_to', 'requested_by', 'ci_ids']),
    planned_after: timeBound('Return only changes whose planned window ends after this time.'),
    planned_before: timeBound('Return only changes whose planned window starts before this time.'),
  },
  sorts: changeSorts,
  searched: 'short_description, description, ci_ids',
  order:
    'Sort order. `sort=risk&order=asc` lists low risk first; `sort=planned_start&order=asc` lists unplanned changes first.',
});

export const changeExample: Change = {
  id: 'CHG4M8K2TX',
  number: 'CHG4M8K2TX',
  short_description: 'Renew the certificate of the mail gateway',
  type: 'normal',
  risk: 'low',
  state: 'submitted',
  ci_ids: ['CI0000042'],
  suppress_pages: true,
  description: 'The certificate expires on 1 April.',
  implementation_plan: 'Install the new certificate, then restart the gateway.',
  backout_plan: 'Restore the old file and restart the gateway.',
  test_plan: 'Send a message to an external address and check its delivery.',
  planned_start: '2026-03-07T20:00:00.000Z',
  planned_end: '2026-03-07T21:00:00.000Z',
  assignment_group: 'messaging',
  assigned_to: 'ada.lovelace@example.com',
  requested_by: 'agent@clients.incidents.example.com',
  decision_by: null,
  decision_at: null,
  decision_note: null,
  sla_breach_at: null,
  sla_breached_at: null,
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

const notes = recordNotes({
  capability: 'changes',
  path: '/changes',
  aThing: 'a change',
  params: idParams(changeId),
});

const { approve, reject } = decisionTexts('a change');

export const changeOperations = defineOperations({
  listChanges: operations.list(changeListQuery),
  createChange: operations.create(changeCreation, {
    addedHeaders: { 'X-Warnings': warnings },
    description:
      'Creates a change and submits it for approval unless `state` is `draft`. `requested_by` is set to the caller.',
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
    summary: 'Get the change calendar',
    description:
      'Returns the changes whose planned window overlaps the time range, ordered by planned start, except rejected and ' +
      'cancelled ones. Also returns collisions: pairs of pending changes that overlap in time and affect the same ' +
      'configuration item or a dependency of it.',
    access: 'viewer',
    query: changeCalendarQuery,
    responses: {
      200: { description: 'The calendar.', body: changeCalendar, example: changeCalendarExample },
    },
  },
  getChangeCollisions: {
    capability: 'changes',
    rateLimit: 'general',
    method: 'GET',
    path: '/changes/collisions',
    summary: 'List the collisions of a planned window',
    description:
      'Lists the pending changes that overlap a time window and affect the same configuration items or dependencies of ' +
      'them, ordered by planned start. The window need not belong to a stored change, so that a form can check it.',
    access: 'viewer',
    query: changeCollisionsQuery,
    responses: {
      200: { description: 'The collisions.', body: changeCollisions, example: changeCollisionsExample },
    },
  },
  getChange: operations.get,
  updateChange: approvable(
    operations.update(changePatch, {
      addedHeaders: { 'X-Warnings': warnings },
      description: updateText(approvedChangeFields),
      bodyExample: { planned_start: '2026-03-08T20:00:00Z', planned_end: '2026-03-08T21:00:00Z' },
    }),
  ),
  deleteChange: operations.delete,
  approveChange: operations.act('approve', decision, approve),
  rejectChange: operations.act('reject', decision, reject),
  listChangeHistory: operations.history,
  listChangeNotes: notes.list,
  createChangeNote: notes.create,
});
