import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, anIncidentIn, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let manager: Api;
beforeAll(async () => {
  service = await startService();
  [agent, manager] = await Promise.all([apiOf(service, 'agent'), apiOf(service, 'manager')]);
});
afterAll(() => service.stop());

describe('deleteIncident', () => {
  it('answers 204, and then the incident is gone for everything', async () => {
    const { body } = await anIncident(agent);
    const answer = await manager.delete(`/incidents/${body.id}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    const path = `/incidents/${body.id}`;
    const answers = [
      await manager.get(path),
      await manager.patch(path, { category: 'x' }),
      await manager.patch(path, { work_note: 'x' }),
      await manager.delete(path),
      await manager.get(`${path}/notes`),
      await manager.post(`${path}/notes`, { body: 'x' }),
      await manager.get(`${path}/history`),
      await manager.get(`${path}/sla`),
    ];
    for (const gone of answers) expectProblem(gone, 404, 'not_found');
  });

  it('keeps the incident for managers who ask for it, in the state it had', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const before = (await agent.get(`/incidents/${id}`)).body;
    await manager.delete(`/incidents/${id}`);
    const admin = await apiOf(service, 'admin');
    for (const api of [manager, admin]) {
      const answer = await api.get(`/incidents/${id}?include_deleted=true`);
      expect(answer).toMatchObject({ status: 200, body: { ...before, deleted: true, updated_at: expect.any(String) } });
    }
    const { body: history } = await manager.get(`/incidents/${id}/history?include_deleted=true`);
    expect(history.data.at(-1)).toMatchObject({
      actor: 'manager@clients.incidents.localhost',
      changes: { deleted: { from: false, to: true } },
    });
    expectProblem(await manager.get(`/incidents/${id}?include_deleted=false`), 404, 'not_found');
  });

  it('shows deleted incidents to nobody else', async () => {
    const { body } = await anIncident(agent);
    await manager.delete(`/incidents/${body.id}`);
    for (const name of ['agent', 'viewer'] as const) {
      const api = await apiOf(service, name);
      expectProblem(await api.get(`/incidents/${body.id}?include_deleted=true`), 403, 'forbidden');
      expectProblem(await api.get(`/incidents/${body.id}/history?include_deleted=true`), 403, 'forbidden');
    }
  });

  it.each(['agent', 'viewer'] as const)('is not for the %s', async (name) => {
    const { body } = await anIncident(agent);
    expectProblem(await (await apiOf(service, name)).delete(`/incidents/${body.id}`), 403, 'forbidden');
    expect((await agent.get(`/incidents/${body.id}`)).status).toBe(200);
  });

  it('is for the super_admin, too', async () => {
    const { body } = await anIncident(agent);
    expect((await (await apiOf(service, 'admin')).delete(`/incidents/${body.id}`)).status).toBe(204);
  });

  it('honours If-Match', async () => {
    const { body, headers } = await anIncident(agent);
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    const old = { 'if-match': headers.get('etag')! };
    expectProblem(await manager.delete(`/incidents/${body.id}`, old), 412, 'precondition_failed');
    expect((await manager.delete(`/incidents/${body.id}`, { 'if-match': '"2-0"' })).status).toBe(204);
  });

  it('does not find what does not exist', async () => {
    expectProblem(await manager.delete('/incidents/INC0000000'), 404, 'not_found');
  });
});
