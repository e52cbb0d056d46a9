// Half a working day of incidents beside each other: the clock is moved once for all of them.
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

const hour = 3_600_000;

let service: Service;
let agent: Api;
/** P1 incidents, named by what happens to them. */
let incidents: Record<
  'left' | 'held' | 'resolved' | 'cancelled' | 'deleted' | 'late',
  { id: string; created_at: string }
>;
/** What was seen on the way, at the times that the names tell. */
let marks: Record<'before3h' | 'after3h', { left: Mark[]; held: Mark[] }>;
let onHold: { sla_breach_at: string | null };

interface Mark {
  name: string;
  /** The calculated time. */
  due: string;
  at: string;
  actor: string;
  origin: unknown;
}

beforeAll(async () => {
  service = await startService();
  agent = await getApi(service, 'agent');
  const names = ['left', 'held', 'resolved', 'cancelled', 'deleted', 'late'] as const;
  const made = await Promise.all(names.map(async (name) => [name, (await anIncident(agent, { priority: 'P1' })).body]));
  incidents = Object.fromEntries(made);
  await move('held', 'in_progress');
  await move('resolved', 'in_progress', 'resolved');
  await move('cancelled', 'cancelled');
  await move('late', 'in_progress');
  const manager = await getApi(service, 'manager');
  expect((await manager.delete(`/incidents/${incidents.deleted.id}`)).status).toBe(204);

  await advance(60);
  await move('held', 'on_hold');
  onHold = (await agent.get(`/incidents/${incidents.held.id}`)).body;
  await advance(118);
  const before3h = { left: await listMarks('left'), held: await listMarks('held') };
  await advance(4);
  marks = { before3h, after3h: { left: await listMarks('left'), held: await listMarks('held') } };
  await advance(60);
  await move('late', 'resolved');
  await move('held', 'in_progress');
  // What is due while the service is down comes after it.
  await service.kill();
  service = await startService({ dataFolder: service.dataFolder });
  await advance(122);
});
afterAll(() => service.stop());

/** Tokens live for an hour, and this moves the clock by more. */
async function advance(minutes: number): Promise<void> {
  await service.advanceThenRun(minutes, ['sweep-sla']);
  agent = await getApi(service, 'agent');
}

async function move(name: keyof typeof incidents, ...states: string[]): Promise<void> {
  for (const state of states) {
    expect((await agent.patch(`/incidents/${incidents[name].id}`, { state })).status).toBe(200);
  }
}

/** What history tells about marks, oldest first. */
async function listMarks(name: keyof typeof incidents): Promise<Mark[]> {
  const { body } = await agent.get(`/incidents/${incidents[name].id}/history?limit=200`);
  return body.data.flatMap(({ at, actor, origin, changes }: Mark & { changes: Record<string, { to: string }> }) =>
    ['sla_warned_at', 'sla_breached_at']
      .filter((mark) => mark in changes)
      .map((mark) => ({ name: mark, due: changes[mark]!.to, at, actor, origin })),
  );
}

const toNames = (all: readonly Mark[]) => all.map(({ name }) => name);
const getSla = async (name: keyof typeof incidents) => (await agent.get(`/incidents/${incidents[name].id}/sla`)).body;

describe('the SLA of an incident', () => {
  it('has one warning at three quarters of the target and one breach at its end', async () => {
    const { id, created_at } = incidents.left;
    expect(marks.before3h.left).toEqual([]);
    const [warned] = marks.after3h.left;
    expect(warned).toMatchObject({ name: 'sla_warned_at', actor: 'sla', origin: { kind: 'sla', id: null } });
    const warnedAfter = Date.parse(warned!.at) - Date.parse(created_at);
    expect(warnedAfter).toBeGreaterThanOrEqual(3 * hour);
    expect(warnedAfter).toBeLessThanOrEqual(3 * hour + 90_000);
    const all = await listMarks('left');
    expect(toNames(all)).toEqual(['sla_warned_at', 'sla_breached_at']);
    // The calculated times, whenever the sweep noticed them.
    const [warned_at, breached_at] = [3, 4].map((hours) =>
      new Date(Date.parse(created_at) + hours * hour).toISOString(),
    );
    expect(all.map(({ due }) => due)).toEqual([warned_at, breached_at]);
    expect(await getSla('left')).toMatchObject({ breached: true, warned_at, breached_at });
    const { body } = await agent.get(`/incidents/${id}`);
    expect(body).toMatchObject({ sla_breach_at: breached_at, sla_breached_at: breached_at });
  });

  it('emits one event for each mark', async () => {
    const { body } = await agent.get('/events?limit=200');
    const events = body.data.filter(({ data }: { data: { id: string } }) => data.id === incidents.left.id);
    expect(events.map(({ event }: { event: string }) => event)).toEqual([
      'incident.created',
      'sla.breach_warning',
      'sla.breached',
    ]);
  });

  it('pauses on hold and resumes afterwards, even if the service was down', async () => {
    expect(onHold.sla_breach_at).toBeNull();
    expect([marks.before3h.held, marks.after3h.held]).toEqual([[], []]);
    const view = await getSla('held');
    expect(view.intervals.map(({ clock }: { clock: string }) => clock)).toEqual(['running', 'paused', 'running']);
    expect(view.paused_ms).toBeGreaterThanOrEqual(3 * hour);
    expect(view.running_ms + view.paused_ms).toBe(view.elapsed_ms);
    expect(toNames(await listMarks('held'))).toEqual(['sla_warned_at']);
  });

  it.each(['resolved', 'cancelled'] as const)('ends when the incident is %s', async (name) => {
    expect(await listMarks(name)).toEqual([]);
    const view = await getSla(name);
    expect(view).toMatchObject({ clock: 'ended', breach_at: null, breached: false });
    expect(Date.parse(view.ended_at) - Date.parse(view.started_at)).toBe(view.elapsed_ms);
  });

  it('records a breach that occurred just before the resolution', async () => {
    expect(toNames(await listMarks('late'))).toEqual(['sla_warned_at', 'sla_breached_at']);
  });

  it('ends when the incident is deleted', async () => {
    const manager = await getApi(service, 'manager');
    const { body } = await manager.get(`/incidents/${incidents.deleted.id}/history?include_deleted=true`);
    expect(body.total).toBe(2);
  });
});
