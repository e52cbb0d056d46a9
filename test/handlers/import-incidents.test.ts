import { expectProblem } from '../support/http.ts';
import { startTestService } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

const hourMs = 3_600_000;
const now = Date.parse((await manager.get('/health')).headers.get('date') ?? new Date().toISOString());
const ago = (hours: number) => new Date(now - hours * hourMs).toISOString();

async function runImport(records: unknown[], options: object = {}) {
  const { status, body } = await manager.post('/incidents/bulk', { operation: 'import', records, ...options });
  expect(status).toBe(202);
  return waitForJob(service, manager, body.job_id);
}

const past = {
  external_id: 'servicenow INC0010001',
  short_description: 'Mail was down',
  priority: 'P1',
  state: 'closed',
  category: 'mail',
  assignment_group: 'messaging',
  opened_by: 'ada@example.com',
  created_at: ago(100),
  acknowledged_at: ago(99),
  acknowledged_by: 'grace@example.com',
  resolved_at: ago(90),
  closed_at: ago(80),
  reopen_count: 1,
  resolution: 'The relay had a new certificate.',
  notes: [
    { body: 'Looking at it.', author: 'grace@example.com', created_at: ago(99) },
    { body: 'For the manager.', author: 'grace@example.com', created_at: ago(98), visibility: 'private' },
  ],
};

async function getNotes(id: string) {
  return (await manager.get(`/incidents/${id}/notes?limit=200`)).body;
}

