import { expectProblem } from '../support/http.ts';
import { anIncident, anIncidentIn, startTestService } from '../support/incidents.ts';

const { service, agent, viewer } = await startTestService('agent', 'viewer');

const hour = 3_600_000;

describe('getIncidentSla', () => {
  it('tells the target, what is used of it and what is left', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P2' });
    await service.advance('30m', []);
    const { status, body } = await viewer.get(`/incidents/${incident.id}/sla`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      incident_id: incident.id,
      priority: 'P2',
      simulated: false,
      clock: 'running',
      target_minutes: 480,
      started_at: incident.created_at,
      ended_at: null,
      paused_ms: 0,
      breached: false,
      breach_at: incident.sla_breach_at,
      warned_at: null,
      breached_at: null,
    });
    expect(Date.parse(body.warning_at)).toBe(Date.parse(incident.created_at) + 6 * hour);
    expect(body.running_ms).toBeGreaterThanOrEqual(hour / 2);
    expect(body.running_ms + body.remaining_ms).toBe(8 * hour);
    expect(body.intervals).toEqual([
      { clock: 'running', from: incident.created_at, to: null, duration_ms: body.running_ms },
    ]);
    expect(Date.parse(body.at) - Date.parse(body.started_at)).toBe(body.elapsed_ms);
  });

  it('shows another target and writes nothing', async () => {
    const { body: incident, headers } = await anIncident(agent, { priority: 'P4' });
    const { body } = await viewer.get(`/incidents/${incident.id}/sla?simulate=priority:P1`);
    expect(body).toMatchObject({ priority: 'P1', simulated: true, target_minutes: 240 });
    expect(Date.parse(body.breach_at)).toBe(Date.parse(incident.created_at) + 4 * hour);
    const after = await viewer.get(`/incidents/${incident.id}`);
    expect(after.body).toEqual(incident);
    expect(after.headers.get('etag')).toBe(headers.get('etag'));
  });

  it('keeps start and pauses when the priority changes', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const { body: before } = await agent.get(`/incidents/${id}/sla`);
    await agent.patch(`/incidents/${id}`, { priority: 'P1' });
    const { body: after } = await agent.get(`/incidents/${id}/sla`);
    expect(after).toMatchObject({ priority: 'P1', clock: 'paused', breach_at: null, warning_at: null });
    expect(after.started_at).toBe(before.started_at);
    expect(after.running_ms).toBe(before.running_ms);
  });

  it('is over when the incident is resolved, and goes on when it is reopened', async () => {
    const id = await anIncidentIn(agent, 'resolved');
    const { body: ended } = await agent.get(`/incidents/${id}/sla`);
    expect(ended).toMatchObject({ clock: 'ended', breach_at: null });
    await agent.patch(`/incidents/${id}`, { state: 'reopened' });
    const { body: running } = await agent.get(`/incidents/${id}/sla`);
    expect(running).toMatchObject({ clock: 'running', ended_at: null });
    expect(running.running_ms).toBeGreaterThanOrEqual(ended.running_ms);
    expect(running.intervals.map(({ clock }: { clock: string }) => clock)).toEqual(['running', 'paused', 'running']);
  });

  it.each(['priority:P5', 'P1', 'state:new', ''])('rejects simulate=%s', async (simulate) => {
    const { body } = await anIncident(agent);
    const answer = await viewer.get(`/incidents/${body.id}/sla?simulate=${simulate}`);
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(['simulate']);
  });

  it('does not find what is not there, and needs a token', async () => {
    expectProblem(await viewer.get('/incidents/INC0000000/sla'), 404, 'not_found');
    expect((await fetch(`${service.baseUrl}/prod/api/v1/incidents/INC0000000/sla`)).status).toBe(401);
  });
});
