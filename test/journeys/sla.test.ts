import { type Api, anIncident, apiOf } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
beforeAll(async () => {
  service = await startService();
});
// Tokens live for an hour, and these tests move the clock by many.
beforeEach(async () => {
  agent = await apiOf(service, 'agent');
});
afterAll(() => service.stop());

const hour = 3_600_000;

async function advance(duration: string): Promise<void> {
  await service.advance(duration);
  agent = await apiOf(service, 'agent');
}

interface Mark {
  name: string;
  at: string;
  actor: string;
  origin: unknown;
}

/** What history tells about marks, oldest first. */
async function marksOf(id: string): Promise<Mark[]> {
  const { body } = await agent.get(`/incidents/${id}/history?limit=200`);
  return body.data.flatMap(({ at, actor, origin, changes }: Mark & { changes: Record<string, unknown> }) =>
    ['sla_warned_at', 'sla_breached_at'].filter((name) => name in changes).map((name) => ({ name, at, actor, origin })),
  );
}

async function move(id: string, ...states: string[]): Promise<void> {
  for (const state of states) expect((await agent.patch(`/incidents/${id}`, { state })).status).toBe(200);
}

describe('the service level of an incident', () => {
  it('is warned once at three quarters of the target and breached once at its end', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    await advance('2h58m');
    expect(await marksOf(body.id)).toEqual([]);
    await advance('4m');
    const sla = { actor: 'sla', origin: { kind: 'sla', id: null } };
    const [warned] = await marksOf(body.id);
    expect(warned).toMatchObject({ name: 'sla_warned_at', ...sla });
    const warnedAfter = Date.parse(warned!.at) - Date.parse(body.created_at);
    expect(warnedAfter).toBeGreaterThanOrEqual(3 * hour);
    expect(warnedAfter).toBeLessThanOrEqual(3 * hour + 90_000);
    await advance('1h');
    await advance('3h');
    const marks = await marksOf(body.id);
    expect(marks.map(({ name }) => name)).toEqual(['sla_warned_at', 'sla_breached_at']);
    const { body: view } = await agent.get(`/incidents/${body.id}/sla`);
    expect(view).toMatchObject({ breached: true, warned_at: marks[0]!.at, breached_at: marks[1]!.at });
    expect((await agent.get(`/incidents/${body.id}`)).body.sla_breach_at).toBe(
      new Date(Date.parse(body.created_at) + 4 * hour).toISOString(),
    );
  });

  it('stands still on hold, however long that takes', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    await advance('1h');
    await move(body.id, 'in_progress', 'on_hold');
    expect((await agent.get(`/incidents/${body.id}`)).body.sla_breach_at).toBeNull();
    await advance('5h');
    expect(await marksOf(body.id)).toEqual([]);
    await move(body.id, 'in_progress');
    const { body: view } = await agent.get(`/incidents/${body.id}/sla`);
    expect(view.intervals.map(({ clock }: { clock: string }) => clock)).toEqual(['running', 'paused', 'running']);
    expect(view.paused_ms).toBeGreaterThanOrEqual(5 * hour);
    expect(view.running_ms + view.paused_ms).toBe(view.elapsed_ms);
    await advance('2h2m');
    expect((await marksOf(body.id)).map(({ name }) => name)).toEqual(['sla_warned_at']);
  });

  it.each([
    ['resolved', ['in_progress', 'resolved']],
    ['cancelled', ['cancelled']],
  ])('ends when the incident is %s', async (_state, states) => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    await move(body.id, ...states);
    await advance('5h');
    expect(await marksOf(body.id)).toEqual([]);
    const { body: view } = await agent.get(`/incidents/${body.id}/sla`);
    expect(view).toMatchObject({ clock: 'ended', breach_at: null, breached: false });
    expect(Date.parse(view.ended_at) - Date.parse(view.started_at)).toBe(view.elapsed_ms);
  });

  it('tells of a breach that came just before the incident was resolved', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    await move(body.id, 'in_progress');
    await advance('5h');
    await move(body.id, 'resolved');
    await advance('5m');
    expect((await marksOf(body.id)).map(({ name }) => name)).toEqual(['sla_warned_at', 'sla_breached_at']);
  });

  it('has no service level any more when it is deleted', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    const manager = await apiOf(service, 'manager');
    expect((await manager.delete(`/incidents/${body.id}`)).status).toBe(204);
    await advance('5h');
    const after = await (await apiOf(service, 'manager')).get(`/incidents/${body.id}/history?include_deleted=true`);
    expect(after.body.total).toBe(2);
  });

  it('is caught up on after the service was down', async () => {
    const { body } = await anIncident(agent, { priority: 'P1' });
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder });
    await advance('3h1m');
    expect((await marksOf(body.id)).map(({ name }) => name)).toEqual(['sla_warned_at']);
  });
});