describe('import', () => {
  it('keeps dates, people, state and notes; a second import returns the same incident', async () => {
    const { latest } = (await viewer.get('/events')).body;
    const job = await runImport([past]);
    expect(job).toMatchObject({ operation: 'import', status: 'completed', results: [{ status: 'succeeded' }] });
    const [{ id }] = job.results;
    const { notes, ...fields } = past;
    const { body } = await viewer.get(`/incidents/${id}`);
    expect(body).toMatchObject({ ...fields, updated_at: ago(80), work_notes_count: 2, sla_breach_at: null });
    expect((await getNotes(id)).data).toMatchObject(notes);
    const { data: history } = (await viewer.get(`/incidents/${id}/history`)).body;
    expect(history).toMatchObject([{ version: 1, origin: { kind: 'import', id: job.job_id }, changes: {} }]);
    const repeated = await runImport([{ ...past, short_description: 'Other' }]);
    expect(repeated.results).toEqual([{ index: 0, id, status: 'succeeded', already_exists: true }]);
    const listed = (await viewer.get('/incidents?external_id=servicenow+INC0010001')).body;
    expect(listed.data).toMatchObject([{ id, short_description: 'Mail was down' }]);
    expect((await viewer.get('/events')).body.latest).toBe(latest);
  });

  it('measures the SLA of the past, and reports nothing that happened then', async () => {
    const { latest } = (await viewer.get('/events')).body;
    const changed = (hours: number, from: string, to: string) => ({
      at: ago(hours),
      actor: 'ada@example.com',
      changes: { state: { from, to } },
    });
    const held = {
      ...past,
      external_id: 'held',
      history: [
        changed(99.5, 'new', 'in_progress'),
        changed(99, 'in_progress', 'on_hold'),
        changed(91, 'on_hold', 'in_progress'),
        changed(90, 'in_progress', 'resolved'),
        changed(80, 'resolved', 'closed'),
      ],
    };
    const open = {
      external_id: 'overdue',
      short_description: 'Old',
      priority: 'P1',
      state: 'in_progress',
      created_at: ago(50),
    };
    const { results } = await runImport([held, open]);
    const [heldSla, openSla] = await Promise.all(
      results.map(async ({ id }: { id: string }) => (await viewer.get(`/incidents/${id}/sla`)).body),
    );
    // Two of four hours: on hold from 99 to 91.
    expect(heldSla).toMatchObject({ running_ms: 2 * hourMs, breached: false, clock: 'ended', ended_at: ago(90) });
    expect(openSla).toMatchObject({ breached: true, warned_at: ago(47), breached_at: ago(46), breach_at: ago(46) });
    const { data } = (await viewer.get(`/incidents/${results[0].id}/history`)).body;
    expect(data.map(({ at }: { at: string }) => at).slice(0, 5)).toEqual(held.history.map(({ at }) => at));
    expect(data).toHaveLength(6);
    await service.advanceThenRun(5, ['sweep-sla']);
    expect((await viewer.get('/events')).body.latest).toBe(latest);
    const { sla_met, sla_breached } = (await viewer.get('/incidents/statistics?category=mail')).body;
    expect({ sla_met, sla_breached }).toEqual({ sla_met: 1, sla_breached: 1 });
  });

  it('emits events only if asked, and later changes emit as usual', async () => {
    const { latest } = (await viewer.get('/events')).body;
    const listTypes = async () => {
      await service.advance('1s');
      const { data } = (await viewer.get(`/events?after=${latest}&limit=200`)).body;
      return data.map(({ event }: { event: string }) => event);
    };
    const quiet = (
      await runImport([{ external_id: 'quiet', short_description: 'Quiet', assigned_to: 'ada@example.com' }])
    ).results[0];
    expect(await listTypes()).toEqual([]);
    await agent.patch(`/incidents/${quiet.id}`, { state: 'in_progress' });
    expect(await listTypes()).toEqual(['incident.updated']);
    await runImport([{ external_id: 'loud', short_description: 'Loud' }], { emit_events: true });
    expect(await listTypes()).toEqual(['incident.updated', 'incident.created']);
  });

  it('keeps a free id, recognizes its own, and rejects the id of another incident', async () => {
    const own = { id: 'INC0ABCDEF', short_description: 'Restored', created_at: ago(5) };
    expect((await runImport([own])).results).toEqual([{ index: 0, id: own.id, status: 'succeeded' }]);
    const other = { ...own, created_at: ago(6) };
    const { results } = await runImport([own, other]);
    expect(results[0]).toEqual({ index: 0, id: own.id, status: 'succeeded', already_exists: true });
    expect(results[1]).toMatchObject({ status: 'failed', error: { errors: [{ field: 'id' }] } });
  });

  it('writes hundreds of notes in their order, once', async () => {
    const notes = Array.from({ length: 120 }, (_, index) => ({ body: `Note ${index}`, created_at: ago(10) }));
    const record = { external_id: 'many', short_description: 'Many', created_at: ago(10), notes };
    const [{ id }] = (await runImport([record])).results;
    await runImport([record]);
    const { data, total } = await getNotes(id);
    expect(total).toBe(120);
    expect(data.map(({ body }: { body: string }) => body)).toEqual(notes.map(({ body }) => body));
    expect((await viewer.get(`/incidents/${id}`)).body.work_notes_count).toBe(120);
  });

  it('reports all problems of a record, and imports the others', async () => {
    const wrong = {
      ...past,
      external_id: 'wrong',
      priority: 'P9',
      created_at: ago(10),
      resolved_at: ago(20),
      closed_at: ago(-5),
      notes: [{ body: 'x', created_at: ago(-1), author: 'Ada' }],
    };
    const { status, results } = await runImport([
      wrong,
      { short_description: 'No id', state: 'resolved', created_at: ago(1) },
      { external_id: 'fine', short_description: 'Fine' },
    ]);
    expect(status).toBe('completed_with_errors');
    const listFields = (index: number) =>
      results[index].error.errors.map(({ field }: { field: string }) => field).sort();
    expect(listFields(0)).toEqual(
      ['acknowledged_at', 'closed_at', 'notes[0].author', 'notes[0].created_at', 'priority', 'resolved_at'].sort(),
    );
    expect(listFields(1)).toEqual(['external_id', 'resolved_at']);
    expect(results[2].status).toBe('succeeded');
  });

  it('only validates in a dry run', async () => {
    const { results } = await runImport([{ ...past, external_id: 'dry' }, past, {}], { dry_run: true });
    expect(results).toMatchObject([
      { id: null, status: 'succeeded' },
      { id: expect.stringMatching(/^INC/), already_exists: true },
      { status: 'failed' },
    ]);
    expect((await viewer.get('/incidents?external_id=dry')).body.total).toBe(0);
  });

  it('learns the real time of resolution', async () => {
    const vpn = {
      ...past,
      external_id: 'vpn',
      short_description: 'VPN ends with error 809',
      resolution: 'Open port 4500.',
    };
    const [{ id }] = (await runImport([vpn])).results;
    await service.advance('2s');
    const { body } = await viewer.post('/ai/exemplars', { description: 'VPN ends with error 809', top_k: 1 });
    expect(body.exemplars).toMatchObject([{ incident_id: id, resolution_time_min: 600 }]);
  });

  it('requires a manager', async () => {
    const body = { operation: 'import', records: [past] };
    expectProblem(await agent.post('/incidents/bulk', body), 403, 'forbidden');
    expectProblem(await viewer.post('/incidents/bulk', body), 403, 'forbidden');
    expectProblem(await manager.post('/incidents/bulk', { ...body, dry_run: 1 }), 400, 'invalid_input');
    expect((await fetch(`${service.baseUrl}/prod/api/v1/incidents/bulk`, { method: 'POST' })).status).toBe(401);
  });
});
