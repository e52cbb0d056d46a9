import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, getApi, startTestService } from '../support/incidents.ts';

const { service, agent, viewer, manager } = await startTestService('agent', 'viewer', 'manager');

let path: string;
let id: string;
beforeAll(async () => {
  id = (await anIncident(agent)).body.id;
  path = `/incidents/${id}/notes`;
});

const file = {
  filename: 'relay.log',
  content_type: 'text/plain',
  size_bytes: 20_480,
  url: 'https://files.example.com/relay.log',
};

describe('createWorkNote', () => {
  it('returns 201 with the note', async () => {
    const response = await agent.post(path, {
      body: 'The relay *refuses* us.',
      visibility: 'public',
      attachments: [file],
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^note_[0-9A-HJKMNP-TV-Z]{26}$/),
      incident_id: id,
      body: 'The relay *refuses* us.',
      visibility: 'public',
      author: 'agent@clients.incidents.localhost',
      created_at: expect.stringMatching(/Z$/),
      attachments: [file],
    });
  });

  it('requires only a body; the visibility defaults to team', async () => {
    const { body } = await agent.post(path, { body: 'x' });
    expect(body).toMatchObject({ visibility: 'team', attachments: [] });
  });

  it('counts fifty concurrent notes', async () => {
    const { body: incident } = await anIncident(agent);
    await service.advance('2s');
    const add = (index: number) => agent.post(`/incidents/${incident.id}/notes`, { body: `note ${index}` });
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
    expect((await agent.get(`/incidents/${incident.id}`)).body.work_notes_count).toBe(50);
    const { body: notes } = await agent.get(`/incidents/${incident.id}/notes?limit=200`);
    expect([notes.total, notes.data.length]).toEqual([50, 50]);
  });

  it.each<[string, unknown, string]>([
    ['no body', {}, 'body'],
    ['an empty body', { body: ' ' }, 'body'],
    ['a body that is too long', { body: 'x'.repeat(32_001) }, 'body'],
    ['an unknown visibility', { body: 'x', visibility: 'secret' }, 'visibility'],
    ['null attachments', { body: 'x', attachments: null }, 'attachments'],
    ['21 attachments', { body: 'x', attachments: Array.from({ length: 21 }, () => file) }, 'attachments'],
    ['an attachment without https', withFields({ url: 'http://files.example.com/x' }), 'attachments[0].url'],
    ['an attachment with a script', withFields({ url: 'javascript:alert(1)' }), 'attachments[0].url'],
    ['an attachment without a name', withFields({ filename: '' }), 'attachments[0].filename'],
    ['an attachment of a negative size', withFields({ size_bytes: -1 }), 'attachments[0].size_bytes'],
    ['an attachment of no media type', withFields({ content_type: 'text' }), 'attachments[0].content_type'],
    ['an attachment with unknown fields', withFields({ data: 'x' }), 'attachments[0].data'],
    ['unknown fields', { body: 'x', title: 'y' }, 'title'],
    ['the author', { body: 'x', author: 'somebody@example.com' }, 'author'],
  ])('rejects %s', async (_name, body, field) => {
    expectProblem(await agent.post(path, body), 400, 'invalid_input', [field]);
  });

  it('returns the first response for the same idempotency key, and counts the note once', async () => {
    const { body: incident } = await anIncident(agent);
    const key = { 'idempotency-key': 'note-1' };
    const add = (body: string) => agent.post(`/incidents/${incident.id}/notes`, { body }, key);
    const first = await add('once');
    const again = await add('once');
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expectProblem(await add('twice'), 422, 'idempotency_key_reused');
    expectProblem(await agent.post(path, { body: 'once' }, key), 422, 'idempotency_key_reused');
    expect((await agent.get(`/incidents/${incident.id}`)).body.work_notes_count).toBe(1);
  });

  it('returns 404 for an unknown incident', async () => {
    expectProblem(await agent.post('/incidents/INC0000000/notes', { body: 'x' }), 404, 'not_found');
  });

  it('requires an agent', async () => {
    expectProblem(await (await getApi(service, 'viewer')).post(path, { body: 'x' }), 403, 'forbidden');
  });

  it('takes one transaction, besides the rate limit', async () => {
    await service.advance('2s');
    const calls = await countCalls(service, 'create-work-note', () => agent.post(path, { body: 'x' }));
    expect(calls).toEqual({ 'dynamodb.TransactWriteItems': 1 });
  });
});

function withFields(more: object) {
  return { body: 'x', attachments: [{ ...file, ...more }] };
}

