import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInProcess } from '../support/command-line.ts';
import { type Api, createApi, getApi } from '../support/incidents.ts';
import { waitForJob } from '../support/jobs.ts';
import { type OpenIdCompany, startOpenIdCompany } from '../support/openid-company.ts';
import { getFederatedTokens } from '../support/people.ts';
import { findFreePort } from '../support/receivers.ts';
import { type Service, type StartOptions, startService } from '../support/service.ts';

// A company with an identity provider defines its service levels in a file, moves in from ServiceNow, and its whole service moves
// once more. TRIAL_INCIDENTS=5000 runs it with the number of incidents of a real one.

const count = Number(process.env.TRIAL_INCIDENTS ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'trial-'));
const file = (name: string) => join(folder, name);
const services: Service[] = [];
let old: Awaited<ReturnType<typeof startCompany>>;
let company: OpenIdCompany;

beforeAll(async () => {
  const [port, companyPort] = [await findFreePort(), await findFreePort()];
  company = await startOpenIdCompany(companyPort, `http://localhost:${port}/oauth2/idpresponse`);
  old = await startCompany('old', {
    environment: {
      PORT: String(port),
      OIDC_ISSUER: company.issuer,
      OIDC_CLIENT_ID: company.clientId,
      OIDC_CLIENT_SECRET: company.clientSecret,
      SSO_NAME: 'Acme',
      ROLE_MAPPING: '{"sre-leads":"itsm_manager","service-desk":"itsm_agent","auditors":"viewer"}',
    },
  });
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await company?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function startCompany(name: string, options: StartOptions = {}) {
  const service = await startService(options);
  services.push(service);
  const environment = { ITSM_CONFIG: file(`${name}.json`) };
  const itsm = (...args: string[]) => runInProcess(args, { environment });
  await itsm('login', '--credentials', join(service.dataFolder, 'credentials.json'), '--as', 'manager');
  const json = async (...args: string[]) => {
    const { stdout, stderr } = await itsm(...args, '--json');
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  return { service, itsm, json, manager: await getApi(service, 'manager') };
}

const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;
const startMs = Date.now() - 3 * monthMs;
const formatTime = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
const groups = ['Network', 'Database', 'Service Desk'];

interface Facts {
  row: Record<string, string>;
  priority: string;
  resolvedMs: number | undefined;
  /** When the clock of the service level ran. */
  running: [fromMs: number, toMs: number][];
}

const serviceLevels = `
calendars:
  - name: Office
    time_zone: UTC
    hours: [{ weekdays: [monday, tuesday, wednesday, thursday, friday], from: '09:00', to: '17:00' }]
  - name: Tokyo
    time_zone: Asia/Tokyo
    hours: [{ weekdays: [monday, tuesday, wednesday, thursday, friday, saturday], from: '08:00', to: '20:00' }]
sla_policies:
  - { name: Network P1, kind: incident, assignment_group: Network, priority: P1, resolve_minutes: 120 }
  - { name: Network, kind: incident, assignment_group: Network, resolve_minutes: 480, calendar_id: calendars/Office }
  - { name: Hardware, kind: incident, category: hardware, resolve_minutes: 600, calendar_id: calendars/Tokyo }
  - { name: P2, kind: incident, priority: P2, resolve_minutes: 300 }
`;

const always = { offset: 0, days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 24 };
const office = { offset: 0, days: [1, 2, 3, 4, 5], from: 9, to: 17 };
const tokyo = { offset: 9, days: [1, 2, 3, 4, 5, 6], from: 8, to: 20 };

/** The target of the policies above, and of the default for all others. */
function findTarget({ row, priority }: Facts): { hours: number; calendar: typeof always } {
  const isNetwork = row.assignment_group === 'Network';
  if (isNetwork && priority === 'P1') return { hours: 2, calendar: always };
  if (isNetwork) return { hours: 8, calendar: office };
  if (row.category === 'hardware') return { hours: 10, calendar: tokyo };
  if (priority === 'P2') return { hours: 5, calendar: always };
  return { hours: { P1: 4, P3: 24, P4: 72 }[priority]!, calendar: always };
}

/** Adds up the open hours day by day. */
function isBreached(facts: Facts): boolean {
  const { hours, calendar } = findTarget(facts);
  let usedMs = 0;
  for (const [fromMs, toMs] of facts.running) {
    const dayMs = 24 * hourMs;
    const local = (ms: number) => ms + calendar.offset * hourMs;
    for (let day = Math.floor(local(fromMs) / dayMs); day * dayMs < local(toMs); day++) {
      if (!calendar.days.includes(new Date(day * dayMs).getUTCDay())) continue;
      const opensMs = day * dayMs + calendar.from * hourMs;
      const closesMs = day * dayMs + calendar.to * hourMs;
      usedMs += Math.max(0, Math.min(local(toMs), closesMs) - Math.max(local(fromMs), opensMs));
    }
  }
  return usedMs >= hours * hourMs;
}

/** Every seventh incident is open, every fifth was on hold for six hours, every ninth was reopened. */
const facts = Array.from({ length: count }, (_, index): Facts => {
  const createdMs = Math.floor((startMs + index * (monthMs / count)) / 1_000) * 1_000;
  const isOpen = index % 7 === 0;
  const heldMs = index % 5 === 0 ? 6 * hourMs : 0;
  const runningMs = (1 + (index % 40)) * hourMs;
  const resolvedMs = isOpen ? undefined : createdMs + runningMs + heldMs;
  const rank = 1 + (index % 5);
  const row = {
    sys_id: `id${index}`,
    number: `INC${1_000_000 + index}`,
    short_description: `Outage ${index}`,
    priority: `${rank} - Rank`,
    state: isOpen ? '2' : '7',
    assignment_group: groups[index % 3]!,
    category: index % 4 === 0 ? 'hardware' : 'software',
    opened_by: 'Ada Lovelace',
    opened_at: formatTime(createdMs),
    reopen_count: index % 9 === 0 ? '1' : '0',
    ...(resolvedMs && { resolved_at: formatTime(resolvedMs), closed_at: formatTime(resolvedMs + hourMs) }),
    u_site: 'Leeds',
  };
  const heldAtMs = createdMs + 1_000;
  const running: Facts['running'] =
    resolvedMs && heldMs
      ? [
          [createdMs, heldAtMs],
          [heldAtMs + heldMs, resolvedMs],
        ]
      : [[createdMs, resolvedMs ?? createdMs]];
  return { row, priority: `P${Math.min(rank, 4)}`, resolvedMs, running };
});

const audit = facts.flatMap(({ row, resolvedMs }, index) => {
  const createdMs = Date.parse(`${row.opened_at}Z`);
  const change = (ms: number, oldvalue: string, newvalue: string) => ({
    documentkey: row.sys_id,
    fieldname: 'state',
    oldvalue,
    newvalue,
    user: 'grace.hopper',
    sys_created_on: formatTime(ms),
  });
  return [
    change(createdMs, '1', '2'),
    ...(index % 5 === 0 && resolvedMs
      ? [change(createdMs + 1_000, '2', '3'), change(createdMs + 1_000 + 6 * hourMs, '3', '2')]
      : []),
    ...(resolvedMs ? [change(resolvedMs, '2', '6'), change(resolvedMs + hourMs, '6', '7')] : []),
  ];
});

const journal = facts.map(({ row }) => ({
  element_id: row.sys_id,
  element: 'comments',
  value: `Called about ${row.number}.`,
  sys_created_by: 'Grace Hopper',
  sys_created_on: row.opened_at,
}));

const mapping = `
people:
  Ada Lovelace: ada.lovelace@example.com
email_domain: example.com
ignore: [u_site]
`;

async function readStatistics(api: Api, query: string) {
  const { status, body } = await api.get(`/incidents/statistics?${query}`);
  expect(status).toBe(200);
  return body;
}

async function listIncidents(api: Api) {
  const found: Record<string, unknown>[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await api.get(`/incidents?sort=created_at&order=asc&limit=200${cursor}`);
    found.push(...body.data);
    if (!body.next_cursor) return found;
    cursor = `&cursor=${body.next_cursor}`;
  }
}

it('gives people the roles of their groups at the identity provider', async () => {
  const enter = async (name: string, group: string): Promise<Api> => {
    const email = `${name}@acme.org`;
    company.employee = { sub: name, email, email_verified: true, name, groups: [group, 'everybody'] };
    return createApi(old.service, (await getFederatedTokens(old.service, 'Acme')).access_token!);
  };
  const [ada, grace, vera] = [
    await enter('ada', 'sre-leads'),
    await enter('grace', 'service-desk'),
    await enter('vera', 'auditors'),
  ];
  const roles = await Promise.all([ada, grace, vera].map(async (api) => (await api.get('/me')).body.roles));
  expect(roles).toEqual([['itsm_manager'], ['itsm_agent'], ['viewer']]);
  const record = { external_id: 'trial 1', short_description: 'From elsewhere' };
  const body = { operation: 'import', records: [record], dry_run: true };
  const statuses = await Promise.all(
    [ada, grace, vera].map(async (api) => (await api.post('/incidents/bulk', body)).status),
  );
  expect(statuses).toEqual([202, 403, 403]);
});

const service = `
schedules:
  - name: Primary
    time_zone: Europe/Berlin
    layers:
      - name: Weekly
        people: [agent@example.com]
        shift_length: 1
        shift_unit: weeks
        handoff_time: '09:00'
        handoff_weekday: monday
        starts_on: '2026-01-05'
escalation_policies:
  - name: Network
    steps:
      - targets: [{ type: schedule, id: schedules/Primary }]
        wait_minutes: 10
inbound_webhooks:
  - { name: alerts, preset: pagerduty }
outbound_webhooks:
  - name: chat
    url: https://chat.example.com/hook
    events: [incident.created]
    headers: { X-Room: ops }
    sign_payloads: true
api_keys:
  - { name: nightly, role: viewer }
`;

it('applies a file, changes nothing the second time, and deletes only what it created', async () => {
  const { manager, json, itsm } = old;
  await manager.post('/webhooks/outbound', {
    name: 'by hand',
    url: 'https://hand.example.com',
    events: ['incident.created'],
  });
  const path = file('service.yaml');
  const whole = service + serviceLevels;
  writeFileSync(path, whole);
  const apply = (...args: string[]) => json('apply', '-f', path, ...args);
  const planned = await apply('--dry-run');
  expect(planned.steps.map((step: object) => Object.values(step).join(' '))).toEqual([
    'create calendars/Office',
    'create calendars/Tokyo',
    ...['Network P1', 'Network', 'Hardware', 'P2'].map((name) => `create sla_policies/${name}`),
    'create schedules/Primary',
    'create escalation_policies/Network',
    'create inbound_webhooks/alerts',
    'create outbound_webhooks/chat',
    'create api_keys/nightly',
  ]);
  expect((await manager.get('/schedules')).body.total).toBe(0);
  const first = await apply();
  expect(first).toMatchObject({ unmanaged: ['outbound_webhooks/by hand'] });
  expect(first.secrets['outbound_webhooks/chat']).toMatch(/^whsec_/);
  expect(Object.keys(first.secrets)).toEqual(['outbound_webhooks/chat', 'api_keys/nightly']);
  expect((await itsm('apply', '-f', path)).stdout).toBe('Nothing to change.\n');
  const findNamed = async (path: string, wanted: string) =>
    (await manager.get(path)).body.data.find(({ name }: { name: string }) => name === wanted);
  const hardware = await findNamed('/sla-policies', 'Hardware');
  expect(hardware.calendar_id).toBe((await findNamed('/calendars', 'Tokyo')).id);
  const [schedule] = (await manager.get('/schedules')).body.data;
  const [policy] = (await manager.get('/escalation-policies')).body.data;
  expect(policy.steps[0].targets).toMatchObject([{ id: schedule.id }]);

  // The role of a key cannot change, so that the key is replaced.
  const changed = whole
    .replace('wait_minutes: 10', 'wait_minutes: 5')
    .replace('role: viewer', 'role: itsm_agent')
    .replace("to: '20:00'", "to: '21:00'")
    .replace('resolve_minutes: 300', 'resolve_minutes: 360');
  writeFileSync(path, changed);
  expect((await itsm('apply', '-f', path, '--dry-run')).stdout).toMatch(
    /~ calendars\/Tokyo \(hours\)\n~ sla_policies\/P2 \(resolve_minutes\)\n~ escalation_policies\/Network \(steps\)\n± api_keys\/nightly/,
  );
  await apply();
  expect((await manager.get('/api-keys')).body.data).toMatchObject([{ name: 'nightly', role: 'itsm_agent' }]);
  const rest = [
    'sla_policies',
    'calendars',
    'escalation_policies',
    'inbound_webhooks',
    'outbound_webhooks',
    'api_keys',
  ];
  writeFileSync(
    path,
    service.slice(0, service.indexOf('escalation_policies')) + rest.map((name) => `${name}: []\n`).join(''),
  );
  const removed = await apply();
  expect(removed.steps.map(({ record }: { record: string }) => record)).toEqual([
    'api_keys/nightly',
    'outbound_webhooks/chat',
    'inbound_webhooks/alerts',
    'escalation_policies/Network',
    ...['Network P1', 'Network', 'Hardware', 'P2'].map((name) => `sla_policies/${name}`),
    'calendars/Office',
    'calendars/Tokyo',
  ]);
  expect((await manager.get('/webhooks/outbound')).body.data).toMatchObject([{ name: 'by hand' }]);
  expect((await apply('--prune')).steps).toEqual([{ action: 'delete', record: 'outbound_webhooks/by hand' }]);
  expect(Object.values(JSON.parse(readFileSync(`${path}.state.json`, 'utf8')))).toEqual([[schedule.id]]);
  await manager.delete(`/schedules/${schedule.id}`);
  writeFileSync(path, 'schedule: []\nschedules:\n  - time_zone: UTC\n');
  const wrong = await itsm('apply', '-f', path);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/schedule is unknown[\s\S]*needs a name/) });
});

