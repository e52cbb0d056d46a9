import { type ClientOptions, createClientFor } from '../../../client/client.ts';

// An API with every shape of operation, to test the client independently of the service's routes.
interface Ticket {
  id: string;
  title: string;
  state: 'open' | 'done';
}

export interface TicketApi {
  listTickets: {
    method: 'GET';
    query: { state?: string; limit?: number; cursor?: string | undefined; page?: number };
    output: { data: Ticket[]; next_cursor?: string };
  };
  listTicketEvents: {
    method: 'GET';
    query: { after?: number; limit?: number };
    output: { data: { sequence: number }[]; next_after: number; latest: number };
  };
  getTicket: {
    method: 'GET';
    params: { id: string };
    query: { include_deleted?: boolean };
    options: { ifNoneMatch?: string };
    output: Ticket;
    notModified: true;
  };
  createTicket: {
    method: 'POST';
    options: { idempotencyKey?: string };
    body: { title: string; state?: 'open' | 'done' };
    output: Ticket;
  };
  updateTicket: {
    method: 'PATCH';
    params: { id: string };
    query: { quiet?: boolean };
    options: { ifMatch?: string };
    body: { title?: string; state?: 'open' | 'done'; work_note?: string };
    output: Ticket;
  };
  deleteTicket: { method: 'DELETE'; params: { id: string }; options: { ifMatch?: string }; output: undefined };
  closeTicket: { method: 'POST'; params: { id: string }; output: Ticket };
}

const table = {
  listTickets: { method: 'GET', path: '/tickets', paging: 'cursor' },
  listTicketEvents: { method: 'GET', path: '/ticket-events', paging: 'sequence' },
  getTicket: { method: 'GET', path: '/tickets/{id}', headers: ['If-None-Match'] },
  createTicket: { method: 'POST', path: '/tickets', headers: ['Idempotency-Key'] },
  updateTicket: { method: 'PATCH', path: '/tickets/{id}', headers: ['If-Match'] },
  deleteTicket: { method: 'DELETE', path: '/tickets/{id}', headers: ['If-Match'] },
  closeTicket: { method: 'POST', path: '/tickets/{id}/close' },
} as const;

export const aTicket = { id: 'T1', title: 'Printer on fire', state: 'open' };

export function ticketClient(options: ClientOptions) {
  return createClientFor<TicketApi>(table, options);
}
