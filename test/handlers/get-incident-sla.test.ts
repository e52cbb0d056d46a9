import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

const hour = 3_600_000;

let service: Service;
let agent: Api;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  // The clock moves by hours, and a token lives for one.
  agent = await apiOf(service, 'agent');
});

describe('getIncidentSla', () => {
  it.each([
    ['P1', 4],
    ['P2', 8],
    ['P3', 24],
    ['P4', 72],
  ])('gives %s %d hours', async (priority, hours) => {
    const { body } = await anIncident(agent, { priority });
    expect(Date.parse(body.sla_breach_at) - Date.parse(body.created_at)).toBe(hours * hour);
    const sla = (await (await apiOf(service, 'viewer')).get(`/incidents/${body.id}/sla`)).body;
    expect(sla).toMatchObject({
      priority,
      target_minutes: hours * 60,
      breach_at: body.sla_breach_at,
      simulated: false,
    });
  });

  it('shows intervals that sum to the answer, and stands still while on hold', async () => {
    const { body } = await anIncident(agent, { priority: 'P2' });
    const path = `/incidents/${body.id}`;
    await agent.patch(path, { state: 'in_progress' });
    await service.advance('30m');
    const held = await agent.patch(path, { state: 'on_hold' });
    expect(held.body.sla_breach_at).toBeNull();
    await service.advance('40m');
    agent = await apiOf(service, 'agent');
    const resumed = await agent.patch(path, { state: 'in_progress' });
    const paused = Date.parse(resumed.body.updated_at) - Date.parse(held.body.updated_at);
    expect(Date.parse(resumed.body.sla_breach_at)).toBe(Date.parse(body.sla_breach_at) + paused);
    const { body: sla } = await agent.get(`${path}/sla`);
    const sum = (clock: string) =>
      sla.intervals
        .filter((each: { clock: string }) => each.clock === clock)
        .reduce((total: number, each: { duration_ms: number }) => total + each.duration_ms, 0);
    expect([sum('running'), sum('paused')]).toEqual([sla.running_ms, sla.paused_ms]);
    expect(sla).toMatchObject({ paused_ms: paused, clock: 'running', breach_at: resumed.body.sla_breach_at });
  });

  it('simulates another priority without writing', async () => {
    const { body } = await anIncident(agent, { priority: 'P4' });
    const { body: sla } = await agent.get(`/incidents/${body.id}/sla?simulate=priority:P1`);
    expect(sla).toMatchObject({ priority: 'P1', simulated: true, target_minutes: 240 });
    expect((await agent.get(`/incidents/${body.id}`)).body).toEqual(body);
  });

  it.each(['priority:P9', 'P1', 'state:new', ''])('refuses to simulate "%s"', async (simulate) => {
    const { body } = await anIncident(agent);
    expectProblem(await agent.get(`/incidents/${body.id}/sla?simulate=${simulate}`), 400, 'invalid_input');
  });

  it('does not find what does not exist', async () => {
    expectProblem(await agent.get('/incidents/INC0000000/sla'), 404, 'not_found');
  });
});
