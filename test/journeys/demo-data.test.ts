import { existsSync, mkdtempSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { advanceUntil } from '../support/assistant.ts';
import { type Api, getApi } from '../support/incidents.ts';
import { launch, type Service, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

const states = ['new', 'in_progress', 'on_hold', 'reopened', 'resolved', 'closed', 'cancelled'];
const day = 86_400_000;

async function totals(api: Api): Promise<number[]> {
  return Promise.all(states.map(async (state) => (await api.get(`/incidents?state=${state}&limit=1`)).body.total));
}

describe('demo data', () => {
  let service: Service;
  let manager: Api;
  beforeAll(async () => {
    service = await startService({ args: [] });
    manager = await getApi(service, 'manager');
  });
  afterAll(() => service.stop());

  it('creates 300 incidents in all states over 90 days', async () => {
    const counts = await totals(manager);
    expect(counts.every((count) => count > 0)).toBe(true);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
    const oldest = (await manager.get('/incidents?order=asc&limit=1')).body.data[0];
    const newest = (await manager.get('/incidents?limit=1')).body.data[0];
    const age = (createdAt: string) => (Date.now() - Date.parse(createdAt)) / day;
    expect(age(oldest.created_at)).toBeGreaterThan(80);
    expect(age(oldest.created_at)).toBeLessThan(92);
    expect(age(newest.created_at)).toBeLessThan(4);
  });

  it('gives incidents work notes, resolutions, histories and SLAs', async () => {
    const { body } = await manager.get('/incidents?state=closed&limit=5');
    for (const incident of body.data) {
      expect(incident.resolution).toBeTruthy();
      expect(incident.work_notes_count).toBeGreaterThan(0);
      expect(Date.parse(incident.closed_at)).toBeGreaterThan(Date.parse(incident.resolved_at));
      const { body: history } = await manager.get(`/incidents/${incident.id}/history`);
      expect(history.data.length).toBe(history.total);
      expect(history.data[0]).toMatchObject({ version: 1, at: incident.created_at, actor: incident.opened_by });
      const { body: sla } = await manager.get(`/incidents/${incident.id}/sla`);
      expect(sla).toMatchObject({ clock: 'ended', started_at: incident.created_at });
    }
  });

  it('creates changes and requests, and links changes to incidents', async () => {
    const total = async (path: string) => (await manager.get(`${path}limit=1`)).body.total;
    expect([await total('/changes?'), await total('/requests?')]).toEqual([40, 30]);
    expect(await total('/changes?state=submitted&')).toBeGreaterThan(0);
    const { data } = (await manager.get('/incidents?limit=200')).body;
    const linked = data.find(({ change_id }: { change_id: string | null }) => change_id !== null);
    expect((await manager.get(`/changes/${linked.change_id}`)).body.ci_ids).toContain(linked.ci_id);
    const days = [0, 14].map((ahead) => new Date(Date.now() + ahead * day).toISOString().slice(0, 10));
    const { body } = await manager.get(`/changes/calendar?from=${days[0]}&to=${days[1]}`);
    expect(body.collisions_total).toBeGreaterThan(0);
  });

  it('creates problems with their incidents, changes, links and files', async () => {
    const { data } = (await manager.get('/problems?order=asc')).body;
    expect(data.map(({ state }: { state: string }) => state).sort()).toEqual([
      'assessed',
      'fix_in_progress',
      'new',
      'resolved',
      'root_cause_known',
    ]);
    const known = data.find(({ state }: { state: string }) => state === 'root_cause_known');
    expect(known).toMatchObject({ known_error: true, workaround: expect.any(String) });
    const incidents = (await manager.get(`/problems/${known.id}/incidents`)).body;
    expect(incidents.total).toBeGreaterThan(3);
    const linked = await Promise.all(
      incidents.data.map(async ({ id }: { id: string }) => (await manager.get(`/incidents/${id}/links`)).body.links),
    );
    expect(
      linked
        .flat()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['duplicate_of', 'duplicated_by']);
    const fixed = data.find(({ state }: { state: string }) => state === 'fix_in_progress');
    expect((await manager.get(`/changes/${fixed.change_ids[0]}/links`)).body.links).toMatchObject([
      { type: 'related_to', record_type: 'incident' },
    ]);
    const [note] = (await manager.get(`/problems/${known.id}/notes`)).body.data;
    const { download_url } = (await manager.get(`/attachments/${note.attachments[0].id}`)).body;
    expect(await (await fetch(download_url)).text()).toContain('1460 bytes: lost');
  });

  it('emits all events in order', async () => {
    // They are emitted while the service answers already.
    const events: { event: string; timestamp: string; data: { id: string } }[] = await until(
      async () => (await manager.get('/events?limit=200')).body.data ?? [],
      ({ length }) => length === 200,
    );
    const first = events.find(({ event }) => event.startsWith('incident.'))!;
    const { body: history } = await manager.get(`/incidents/${first.data.id}/history`);
    expect(history.data.map(({ at }: { at: string }) => at)).toContain(first.timestamp);
  });

  it('leaves the clock at the present', async () => {
    const { body } = await manager.get('/health');
    expect(Math.abs(Date.parse(body.time) - Date.now())).toBeLessThan(5_000);
  });

  it('teaches the AI layer articles and resolutions within seconds', async () => {
    const viewer = await getApi(service, 'viewer');
    const question = 'What does error 809 of the VPN client mean?';
    await advanceUntil(
      service,
      (look) => viewer.post('/ai/ask', { question: `${question} (${look})` }),
      ({ body }) => body.citations?.length > 0,
    );
    await advanceUntil(
      service,
      (look) => viewer.post('/ai/exemplars', { description: `VPN ends after some minutes, ${look}` }),
      ({ body }) => body.count >= 5,
    );
  });

  it('creates an inbound webhook with all kinds of results, and an outbound webhook with retries', async () => {
    const { body: inbound } = await manager.get('/webhooks/inbound');
    const path = `/webhooks/inbound/${inbound.data[0].id}`;
    const statuses = (await manager.get(`${path}/events`)).body.data.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['failed', 'deduplicated', 'created', 'filtered']);
    expect((await manager.get(`${path}/rejections`)).body.data).toMatchObject([{ reason: 'no_signature' }]);
    const read = async () => (await manager.get('/webhooks/outbound/statistics')).body.data[0];
    await until(
      read,
      ({ open, delivered }) => open + delivered > 0,
      () => service.advance('100ms', []),
    );
    await service.advance('31s', []);
    expect(await read()).toMatchObject({ failed: 0, success_rate: 1 });
  });

  it('has service levels of requests in office hours and of emergency changes', async () => {
    const [calendar] = (await manager.get('/calendars')).body.data;
    expect((await manager.get('/sla-policies?kind=change')).body.data).toMatchObject([{ category: 'emergency' }]);
    const policies = (await manager.get('/sla-policies?kind=request')).body.data;
    expect(policies).toMatchObject([{ calendar_id: calendar.id }]);
    const { sla_met, sla_breached } = (await manager.get('/requests/statistics')).body;
    expect(sla_met).toBeGreaterThan(0);
    expect(sla_met).toBeGreaterThan(sla_breached);
  });

  it('has people on call by two schedules and policies, and a page in progress', async () => {
    for (const path of ['/schedules', '/escalation-policies', '/on-call']) {
      expect([path, (await manager.get(path)).body.data.length]).toEqual([path, 2]);
    }
    await service.advance('1s', []);
    const outbox = await fetch(`${service.baseUrl}/_local/outbox`);
    const { data: messages } = (await outbox.json()) as { data: { subject: string; text: string }[] };
    const page = messages.find(({ text }) => text.includes('second pair of eyes'));
    const [id] = /INC\w{7}/.exec(page!.subject)!;
    const { data: pages } = (await manager.get(`/incidents/${id}/pages`)).body;
    expect(pages).toContainEqual(expect.objectContaining({ trigger: 'manual', state: 'paging' }));
  });

  it('is created only once', async () => {
    const before = await totals(manager);
    await service.kill();
    service = await startService({ dataFolder: service.dataFolder, args: [] });
    manager = await getApi(service, 'manager');
    expect(await totals(manager)).toEqual(before);
  });
});

describe('an interrupted first start', () => {
  it('starts over at the next start', async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'service-'));
    const changes = watch(dataFolder, { signal: AbortSignal.timeout(60_000) });
    const { child } = launch({ dataFolder, args: [] });
    for await (const _ of changes) if (existsSync(join(dataFolder, 'runtime.db-shm'))) break;
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    expect(existsSync(join(dataFolder, 'first-start'))).toBe(true);
    const service = await startService({ dataFolder, args: ['--empty'] });
    expect((await (await getApi(service, 'agent')).get('/incidents')).body.total).toBe(0);
    expect(existsSync(join(dataFolder, 'first-start'))).toBe(false);
    await service.stop();
  });
});
