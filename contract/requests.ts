import * as z from 'zod';
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
import { recordSchemas } from './record-schemas.ts';
import { email, enumList, id, idParams, line, text, warnings } from './records.ts';
import { slaFields, slaFilter } from './sla.ts';
import { approvedRequestFields, requestStates } from './states.ts';
import { recordNotes } from './work-notes.ts';

export const requestId = id('request', 'ID of the service request.', 'REQ6T1N9WB');

const quantity = z.int().min(1).max(10_000).meta({ description: 'Quantity.' });

const schemas = recordSchemas({
  schema: 'ServiceRequest',
  thing: 'service request',
  description: 'Service request.',
  id: requestId,
  fields: {
    short_description: line(255, 'Summary of the request in one line.'),
    quantity,
    state: z.enum(requestStates).meta({ description: 'State of the request.' }),
  },
  defaults: {
    quantity: quantity.default(1),
    state: z.literal('submitted').default('submitted').meta({ description: 'Initial state, always `submitted`.' }),
  },
  optional: {
    description: text(32_000, 'Description and purpose in Markdown.').nullable(),
    item: line(100, 'Requested catalog item.').nullable(),
    requested_for: email('Person who receives the item.').nullable(),
  },
  computed: { ...approvalFields, ...slaFields },
});

export const { record: serviceRequest, creation: requestCreation, patch: requestPatch } = schemas;

export type ServiceRequest = z.output<typeof serviceRequest>;
export type RequestCreation = z.output<typeof requestCreation>;
export type RequestPatch = z.output<typeof requestPatch>;
/** Items that a deployment offers (`requestCatalog` in lib/environments.ts). Requests may name other items, too. */
export const requestCatalog = z
  .array(
    z
      .strictObject({
        name: line(100, 'Name of the item, the value of `item` in requests.'),
        description: line(200, 'Description of the item.'),
      })
      .meta({ id: 'CatalogItem', description: 'Item that can be requested.' }),
  )
  .max(20)
  .refine((items) => new Set(items.map(({ name }) => name)).size === items.length, 'must not contain duplicates');

export type CatalogItem = z.infer<typeof requestCatalog>[number];

export const requestSorts = ['created_at', 'updated_at', 'sla_breach_at'] as const;

export const requestListQuery = listQuery({
  things: 'requests',
  filters: {
    id: idList(requestId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'REQ6T1N9WB'),
    state: enumList(requestStates, 'Filter by state, comma-separated.'),
    item: filter('Filter by item.'),
    requested_for: filter('Filter by recipient.'),
    requested_by: filter('Filter by requester.'),
    sla: slaFilter,
    missing: missing(['item', 'requested_for']),
    not: not(['item', 'requested_for', 'requested_by']),
  },
  sorts: requestSorts,
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
  sla_breach_at: null,
  sla_breached_at: null,
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

const notes = recordNotes({
  capability: 'requests',
  path: '/requests',
  aThing: 'a service request',
  params: idParams(requestId),
});

const { approve, reject } = decisionTexts('a service request');

export const requestOperations = defineOperations({
  listRequests: operations.list(requestListQuery),
  createRequest: {
    ...operations.create(requestCreation, {
      addedHeaders: { 'X-Warnings': warnings },
      description:
        'Creates a service request and submits it for approval. Every role may do this. `requested_by` is set to the ' +
        'caller. `item` need not be in the catalog.',
      bodyExample: {
        short_description: 'A laptop for a new colleague',
        item: 'laptop',
        requested_for: 'grace.hopper@example.com',
      },
    }),
    access: 'viewer',
  },
  getRequestCatalog: {
    capability: 'requests',
    rateLimit: 'general',
    method: 'GET',
    path: '/requests/catalog',
    summary: 'Get the request catalog',
    description: 'Returns the items that this deployment offers, in the order of its configuration.',
    access: 'viewer',
    responses: {
      200: {
        description: 'The catalog.',
        body: z
          .strictObject({ items: requestCatalog })
          .meta({ id: 'RequestCatalog', description: 'Items that can be requested.' }),
        example: { items: [{ name: 'laptop', description: 'A laptop with dock and charger.' }] },
      },
    },
  },
  getRequest: operations.get,
  updateRequest: approvable(
    operations.update(requestPatch, {
      addedHeaders: { 'X-Warnings': warnings },
      description: updateText(approvedRequestFields),
      bodyExample: { state: 'fulfilled' },
    }),
  ),
  deleteRequest: operations.delete,
  approveRequest: operations.act('approve', decision, approve),
  rejectRequest: operations.act('reject', decision, reject),
  listRequestHistory: operations.history,
  listRequestNotes: notes.list,
  createRequestNote: {
    ...notes.create,
    description:
      'Adds a note. `author` is set to the caller. Viewers can add notes to requests that they created or that are for them.',
    access: 'viewer',
  },
});
