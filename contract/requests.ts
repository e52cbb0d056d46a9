import * as z from 'zod';
import { approvable, approvalFields, decision, decisionTexts, updateText } from './approvals.ts';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { email, idParams, line, listOf, text, timestamp, withReadOnlyFields } from './records.ts';

export const requestStates = ['submitted', 'approved', 'rejected', 'fulfilled', 'cancelled'] as const;

export type RequestState = (typeof requestStates)[number];

/** What a manager consents to. Once that is given, these stay as they are (docs/decisions/0024-what-was-approved.md). */
export const approvedRequestFields = ['item', 'quantity', 'requested_for'] as const;

export const requestId = z
  .string()
  .regex(/^REQ[0-9A-HJKMNP-TV-Z]{7}$/)
  .meta({ description: 'The id of the service request.', examples: ['REQ6T1N9WB'] });

/** Fields that may be unset: absent on create means `null`, and `null` in an update clears them. */
const optionalFields = {
  description: text(32_000, 'What is needed and what for; Markdown.').nullable(),
  item: line(100, 'What is asked for, as a catalogue would call it.').nullable(),
  requested_for: email('The person who is to have it.').nullable(),
};

const short_description = line(255, 'What is asked for, in one line.');

const quantity = z.int().min(1).max(10_000).meta({ description: 'How many of the item.' });

const state = z.enum(requestStates).meta({ description: 'How far it has come.' });

const identifiers = { id: requestId, number: requestId.meta({ description: 'The same as the id.' }) };

const computed = {
  ...approvalFields,
  deleted: z.boolean().meta({ description: 'True for a deleted request, which is shown on request only.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When a field of it last changed.'),
};

export const serviceRequest = z
  .strictObject({ ...identifiers, short_description, quantity, state, ...optionalFields, ...computed })
  .meta({ id: 'ServiceRequest', description: 'Something that a person asks for, with the consent of a manager.' });

export type ServiceRequest = z.infer<typeof serviceRequest>;

const setByService = { ...identifiers, ...computed };

export const requestCreation = withReadOnlyFields(
  z
    .strictObject({
      short_description,
      quantity: quantity.default(1),
      state: z.literal('submitted').default('submitted').meta({ description: 'Every request starts as submitted.' }),
      ...z.object(optionalFields).partial().shape,
    })
    .meta({ id: 'ServiceRequestCreation', description: 'A new service request.' }),
  setByService,
);

export type RequestCreation = z.output<typeof requestCreation>;

export const requestPatch = withReadOnlyFields(
  z
    .strictObject(z.object({ short_description, quantity, state, ...optionalFields }).partial().shape)
    .meta({ id: 'ServiceRequestPatch', description: 'The fields to change; null clears an optional one.' }),
  setByService,
);

export type RequestPatch = z.output<typeof requestPatch>;

export const requestListQuery = listQuery({
  things: 'requests',
  filters: {
    state: listOf(requestStates, 'Only these states; several separated by commas.'),
    item: filter('Only requests for this item.'),
    requested_for: filter('Only requests for this person.'),
    requested_by: filter('Only requests of this caller.'),
  },
  sorts: ['created_at', 'updated_at'],
  searched: 'short_description, description, item',
});

export const requestExample: ServiceRequest = {
  id: 'REQ6T1N9WB',
  number: 'REQ6T1N9WB',
  short_description: 'A laptop for a new colleague',
  quantity: 1,
  state: 'submitted',
  description: 'Starts on the first of April in Lisbon.',
  item: 'laptop',
  requested_for: 'grace.hopper@example.com',
  requested_by: 'agent@clients.incidents.example.com',
  decision_by: null,
  decision_at: null,
  decision_note: null,
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'requests',
  path: '/requests',
  thing: 'service request',
  things: 'service requests',
  params: idParams(requestId),
  record: serviceRequest,
  example: requestExample,
});

const { approve, reject } = decisionTexts('a service request');

export const requestOperations = defineOperations({
  listRequests: operations.list(requestListQuery),
  createRequest: operations.create(requestCreation, {
    description: 'The caller becomes `requested_by`. It is submitted for approval at once.',
    bodyExample: {
      short_description: 'A laptop for a new colleague',
      item: 'laptop',
      requested_for: 'grace.hopper@example.com',
    },
  }),
  getRequest: operations.get,
  updateRequest: approvable(
    operations.update(requestPatch, {
      description: updateText(approvedRequestFields),
      bodyExample: { state: 'fulfilled' },
    }),
  ),
  deleteRequest: operations.delete,
  approveRequest: operations.act('approve', decision, approve),
  rejectRequest: operations.act('reject', decision, reject),
  listRequestHistory: operations.history,
});
