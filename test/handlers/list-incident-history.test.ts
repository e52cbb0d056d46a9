import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
beforeAll(async () => {
  service = await startService();
  agent = await apiOf(service, 'agent');
});
afterAll(() => service.stop());

describe('listIncidentHistory', () => {
  it('tells every change, oldest first, with who made it and what it was', async () => {
    const { body } = await anIncident(agent, { category: 'email' });
    const manager = await apiOf(service, 'manager');
    const changed = await manager.patch(`/incidents/${body.id}`, { category: null, state: 'in_progress' });
    const answer = await (await apiOf(service, 'viewer')).get(`/incidents/${body.id}/history`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: [
        {
          version: 1,
          at: body.created_at,
          actor: 'agent@clients.incidents.localhost',
          origin: { kind: 'api', id: null },
          changes: expect.objectContaining({
            short_description: { from: null, to: body.short_description },
            category: { from: null, to: 'email' },
            state: { from: null, to: 'new' },
          }),
        },
        {
          version: 2,
          at: changed.body.updated_at,
          actor: 'manager@clients.incidents.localhost',
          origin: { kind: 'api', id: null },
          changes: { category: { from: 'email', to: null }, state: { from: 'new', to: 'in_progress' } },
        },
      ],
      total: 2,
    });
  });

  it('comes in pages that hold every change once', async () => {
    const { body } = await anIncident(agent);
    for (const category of ['a', 'b', 'c', 'd', 'e', 'f']) await agent.patch(`/incidents/${body.id}`, { category });
    const versions: number[] = [];
    let cursor = '';
    for (let page = 1; page <= 3; page++) {
      const answer = await agent.get(`/incidents/${body.id}/history?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(answer.body.total).toBe(7);
      versions.push(...answer.body.data.map(({ version }: { version: number }) => version));
      expect('next_cursor' in answer.body).toBe(page < 3);
      cursor = answer.body.next_cursor;
    }
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('has no next page after exactly as many changes as fit', async () => {
    const { body } = await anIncident(agent);
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    expect((await agent.get(`/incidents/${body.id}/history?limit=2`)).body).not.toHaveProperty('next_cursor');
  });

  it('refuses cursors that are altered, foreign or nonsense', async () => {
    const [one, other] = [await anIncident(agent), await anIncident(agent)];
    for (const { body } of [one, other]) {
      await agent.patch(`/incidents/${body.id}`, { category: 'x', work_note: 'n' });
      await agent.patch(`/incidents/${body.id}`, { work_note: 'n' });
    }
    const path = `/incidents/${one.body.id}/history`;
    const { next_cursor } = (await agent.get(`${path}?limit=1`)).body;
    expect((await agent.get(`${path}?limit=1&cursor=${next_cursor}`)).status).toBe(200);
    const flipped = `${next_cursor.slice(0, -1)}${next_cursor.endsWith('A') ? 'B' : 'A'}`;
    const foreign = (await agent.get(`/incidents/${other.body.id}/history?limit=1`)).body.next_cursor;
    const ofNotes = (await agent.get(`/incidents/${one.body.id}/notes?limit=1`)).body.next_cursor;
    for (const cursor of [flipped, foreign, ofNotes, 'hello', 'AAAA', `${next_cursor}x`]) {
      const answer = await agent.get(`${path}?limit=1&cursor=${cursor}`);
      expectProblem(answer, 400, 'invalid_input');
      expect(answer.body.errors[0].field).toBe('cursor');
    }
  });

  it.each(['limit=0', 'limit=201', 'limit=abc', 'limit=1.5', 'limit=', 'cursor=', 'page=2', 'limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      const { body } = await anIncident(agent);
      expectProblem(await agent.get(`/incidents/${body.id}/history?${query}`), 400, 'invalid_input');
    },
  );

  it('does not find what does not exist', async () => {
    expectProblem(await agent.get('/incidents/INC0000000/history'), 404, 'not_found');
  });
});
