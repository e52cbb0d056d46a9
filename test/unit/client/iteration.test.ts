import { problemBody, ScriptedServer } from './scripted-server.ts';
import { ticketClient } from './tickets.ts';

describe('client iteration', () => {
  const server = new ScriptedServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  beforeEach(() => {
    server.apiRequests.length = 0;
  });

  const client = () =>
    ticketClient({ baseUrl: server.url, credentials: { token: () => 'abc' }, retry: { retries: 0 } });
  const ticket = (id: string) => ({ id, title: id, state: 'open' });

  const pages: Record<string, unknown> = {
    first: { data: [ticket('T1'), ticket('T2')], next_cursor: 'second' },
    second: { data: [], next_cursor: 'third' },
    third: { data: [ticket('T3')] },
  };
  const servePages = () => {
    server.respond = ({ url }) => ({
      body: pages[new URL(url, server.url).searchParams.get('cursor') ?? 'first'],
    });
  };

  it('follows all pages with the same filters, including empty pages', async () => {
    servePages();
    const ids: string[] = [];
    for await (const { id } of client().listTickets.all({ state: 'open', limit: 2 })) ids.push(id);
    expect(ids).toEqual(['T1', 'T2', 'T3']);
    expect(server.apiRequests.map(({ url }) => url)).toEqual([
      '/prod/api/v1/tickets?state=open&limit=2',
      '/prod/api/v1/tickets?state=open&limit=2&cursor=second',
      '/prod/api/v1/tickets?state=open&limit=2&cursor=third',
    ]);
  });

  it('follows a feed to its end, including pages that a filter leaves empty', async () => {
    server.respond = ({ url }) => {
      const after = Number(new URL(url, server.url).searchParams.get('after') ?? 0);
      const data = after === 2 ? [] : [{ sequence: after + 1 }, { sequence: after + 2 }];
      return { body: { data, next_after: after + 2, latest: 6 } };
    };
    const sequences: number[] = [];
    for await (const { sequence } of client().listTicketEvents.all({ limit: 2 })) sequences.push(sequence);
    expect(sequences).toEqual([1, 2, 5, 6]);
    expect(server.apiRequests).toHaveLength(3);
  });

  it('requests no further page when the caller stops', async () => {
    servePages();
    for await (const { id } of client().listTickets.all()) if (id === 'T2') break;
    expect(server.apiRequests).toHaveLength(1);
  });

  it('fails on a repeated cursor instead of looping forever', async () => {
    server.respond = () => ({ body: { data: [ticket('T1')], next_cursor: 'again' } });
    const walk = async () => {
      for await (const _ of client().listTickets.all());
    };
    await expect(walk()).rejects.toThrow('returned the cursor again twice');
    expect(server.apiRequests).toHaveLength(2);
  });

  it('reports a failing page after the previous ones', async () => {
    server.respond = (_, nth) => (nth === 1 ? { body: pages.first } : problemBody(503, 'unavailable'));
    const ids: string[] = [];
    const walk = async () => {
      for await (const { id } of client().listTickets.all()) ids.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ status: 503 });
    expect(ids).toEqual(['T1', 'T2']);
  });

  it('rejects a response that is not a list', async () => {
    server.respond = () => ({ body: { id: 'T1' } });
    const next = client().listTickets.all().next();
    await expect(next).rejects.toThrow('GET /tickets does not return a list');
  });
});
