import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let manager: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  const apis = [apiOf(service, 'agent'), apiOf(service, 'manager'), apiOf(service, 'viewer')] as const;
  [agent, manager, viewer] = await Promise.all(apis);
});
afterAll(() => service.stop());

async function anIncidentWith(notes: readonly [Api, string, string][]): Promise<string> {
  const { body } = await anIncident(agent);
  for (const [api, text, visibility] of notes) {
    expect((await api.post(`/incidents/${body.id}/notes`, { body: text, visibility })).status).toBe(201);
  }
  return `/incidents/${body.id}/notes`;
}

const bodies = (answer: { body: { data: { body: string }[] } }) => answer.body.data.map(({ body }) => body);

describe('listWorkNotes', () => {
  it('lists notes oldest first, as they were answered when they were written', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    const written = [];
    for (const text of ['a', 'b', 'c']) written.push((await agent.post(path, { body: text })).body);
    const answer = await viewer.get(path);
    expect(answer).toMatchObject({ status: 200, body: { data: written, total: 3 } });
    expect(answer.body).not.toHaveProperty('next_cursor');
  });

  it('is empty for an incident without notes', async () => {
    expect((await viewer.get(await anIncidentWith([]))).body).toEqual({ data: [], total: 0 });
  });

  it('shows private notes to their author and to managers only, and counts accordingly', async () => {
    const path = await anIncidentWith([
      [agent, 'team', 'team'],
      [agent, 'private of the agent', 'private'],
      [manager, 'private of the manager', 'private'],
      [manager, 'public', 'public'],
    ]);
    const all = ['team', 'private of the agent', 'private of the manager', 'public'];
    const seen = async (api: Api) => {
      const answer = await api.get(path);
      return [bodies(answer), answer.body.total];
    };
    expect(await seen(manager)).toEqual([all, 4]);
    expect(await seen(await apiOf(service, 'admin'))).toEqual([all, 4]);
    expect(await seen(agent)).toEqual([['team', 'private of the agent', 'public'], 3]);
    expect(await seen(viewer)).toEqual([['team', 'public'], 2]);
  });

  it('comes in pages that skip what the caller may not see', async () => {
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
    expect([bodies(first), first.body.total]).toEqual([['a', 'b'], 4]);
    const second = await agent.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([bodies(second), second.body.total]).toEqual([['c', 'd'], 4]);
    expect(second.body).not.toHaveProperty('next_cursor');
  });

  it('neither skips nor repeats when notes are added between two pages', async () => {
    const path = await anIncidentWith([
      [agent, 'a', 'team'],
      [agent, 'b', 'team'],
      [agent, 'c', 'team'],
    ]);
    const first = await viewer.get(`${path}?limit=2`);
    await agent.post(path, { body: 'd' });
    const second = await viewer.get(`${path}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...bodies(first), ...bodies(second)]).toEqual(['a', 'b', 'c', 'd']);
    expect(second.body.total).toBe(4);
  });

  it('holds 25 notes unless it is asked for more', async () => {
    const { body } = await anIncident(agent);
    const path = `/incidents/${body.id}/notes`;
    await Promise.all(Array.from({ length: 27 }, (_, index) => agent.post(path, { body: `${index}` })));
    expect((await viewer.get(path)).body.data).toHaveLength(25);
    expect((await viewer.get(`${path}?limit=200`)).body.data).toHaveLength(27);
  });

  it('refuses the cursor of another incident, and one that was altered', async () => {
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

  it.each(['limit=0', 'limit=201', 'limit=abc', 'sort=created_at'])('refuses %s', async (query) => {
    expectProblem(await viewer.get(`${await anIncidentWith([])}?${query}`), 400, 'invalid_input');
  });

  it('does not find an incident that does not exist', async () => {
    expectProblem(await viewer.get('/incidents/INC0000000/notes'), 404, 'not_found');
  });
});