async function anIncidentWith(notes: readonly [Api, string, string][]): Promise<string> {
  const { body } = await anIncident(agent);
  for (const [api, text, visibility] of notes) {
    expect((await api.post(`/incidents/${body.id}/notes`, { body: text, visibility })).status).toBe(201);
  }
  return `/incidents/${body.id}/notes`;
}

const listBodies = (response: { body: { data: { body: string }[] } }) => response.body.data.map(({ body }) => body);

describe('listWorkNotes', () => {
  it('lists notes oldest first', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    const written = [];
    for (const text of ['a', 'b', 'c']) written.push((await agent.post(path, { body: text })).body);
    const response = await viewer.get(path);
    expect(response).toMatchObject({ status: 200, body: { data: written, total: 3 } });
    expect(response.body).not.toHaveProperty('next_cursor');
  });

  it('returns an empty list for an incident without notes', async () => {
    expect((await viewer.get(await anIncidentWith([]))).body).toEqual({ data: [], total: 0, total_is_exact: true });
  });

  it('lists and counts private notes only for their author and managers', async () => {
    const path = await anIncidentWith([
      [agent, 'team', 'team'],
      [agent, 'private of the agent', 'private'],
      [manager, 'private of the manager', 'private'],
      [manager, 'public', 'public'],
    ]);
    const all = ['team', 'private of the agent', 'private of the manager', 'public'];
    const listSeen = async (api: Api) => {
      const response = await api.get(path);
      return [listBodies(response), response.body.total];
    };
    expect(await listSeen(manager)).toEqual([all, 4]);
    expect(await listSeen(await getApi(service, 'admin'))).toEqual([all, 4]);
    expect(await listSeen(agent)).toEqual([['team', 'private of the agent', 'public'], 3]);
    expect(await listSeen(viewer)).toEqual([['team', 'public'], 2]);
  });

  it('pages over the notes that the caller may see', async () => {
    const path = await anIncidentWith([
      [manager, 'hidden 1', 'private'],
      [agent, 'a', 'team'],
      [manager, 'hidden 2', 'private'],
      [manager, 'hidden 3', 'private'],
      [agent, 'b', 'team'],
      [agent, 'c', 'private'],
      [agent, 'd', 'public'],
      [manager, 'hidden 4', 'private'],
    ]);
    const first = await agent.get(`${path}?limit=2`);
    expect([listBodies(first), first.body.total]).toEqual([['a', 'b'], 4]);
    const second = await agent.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([listBodies(second), second.body.total]).toEqual([['c', 'd'], 4]);
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  it('lists every note once while notes are added between two pages', async () => {
    const path = await anIncidentWith([
      [agent, 'a', 'team'],
      [agent, 'b', 'team'],
      [agent, 'c', 'team'],
    ]);
    const first = await viewer.get(`${path}?limit=2`);
    await agent.post(path, { body: 'd' });
    const second = await viewer.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...listBodies(first), ...listBodies(second)]).toEqual(['a', 'b', 'c', 'd']);
    expect(second.body.total).toBe(4);
  });

  it('returns 25 notes by default', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    await Promise.all(Array.from({ length: 27 }, (_, index) => agent.post(path, { body: `${index}` })));
    expect((await viewer.get(path)).body.data).toHaveLength(25);
    expect((await viewer.get(`${path}?limit=200`)).body.data).toHaveLength(27);
  });

  it('rejects a modified cursor and a cursor of another incident', async () => {
    const [path, other] = [
      await anIncidentWith([
        [agent, 'a', 'team'],
        [agent, 'b', 'team'],
      ]),
      await anIncidentWith([]),
    ];
    const { next_cursor } = (await viewer.get(`${path}?limit=1`)).body;
    expectProblem(await viewer.get(`${other}?limit=1&cursor=${next_cursor}`), 400, 'invalid_input');
    const altered = Buffer.from(next_cursor, 'base64url');
    altered[altered.length - 1]! ^= 1;
    expectProblem(await viewer.get(`${path}?cursor=${altered.toString('base64url')}`), 400, 'invalid_input');
  });

  it.each(['limit=0', 'limit=201', 'limit=abc', 'sort=created_at'])('rejects %s', async (query) => {
    expectProblem(await viewer.get(`${await anIncidentWith([])}?${query}`), 400, 'invalid_input');
  });

  it('returns 404 for an unknown incident', async () => {
    expectProblem(await viewer.get('/incidents/INC0000000/notes'), 404, 'not_found');
  });
});
