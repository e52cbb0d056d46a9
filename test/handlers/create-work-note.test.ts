import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, apiOf, countedCalls } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let path: string;
let id: string;
beforeAll(async () => {
  service = await startService();
  agent = await apiOf(service, 'agent');
  id = (await anIncident(agent)).body.id;
  path = `/incidents/${id}/notes`;
});
afterAll(() => service.stop());

const file = {
  filename: 'relay.log',
  content_type: 'text/plain',
  size_bytes: 20_480,
  url: 'https://files.example.com/relay.log',
};

describe('createWorkNote', () => {
  it('answers 201 with the note', async () => {
    const answer = await agent.post(path, {
      body: 'The relay *refuses* us.',
      visibility: 'public',
      attachments: [file],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^note_[0-9A-HJKMNP-TV-Z]{26}$/),
      incident_id: id,
      body: 'The relay *refuses* us.',
      visibility: 'public',
      author: 'agent@clients.incidents.localhost',
      created_at: expect.stringMatching(/Z$/),
      attachments: [file],
    });
  });

  it('needs a body only; the visibility is team', async () => {
    const { body } = await agent.post(path, { body: 'x' });
    expect(body).toMatchObject({ visibility: 'team', attachments: [] });
  });

  it('counts every one of fifty notes at once', async () => {
    const { body: incident } = await anIncident(agent);
    await service.advance('2s');
    const add = (index: number) => agent.post(`/incidents/${incident.id}/notes`, { body: `note ${index}` });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => add(index)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 201));
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
    ['an attachment without https', with_({ url: 'http://files.example.com/x' }), 'attachments[0].url'],
    ['an attachment with a script', with_({ url: 'javascript:alert(1)' }), 'attachments[0].url'],
    ['an attachment without a name', with_({ filename: '' }), 'attachments[0].filename'],
    ['an attachment of a negative size', with_({ size_bytes: -1 }), 'attachments[0].size_bytes'],
    ['an attachment of no media type', with_({ content_type: 'text' }), 'attachments[0].content_type'],
    ['an attachment with unknown fields', with_({ data: 'x' }), 'attachments[0].data'],
    ['unknown fields', { body: 'x', title: 'y' }, 'title'],
    ['the author', { body: 'x', author: 'somebody@example.com' }, 'author'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await agent.post(path, body);
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors.map((problem: { field: string }) => problem.field)).toEqual([field]);
  });

  it('answers a repeat with the first answer, and counts it once', async () => {
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

  it('does not find an incident that does not exist', async () => {
    expectProblem(await agent.post('/incidents/INC0000000/notes', { body: 'x' }), 404, 'not_found');
  });

  it('is for agents and above', async () => {
    expectProblem(await (await apiOf(service, 'viewer')).post(path, { body: 'x' }), 403, 'forbidden');
  });

  it('is one transaction beside the count of the request', async () => {
    await service.advance('2s');
    const calls = await countedCalls(service, 'create-work-note', () => agent.post(path, { body: 'x' }));
    expect(calls).toEqual({ 'dynamodb.TransactWriteItems': 1 });
  });
});

function with_(more: object) {
  return { body: 'x', attachments: [{ ...file, ...more }] };
}
