import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let viewer: Api;

beforeAll(async () => {
  service = await startService();
  [agent, viewer] = await Promise.all([apiOf(service, 'agent'), apiOf(service, 'viewer')]);
});
afterAll(() => service.stop());

describe('queryRecords', () => {
  it('looks the records up with tools that only read, and shows which', async () => {
    const { body: incident } = await anIncident(agent, { short_description: 'Core switch is down', priority: 'P1' });
    const { status, body, headers } = await viewer.post('/ai/query', { query: 'Which P1 incidents are new?' });
    expect(status).toBe(200);
    expect(body.answer).toContain(incident.id);
    expect(body.records).toContainEqual({ type: 'incident', id: incident.id, title: 'Core switch is down' });
    expect(body.tools_used[0].name).toMatch(/incidents$/);
    expect(body).toMatchObject({ conversation_id: expect.stringMatching(/^conv_/), model_used: expect.any(String) });
    expect(headers.get('x-ratelimit-limit')).toBe('30');
    const next = await viewer.post('/ai/query', { question: 'And P2?', conversation_id: body.conversation_id });
    expect(next.body.conversation_id).toBe(body.conversation_id);
    const foreign = await agent.post('/ai/query', { query: 'And?', conversation_id: body.conversation_id });
    expectProblem(foreign, 404, 'not_found');
  });

  it('finds exactly the open P1 incidents of the network team since Monday', async () => {
    const fields = { assignment_group: 'network', category: 'hardware', priority: 'P1' };
    const wanted: string[] = [];
    for (const number of [1, 2]) {
      const short_description = `Router ${number} restarts`;
      wanted.push((await anIncident(agent, { ...fields, short_description })).body.id);
    }
    await anIncident(agent, { ...fields, priority: 'P2', short_description: 'Router 3 is warm' });
    const other = { ...fields, assignment_group: 'service desk', category: 'network' };
    await anIncident(agent, { ...other, short_description: 'The network team does not pick up the phone' });
    const { body: gone } = await anIncident(agent, { ...fields, short_description: 'Router 4 restarts' });
    await agent.patch(`/incidents/${gone.id}`, { state: 'cancelled' });
    const query = 'open P1 incidents of the network team since Monday';
    const { body } = await viewer.post('/ai/query', { query });
    expect(body.records.map(({ id }: { id: string }) => id).sort()).toEqual(wanted.sort());
    expect(body.answer).toMatch(/^2 incidents found/);
    expect(body.tools_used).toHaveLength(1);
    expect(new Date(body.tools_used[0].input.created_after).getUTCDay()).toBe(0);
    const before = await viewer.post('/ai/query', { query: query.replace('since', 'before') });
    expect(before.body).toMatchObject({ records: [], answer: expect.stringMatching(/^No incidents found/) });
    const grouped = await viewer.post('/ai/query', { query: 'How many P1 incidents of the network team by state?' });
    expect(grouped.body.answer).toMatch(/^3 incidents found .*:\n- new: 2\n- cancelled: 1$/);
    const nobody = await viewer.post('/ai/query', { query: 'unassigned P2 incidents of the network team' });
    expect(nobody.body.answer).toMatch(/^1 incidents found/);
  });

  it('says what it did not understand, and finds what belongs to an item', async () => {
    const { body } = await viewer.post('/ai/query', { query: 'incidents not assigned to the network team' });
    expect(body.answer).toMatch(/to leave out one assignment group \(“network”\)/);
    const { body: incident } = await anIncident(agent, { ci_id: 'CI0000077' });
    const found = await viewer.post('/ai/query', { query: 'open incidents of CI0000077' });
    expect(found.body.records).toEqual([expect.objectContaining({ id: incident.id })]);
  });

  it('counts', async () => {
    const { body: incident } = await anIncident(agent);
    await agent.patch(`/incidents/${incident.id}`, { state: 'in_progress' });
    await agent.patch(`/incidents/${incident.id}`, { state: 'resolved', resolution: 'Restarted it.' });
    const { body } = await viewer.post('/ai/query', { query: 'How many incidents are resolved?' });
    expect(body.answer).toMatch(/\b1\b/);
  });

  it.each([{}, { query: 'a', question: 'b' }, { query: 'a', conversation_id: '1' }, { query: 'a', model: 'x' }])(
    'refuses %j',
    async (body) => {
      expectProblem(await viewer.post('/ai/query', body), 400, 'invalid_input');
    },
  );
});
