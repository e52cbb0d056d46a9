import { z } from 'zod';
import { type ClientOptions, clientOf } from '../../../client/client.ts';
import { defineOperations } from '../../../contract/operation.ts';

// A contract with every shape of operation, so that the client's rules are tested apart from the service's own routes.
const ticket = z.strictObject({ id: z.string(), title: z.string(), state: z.enum(['open', 'done']) });
const shared = { capability: 'tickets', summary: '', description: '', access: 'viewer', rateLimit: 'general' } as const;
const params = z.strictObject({ id: z.string() });

export const ticketOperations = defineOperations({
  listTickets: {
    ...shared,
    method: 'GET',
    path: '/tickets',
    query: z.strictObject({
      state: z.string().optional(),
      limit: z.coerce.number().int().optional(),
      cursor: z.string().optional(),
      page: z.coerce.number().int().optional(),
    }),
    responses: {
      200: { description: '', body: z.strictObject({ data: z.array(ticket), next_cursor: z.string().optional() }) },
    },
  },
  getTicket: {
    ...shared,
    method: 'GET',
    path: '/tickets/{id}',
    params,
    query: z.strictObject({ include_deleted: z.stringbool().optional() }),
    headers: z.object({ 'If-None-Match': z.string().optional() }),
    responses: { 200: { description: '', body: ticket }, 304: { description: '' } },
  },
  createTicket: {
    ...shared,
    method: 'POST',
    path: '/tickets',
    headers: z.object({ 'Idempotency-Key': z.string().optional() }),
    body: z.strictObject({ title: z.string(), state: z.enum(['open', 'done']).optional() }),
    responses: { 201: { description: '', body: ticket } },
  },
  updateTicket: {
    ...shared,
    method: 'PATCH',
    path: '/tickets/{id}',
    params,
    query: z.strictObject({ quiet: z.stringbool().optional() }),
    headers: z.object({ 'If-Match': z.string().optional() }),
    body: z.strictObject({ title: z.string().optional(), state: z.enum(['open', 'done']).optional() }),
    responses: { 200: { description: '', body: ticket } },
  },
  deleteTicket: {
    ...shared,
    method: 'DELETE',
    path: '/tickets/{id}',
    params,
    headers: z.object({ 'If-Match': z.string().optional() }),
    responses: { 204: { description: '' } },
  },
  closeTicket: {
    ...shared,
    method: 'POST',
    path: '/tickets/{id}/close',
    params,
    responses: { 200: { description: '', body: ticket } },
  },
});

const table = {
  listTickets: { method: 'GET', path: '/tickets' },
  getTicket: { method: 'GET', path: '/tickets/{id}', headers: ['If-None-Match'] },
  createTicket: { method: 'POST', path: '/tickets', headers: ['Idempotency-Key'] },
  updateTicket: { method: 'PATCH', path: '/tickets/{id}', headers: ['If-Match'] },
  deleteTicket: { method: 'DELETE', path: '/tickets/{id}', headers: ['If-Match'] },
  closeTicket: { method: 'POST', path: '/tickets/{id}/close' },
} as const;

export const aTicket = { id: 'T1', title: 'Printer on fire', state: 'open' };

export function ticketClient(options: ClientOptions) {
  return clientOf<typeof ticketOperations>(table, options);
}
