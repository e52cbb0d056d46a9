import { call, expectProblem } from '../support/http.ts';
import { anIncident, anIncidentIn, startTestService } from '../support/incidents.ts';

const { service, agent, viewer } = await startTestService('agent', 'viewer');

const me = 'agent@clients.incidents.localhost';

describe('acknowledgeIncident', () => {
  it('records who acknowledged and moves a new incident to in_progress', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    expect(body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
    const response = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    expect(response).toMatchObject({ status: 200, body: { state: 'in_progress', acknowledged_by: me } });
    expect(response.body.acknowledged_at).toBe(response.body.updated_at);
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(response.body);
    const { body: history } = await agent.get(`/incidents/${body.id}/history`);
    expect(history.data[1].changes).toMatchObject({ state: { to: 'in_progress' }, acknowledged_by: { to: me } });
  });

  it('changes nothing when it is repeated', async () => {
    const { body } = await anIncident(agent);
    const first = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const second = await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('gives many concurrent callers the same acknowledgement', async () => {
    const { body } = await anIncident(agent);
    const all = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/incidents/${body.id}/acknowledge`, undefined)),
    );
    expect(new Set(all.map((one) => one.body.acknowledged_at)).size).toBe(1);
  });

  it('keeps the state of an incident on hold', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const { body } = await agent.post(`/incidents/${id}/acknowledge`, undefined);
    expect(body).toMatchObject({ state: 'on_hold', acknowledged_by: me });
  });

  it('is cleared by a reopening and by another group', async () => {
    const { body } = await anIncident(agent, { assignment_group: 'network' });
    await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const same = await agent.patch(`/incidents/${body.id}`, { assignment_group: 'network', category: 'vpn' });
    expect(same.body.acknowledged_by).toBe(me);
    const other = await agent.patch(`/incidents/${body.id}`, { assignment_group: 'mail' });
    expect(other.body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
    await agent.post(`/incidents/${body.id}/acknowledge`, undefined);
    const resolved = await agent.patch(`/incidents/${body.id}`, { state: 'resolved' });
    expect(resolved.body.acknowledged_by).toBe(me);
    const reopened = await agent.patch(`/incidents/${body.id}`, { state: 'reopened' });
    expect(reopened.body).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
  });

  it('rejects an incident that needs no work', async () => {
    const id = await anIncidentIn(agent, 'cancelled');
    const response = await agent.post(`/incidents/${id}/acknowledge`, undefined);
    expectProblem(response, 409, 'invalid_transition');
    expect(response.body.allowed_transitions).toEqual([]);
  });

  it('rejects writing the fields directly', async () => {
    const { body } = await anIncident(agent);
    const fields = { acknowledged_at: body.created_at, acknowledged_by: 'ada.lovelace@example.com' };
    const response = await agent.patch(`/incidents/${body.id}`, fields);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors).toEqual(Object.keys(fields).map((field) => ({ field, message: 'is read-only' })));
  });

  it('is limited to agents', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.post(`/incidents/${body.id}/acknowledge`, undefined), 403, 'forbidden');
    const anonymous = await call(service, `/v1/incidents/${body.id}/acknowledge`, { method: 'POST' });
    expectProblem(anonymous, 401, 'unauthorized');
    expectProblem(await agent.post('/incidents/INC0000000/acknowledge', undefined), 404, 'not_found');
  });

  it('appears in the filters and in the statistics by priority and group', async () => {
    const group = 'acknowledgement-statistics';
    const { body: one } = await anIncident(agent, { priority: 'P1', assignment_group: group });
    await anIncident(agent, { priority: 'P2', assignment_group: group });
    await service.advance('4m', []);
    const { body: acknowledged } = await agent.post(`/incidents/${one.id}/acknowledge`, undefined);
    const since = `assignment_group=${group}&acknowledged_after=${one.created_at}`;
    expect((await agent.get(`/incidents?${since}`)).body.data).toEqual([acknowledged]);
    const { body } = await agent.get(`/incidents/statistics?assignment_group=${group}&group_by=priority`);
    expect(body).toMatchObject({ count: 2, acknowledged: 1 });
    expect(body.mean_time_to_acknowledge_minutes).toBeCloseTo(4, 0);
    const [p1, p2] = ['P1', 'P2'].map((priority) =>
      body.groups.find(({ values }: { values: { priority: string } }) => values.priority === priority),
    );
    expect(p1.acknowledged).toBe(1);
    expect(p2).toMatchObject({ acknowledged: 0, mean_time_to_acknowledge_minutes: null });
  });
});