it(
  'moves a company in from ServiceNow and out again, without losing a figure',
  async () => {
    writeFileSync(file('incidents.json'), JSON.stringify({ result: facts.map(({ row }) => row) }));
    writeFileSync(file('sys_audit.json'), JSON.stringify({ result: audit }));
    writeFileSync(file('sys_journal_field.json'), JSON.stringify({ result: journal }));
    writeFileSync(file('mapping.yaml'), mapping);
    writeFileSync(file('levels.yaml'), serviceLevels);
    expect((await old.json('apply', '-f', file('levels.yaml'))).steps).toHaveLength(6);
    const tables = ['--with', file('sys_audit.json'), '--with', file('sys_journal_field.json')];
    const args = ['import', 'servicenow', file('incidents.json'), '--mapping', file('mapping.yaml'), ...tables];

    const dry = await old.json(...args, '--dry-run');
    expect(dry).toMatchObject({ new: count, failed: 0 });
    expect(dry.losses).toContainEqual({ fate: 'left out', name: 'u_site', count });
    expect((await old.manager.get('/incidents')).body.total).toBe(0);
    expect(await old.json(...args)).toMatchObject({ new: count, already_there: 0, failed: 0 });
    expect(await old.json(...args)).toMatchObject({ new: 0, already_there: count, failed: 0 });
    expect((await old.manager.get('/events')).body.latest).toBe(0);

    // The figures equal those of the export.
    const [first] = await listIncidents(old.manager);
    expect(first).toMatchObject({
      opened_by: 'ada.lovelace@example.com',
      external_id: `servicenow ${facts[0]!.row.number}`,
    });
    const note = (await old.manager.get(`/incidents/${first!.id}/notes`)).body.data[0];
    expect(note).toMatchObject({
      author: 'grace.hopper@example.com',
      created_at: first!.created_at,
      visibility: 'public',
    });
    for (const group of [undefined, ...groups]) {
      const some = facts.filter(({ row }) => group === undefined || row.assignment_group === group);
      const resolved = some.filter(({ resolvedMs }) => resolvedMs !== undefined);
      const minutes = resolved.map(({ row, resolvedMs }) => (resolvedMs! - Date.parse(`${row.opened_at}Z`)) / 60_000);
      const figures = await readStatistics(old.manager, group ? `assignment_group=${encodeURIComponent(group)}` : '');
      expect(figures).toMatchObject({
        count: some.length,
        resolved: resolved.length,
        sla_breached: resolved.filter(isBreached).length,
        reopened: some.filter(({ row }) => row.reopen_count === '1').length,
      });
      const mean = minutes.reduce((sum, one) => sum + one, 0) / minutes.length;
      expect(figures.mean_time_to_resolve_minutes).toBeCloseTo(mean, 6);
    }

    // One problem behind 40 incidents.
    const problem = (await old.manager.post('/problems', { short_description: 'Faulty firmware' })).body;
    const ids = (await listIncidents(old.manager)).slice(0, 40).map(({ id }) => id);
    const update = { operation: 'update', ids, fields: { parent_problem_id: problem.id } };
    const { job_id } = (await old.manager.post('/incidents/bulk', update)).body;
    expect(await waitForJob(old.service, old.manager, job_id)).toMatchObject({ status: 'completed' });
    expect((await old.manager.get(`/problems/${problem.id}/incidents`)).body.total).toBe(40);
    const ci = (await old.manager.post('/cmdb/cis', { name: 'router-1', class: 'network' })).body;
    const change = (await old.manager.post('/changes', { short_description: 'Flash the firmware' })).body;
    const path = `/problems/${problem.id}`;
    await old.manager.patch(path, { state: 'assessed', ci_id: ci.id, change_ids: [change.id], root_cause: 'A leak.' });
    await old.manager.post(`${path}/notes`, { body: 'The vendor knows it.', visibility: 'private' });
    writeFileSync(file('relay.log'), 'refused');
    await old.itsm('attach', problem.id, file('relay.log'));
    await old.manager.patch(path, { state: 'resolved' });
    await old.manager.patch(path, { state: 'closed' });
    await old.manager.patch(`/incidents/${ids[0]}`, { ci_id: ci.id });

    // Everything moves to an empty service: incidents are equal field by field, and their notes and history, too.
    const exported = await old.json('export', file('everything.ndjson'), '--all');
    expect(exported.counts).toMatchObject({ incident: count, problem: 1, ci: 1, calendar: 2, sla_policy: 4 });
    const created = await startCompany('new');
    const { losses } = await created.json('import', file('everything.ndjson'), '--dry-run');
    expect(losses).toEqual(
      expect.arrayContaining([
        { fate: 'set', name: 'change.id', count: 1 },
        { fate: 'left out', name: 'ci.history', count: 1 },
        { fate: 'left out', name: 'notes.attachments', count: 1 },
      ]),
    );
    const moved = await created.json('import', file('everything.ndjson'));
    expect(moved).toMatchObject({ new: count + 9, already_there: 0, failed: 0 });
    expect(await created.json('import', file('everything.ndjson'))).toMatchObject({ new: 0, already_there: count + 9 });
    const newCi = (await created.manager.get('/cmdb/cis')).body.data[0];
    const withIds = (incident: Record<string, unknown>) => ({
      ...incident,
      ci_id: incident.ci_id === null ? null : newCi.id,
      ai_suggested_resolution: null,
    });
    const before = await listIncidents(old.manager);
    const after = await listIncidents(created.manager);
    expect(after.map((incident) => ({ ...incident, ai_suggested_resolution: null }))).toEqual(before.map(withIds));
    const readBoth = (query: string) =>
      Promise.all([old, created].map(async ({ manager }) => (await manager.get(query)).body));
    const [newChange] = (await created.manager.get('/changes')).body.data;
    const [closed, copy] = await readBoth(path);
    expect(closed.closed_at).not.toBeNull();
    expect(copy).toEqual({ ...closed, ci_id: newCi.id, change_ids: [newChange.id] });
    for (const record of [path, ...before.slice(0, 5).map(({ id }) => `/incidents/${id}`)]) {
      const [{ data: notes }, { data: copied }] = await readBoth(`${record}/notes`);
      expect(copied).toEqual(notes.map((note: object) => ({ ...note, attachments: [] })));
      const [{ data: history }, { data: kept }] = await readBoth(`${record}/history`);
      const omitOrigin = ({ origin: _, ...entry }: Record<string, unknown>) => entry;
      expect(kept.slice(0, -1).map(omitOrigin)).toEqual(history.map(omitOrigin));
    }
    const total = await readStatistics(old.manager, 'group_by=priority');
    expect(await readStatistics(created.manager, 'group_by=priority')).toEqual(total);
  },
  120_000 + count * 300,
);
