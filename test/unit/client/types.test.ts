import type { OperationTable } from '../../../client/call-types.ts';
import type { Client, ServiceClient } from '../../../client/client.ts';
import type { TicketApi } from './tickets.ts';

// Compiled, not run: each wrong call must be an error of the compiler, and `tsc` reports those that are not.
function wellTypedCalls(client: Client<TicketApi>) {
  return [
    async () => (await client.getTicket({ id: 'T1' })).title.length,
    async () => client.getTicket({ id: 'T1', include_deleted: true }, { ifNoneMatch: '"1"', timeoutMs: 5 }),
    async () => client.listTickets(),
    async () => client.listTickets({ limit: 5 }),
    async () => client.closeTicket({ id: 'T1' }, {}, { retries: 0 }),
    async () => {
      const response = await client.getTicket.withResponse({ id: 'T1' });
      return response.notModified ? response.data : response.data.state;
    },
    async () => {
      const gone: undefined = await client.deleteTicket({ id: 'T1' }, { ifMatch: '"1"' });
      return gone;
    },
    // @ts-expect-error the path parameter is missing
    async () => client.getTicket(),
    // @ts-expect-error the path parameter has another name
    async () => client.getTicket({ ticket: 'T1' }),
    // @ts-expect-error the query parameter does not exist
    async () => client.listTickets({ colour: 'red' }),
    // @ts-expect-error the body lacks its title
    async () => client.createTicket({}),
    // @ts-expect-error the state does not exist
    async () => client.updateTicket({ id: 'T1' }, { state: 'lost' }),
    // @ts-expect-error the operation takes no idempotency key
    async () => client.closeTicket({ id: 'T1' }, {}, { idempotencyKey: 'x' }),
    // @ts-expect-error a single record cannot be iterated
    async () => client.getTicket.all({ id: 'T1' }),
    // @ts-expect-error iteration finds the cursors itself
    async () => client.listTickets.all({ cursor: 'x' }),
    // @ts-expect-error the operation does not exist
    async () => client.eatTicket(),
  ];
}

function serviceCalls(client: ServiceClient) {
  return [async () => (await client.getHealth()).service_instance, async () => (await client.getMe()).roles[0]];
}

interface ListsWithoutPaging {
  listThings: { method: 'GET'; output: { data: string[] } };
}

// @ts-expect-error a list without a known paging scheme does not compile
const tableWithoutPaging: OperationTable<ListsWithoutPaging> = { listThings: { method: 'GET', path: '/things' } };

describe('client types', () => {
  it('are derived from the contract', () => {
    expect(wellTypedCalls).toBeInstanceOf(Function);
    expect(tableWithoutPaging).toBeDefined();
    expect(serviceCalls).toBeInstanceOf(Function);
  });
});
