import { expectAccess } from '../support/access.ts';
import { expectProblem } from '../support/http.ts';
import { type Api, anIncident, countCalls, type Fields, getApi, startTestService } from '../support/incidents.ts';

const { service } = await startTestService();
let [manager, agent, viewer]: Api[] = [];
/** Tokens live for an hour. */
const signIn = async () => {
  [manager, agent, viewer] = await Promise.all(
    (['manager', 'agent', 'viewer'] as const).map((name) => getApi(service, name)),
  );
};
beforeEach(signIn);

const minuteMs = 60_000;
const add = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * minuteMs).toISOString();
const everyDay = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

let names = 0;
const createCalendar = (fields: Fields = {}) =>
  manager!.post('/calendars', {
    name: `Calendar ${++names}`,
    time_zone: 'Europe/Berlin',
    hours: [{ weekdays: everyDay, from: '09:00', to: '17:00' }],
    ...fields,
  });

/** Functions cache policies for five seconds. */
async function createPolicy(fields: Fields = {}): Promise<{ id: string }> {
  const response = await manager!.post('/sla-policies', {
    name: `Policy ${++names}`,
    kind: 'incident',
    resolve_minutes: 60,
    ...fields,
  });
  expect(response).toMatchObject({ status: 201 });
  await service.advance('6s', []);
  return response.body;
}

async function sweep(minutes = 4): Promise<void> {
  await service.advanceThenRun(minutes, ['sweep-sla']);
  await signIn();
}

const getSla = async (id: string) => (await viewer!.get(`/incidents/${id}/sla`)).body;
const get = async (path: string) => (await viewer!.get(path)).body;

describe('a new service', () => {
  it('does not visit its records every minute, because no other targets were ever in force', async () => {
    await sweep();
    const before = await countCalls(service, 'sweep-sla', sweep);
    await anIncident(agent!);
    expect(await countCalls(service, 'sweep-sla', sweep)).toEqual(before);
    expect(await get('/sla-policies/recalculation')).toMatchObject({ status: 'completed', checked: 0 });
  });
});

describe('SLA policies', () => {
  it('have defaults and cover the records that they name', async () => {
    const policy = await createPolicy({ category: 'covered' });
    expect(policy).toMatchObject({ warning_percent: 75, pause_states: ['on_hold'], calendar_id: null, priority: null });
    const { body: covered } = await anIncident(agent!, { category: 'covered', priority: 'P4' });
    const { body: other } = await anIncident(agent!, { priority: 'P4' });
    expect(covered.sla_breach_at).toBe(add(covered.created_at, 60));
    expect(other.sla_breach_at).toBe(add(other.created_at, 4_320));
    expect(await getSla(covered.id)).toMatchObject({ policy: { id: policy.id }, target_minutes: 60, calendar: null });
    expect(await getSla(other.id)).toMatchObject({ policy: { id: null, name: 'Default' } });
  });

  it('apply with the most conditions, then by group, category and priority', async () => {
    const category = 'specific';
    const group = 'specific group';
    const targets = { category: 10, group: 20, priority: 30, both: 40 };
    await createPolicy({ category, resolve_minutes: targets.category });
    await createPolicy({ assignment_group: group, resolve_minutes: targets.group });
    await createPolicy({ priority: 'P2', resolve_minutes: targets.priority });
    await createPolicy({ category, priority: 'P2', resolve_minutes: targets.both });
    const measure = async (fields: Fields) => {
      const { body } = await anIncident(agent!, { priority: 'P3', ...fields });
      return (Date.parse(body.sla_breach_at) - Date.parse(body.created_at)) / minuteMs;
    };
    expect(await measure({ category })).toBe(targets.category);
    expect(await measure({ category, assignment_group: group })).toBe(targets.group);
    expect(await measure({ priority: 'P2', assignment_group: group })).toBe(targets.group);
    expect(await measure({ priority: 'P2', assignment_group: group, category })).toBe(targets.both);
    expect(await measure({ priority: 'P2' })).toBe(targets.priority);
  });

  it('reject a second policy for the same records with the names of both, also in an update', async () => {
    const first = await createPolicy({ name: 'First of two', category: 'twice' });
    const tie = await manager!.post('/sla-policies', {
      name: 'Second',
      kind: 'incident',
      category: 'twice',
      resolve_minutes: 5,
    });
    expectProblem(tie, 400, 'invalid_input', ['kind']);
    expect(tie.body.errors[0].message).toMatch(/“Second”.*“First of two” \(SLA/);
    const other = await createPolicy({ category: 'once' });
    expectProblem(await manager!.patch(`/sla-policies/${other.id}`, { category: 'twice' }), 400, 'invalid_input', [
      'kind',
    ]);
    expect((await manager!.delete(`/sla-policies/${first.id}`)).status).toBe(204);
    expect((await manager!.patch(`/sla-policies/${other.id}`, { category: 'twice' })).status).toBe(200);
  });

  it('are saved by one of two managers who create the same policy at the same time', async () => {
    const policy = { name: 'Same', kind: 'incident', category: 'race', resolve_minutes: 5 };
    const responses = await Promise.all([1, 2, 3].map(() => manager!.post('/sla-policies', policy)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('list all problems of a policy', async () => {
    const fields = { priority: 'P1', assignment_group: 'x', acknowledge_minutes: 5, pause_states: ['on_hold'] };
    const bad = { name: 'Bad', kind: 'request', resolve_minutes: 5, calendar_id: 'CAL0000000', ...fields };
    expectProblem(await manager!.post('/sla-policies', bad), 400, 'invalid_input', [
      'acknowledge_minutes',
      'assignment_group',
      'calendar_id',
      'pause_states',
      'priority',
    ]);
    const wrong = { name: '', kind: 'ci', resolve_minutes: 0, warning_percent: 100 };
    const names = ['kind', 'name', 'resolve_minutes', 'warning_percent'];
    expectProblem(await manager!.post('/sla-policies', wrong), 400, 'invalid_input', names);
  });

  it('have a history, an ETag and a list', async () => {
    const { id } = await createPolicy({ category: 'recorded', description: 'Old' });
    const stale = await manager!.patch(`/sla-policies/${id}`, { description: 'x' }, { 'if-match': '"9-0"' });
    expectProblem(stale, 412, 'precondition_failed');
    await manager!.patch(`/sla-policies/${id}`, { description: null });
    const { data } = await get(`/sla-policies/${id}/history`);
    expect(data.at(-1).changes).toEqual({ description: { from: 'Old', to: null } });
    expect((await get(`/sla-policies?id=${id}&kind=incident`)).data).toMatchObject([{ id, description: null }]);
  });

  it('require a manager', async () => {
    await expectAccess(service, [
      ['GET', '/sla-policies'],
      ['GET', '/sla-policies/recalculation'],
      ['POST', '/sla-policies', 'itsm_manager'],
      ['PATCH', '/sla-policies/SLA0000000', 'itsm_manager'],
      ['DELETE', '/sla-policies/SLA0000000', 'itsm_manager'],
      ['GET', '/calendars'],
      ['POST', '/calendars', 'itsm_manager'],
      ['PATCH', '/calendars/CAL0000000', 'itsm_manager'],
      ['DELETE', '/calendars/CAL0000000', 'itsm_manager'],
      ['POST', '/calendars/CAL0000000/holidays', 'itsm_manager'],
    ]);
    expectProblem(await agent!.post('/sla-policies', {}), 403, 'forbidden');
    expectProblem(await agent!.post('/calendars', {}), 403, 'forbidden');
    expectProblem(await manager!.get('/sla-policies/SLA0000000'), 404, 'not_found');
  });
});

describe('a changed policy', () => {
  it('reaches open records in the background, and says how many', async () => {
    const category = 'changed';
    const policy = await createPolicy({ category });
    const make = async (...states: string[]) => {
      const { id } = (await anIncident(agent!, { category })).body;
      for (const state of states) await agent!.patch(`/incidents/${id}`, { state });
      return get(`/incidents/${id}`);
    };
    const [open, paused, resolved] = [
      await make(),
      await make('in_progress', 'on_hold'),
      await make('in_progress', 'resolved'),
    ];
    const before = await getSla(resolved.id);
    await sweep();
    expect(await get('/sla-policies/recalculation')).toMatchObject({ status: 'completed' });
    await manager!.patch(`/sla-policies/${policy.id}`, { resolve_minutes: 300 });
    // Nothing shows two different times in between.
    expect((await get(`/incidents/${open.id}`)).sla_breach_at).toBe((await getSla(open.id)).breach_at);
    expect(await get('/sla-policies/recalculation')).toMatchObject({ status: 'pending', changed: 0 });
    await sweep();
    expect(await get('/sla-policies/recalculation')).toMatchObject({ status: 'completed', changed: 2, failed: 0 });
    expect((await get(`/incidents/${open.id}`)).sla_breach_at).toBe(add(open.created_at, 300));
    expect(await getSla(paused.id)).toMatchObject({ target_minutes: 300, clock: 'paused' });
    expect(await getSla(resolved.id)).toMatchObject({ target_minutes: 60, running_ms: before.running_ms });
    const { data } = await get(`/incidents/${open.id}/history`);
    const change = { from: open.sla_breach_at, to: add(open.created_at, 300) };
    expect(data.at(-1)).toMatchObject({ actor: 'sla', changes: { sla_breach_at: change } });
    const listed = await get(`/incidents?category=${category}&sort=sla_breach_at&order=asc`);
    expect(listed.data[0]).toMatchObject({ id: open.id, sla_breach_at: add(open.created_at, 300) });
    await manager!.delete(`/sla-policies/${policy.id}`);
    await sweep();
    expect(await getSla(open.id)).toMatchObject({ policy: { id: null }, target_minutes: 1_440 });
  });

  it('moves or takes back a breach, so that there is only one time', async () => {
    const category = 'taken back';
    const policy = await createPolicy({ category });
    const { body: incident } = await anIncident(agent!, { category });
    await sweep(70);
    const path = `/incidents/${incident.id}`;
    expect(await get(path)).toMatchObject({ sla_breached_at: add(incident.created_at, 60) });
    await agent!.patch(path, { state: 'in_progress' });
    await agent!.patch(path, { state: 'on_hold' });
    const held = { sla_breach_at: null, sla_breached_at: add(incident.created_at, 60) };
    expect(await get(path)).toMatchObject(held);
    expect(await getSla(incident.id)).toMatchObject({
      clock: 'paused',
      breached: true,
      breached_at: held.sla_breached_at,
    });
    await manager!.patch(`/sla-policies/${policy.id}`, { resolve_minutes: 30 });
    await sweep();
    expect(await get(path)).toMatchObject({ sla_breached_at: add(incident.created_at, 30) });
    await manager!.patch(`/sla-policies/${policy.id}`, { resolve_minutes: 600 });
    await sweep();
    expect(await get(path)).toMatchObject({ sla_breached_at: null });
    expect(await getSla(incident.id)).toMatchObject({ breached: false, breached_at: null });
    const { data } = await get('/events?limit=200');
    const own = data.filter((event: { data: { id: string } }) => event.data.id === incident.id);
    const breaches = own.filter(({ event }: { event: string }) => event === 'sla.breached');
    expect(breaches).toMatchObject([{ data: { target: 'resolve', breached_at: add(incident.created_at, 60) } }]);
  });
});

describe('calendars', () => {
  it('stop the clock outside their hours, step by step', async () => {
    const { body: calendar } = await createCalendar();
    await createPolicy({ category: 'office', calendar_id: calendar.id, resolve_minutes: 480 });
    const { body: incident } = await anIncident(agent!, { category: 'office' });
    await service.advance('24h', []);
    await signIn();
    const sla = await getSla(incident.id);
    expect(sla.calendar).toEqual({ id: calendar.id, name: calendar.name, time_zone: 'Europe/Berlin' });
    expect(new Set(sla.intervals.map(({ clock }: { clock: string }) => clock))).toEqual(new Set(['running', 'closed']));
    // Any 24 hours without a clock change have eight open ones.
    expect(sla.running_ms + sla.closed_ms).toBe(sla.elapsed_ms);
    expect(Math.abs(sla.running_ms - 8 * 60 * minuteMs)).toBeLessThan(minuteMs);
    for (const [index, { from }] of sla.intervals.slice(1).entries()) expect(sla.intervals[index].to).toBe(from);
  });

  it('recalculate the records of their policies, and cannot be deleted while a policy uses them', async () => {
    const { body: calendar } = await createCalendar({ hours: [{ weekdays: everyDay, from: '00:00', to: '00:00' }] });
    const policy = await createPolicy({ category: 'always', calendar_id: calendar.id, resolve_minutes: 2_880 });
    const { body: incident } = await anIncident(agent!, { category: 'always' });
    expect(incident.sla_breach_at).toBe(add(incident.created_at, 2_880));
    // The day of the calendar's time zone, which is ahead of UTC.
    const tomorrow = new Date(add(incident.created_at, 1_440)).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' });
    await manager!.patch(`/calendars/${calendar.id}`, { holidays: [{ date: tomorrow, name: 'Fair' }] });
    await sweep();
    expect((await get(`/incidents/${incident.id}`)).sla_breach_at).toBe(add(incident.created_at, 2 * 2_880 - 1_440));
    const refused = await manager!.delete(`/calendars/${calendar.id}`);
    expectProblem(refused, 409, 'in_use');
    expect(refused.body.used_by).toMatchObject([{ id: policy.id }]);
    await manager!.delete(`/sla-policies/${policy.id}`);
    expect((await manager!.delete(`/calendars/${calendar.id}`)).status).toBe(204);
  });

  it('must open within 90 days, and targets must end within 400', async () => {
    const { time } = await get('/health');
    const holidays = Array.from({ length: 120 }, (_, day) => ({
      date: add(time, (10 + day) * 1_440).slice(0, 10),
      name: 'Closed',
    }));
    expectProblem(await createCalendar({ holidays }), 400, 'invalid_input', ['hours']);
    const { body } = await createCalendar({ hours: [{ weekdays: ['monday'], from: '09:00', to: '10:00' }] });
    const late = { name: 'Late', kind: 'incident', category: 'late', calendar_id: body.id, resolve_minutes: 4_800 };
    expectProblem(await manager!.post('/sla-policies', late), 400, 'invalid_input', ['resolve_minutes']);
    const wrong = { time_zone: 'Mars/Base', hours: [], holidays: [{ date: '2026-02-30', name: 'x' }] };
    expectProblem(await createCalendar(wrong), 400, 'invalid_input', ['holidays[0].date', 'hours', 'time_zone']);
  });

  it('import holidays from an iCalendar file', async () => {
    const { body: calendar } = await createCalendar({
      holidays: [{ date: '2030-01-01', name: 'New Year', yearly: true }],
    });
    const year = Number((await get('/health')).time.slice(0, 4)) + 1;
    const toEvent = (...lines: string[]) => ['BEGIN:VEVENT', `UID:${++names}`, ...lines, 'END:VEVENT'];
    const icalendar = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...toEvent(`DTSTART;VALUE=DATE:${year}0101`, 'SUMMARY:Known'),
      ...toEvent(`DTSTART;VALUE=DATE:${year}1224`, `DTEND;VALUE=DATE:${year}1227`, 'SUMMARY:Christmas'),
      ...toEvent('DTSTART;VALUE=DATE:20200501', 'RRULE:FREQ=YEARLY', 'SUMMARY:Labour Day'),
      ...toEvent('DTSTART;VALUE=DATE:20201126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH', 'SUMMARY:Thanksgiving'),
      ...toEvent(`DTSTART:${year}0601T090000Z`, 'SUMMARY:Meeting'),
      ...toEvent('DTSTART;VALUE=DATE:20100101', 'SUMMARY:Long ago'),
      'END:VCALENDAR',
    ].join('\r\n');
    const send = () => manager!.post(`/calendars/${calendar.id}/holidays`, { icalendar });
    const { status, body } = await send();
    expect(status).toBe(200);
    const found = body.calendar.holidays.map(
      ({ date, name, yearly }: Fields) => `${name} ${String(date).slice(5)} ${yearly}`,
    );
    expect(found).toEqual(
      expect.arrayContaining(['Christmas 12-24 false', 'Christmas 12-26 false', 'Labour Day 05-01 true']),
    );
    expect(found.filter((name: string) => name.startsWith('Thanksgiving')).length).toBeGreaterThanOrEqual(2);
    expect(found).not.toContain('Known 01-01 false');
    expect(body.skipped).toEqual([
      { name: 'Meeting', reason: 'has a time of day' },
      { name: 'Long ago', reason: 'is over, or begins in more than three years' },
    ]);
    expect((await send()).body).toMatchObject({ added: 0 });
    const never = toEvent('DTSTART;VALUE=DATE:20260101', 'RRULE:FREQ=YEARLY;BYDAY=6MO;BYMONTH=2', 'SUMMARY:Never');
    const file = ['BEGIN:VCALENDAR', ...never, ...never, 'END:VCALENDAR'].join('\r\n');
    const nothing = await manager!.post(`/calendars/${calendar.id}/holidays`, { icalendar: file });
    expect(nothing).toMatchObject({ status: 200, body: { added: 0, skipped: [{ name: 'Never' }, { name: 'Never' }] } });
    const text = { icalendar: 'Dear Sir or Madam' };
    expectProblem(await manager!.post(`/calendars/${calendar.id}/holidays`, text), 400, 'invalid_input', ['icalendar']);
  });
});

describe('targets of a policy', () => {
  it('for the acknowledgement have their own breach, and are met by the first acknowledgement', async () => {
    await createPolicy({ category: 'ack', acknowledge_minutes: 10 });
    const [late, met] = [
      (await anIncident(agent!, { category: 'ack' })).body,
      (await anIncident(agent!, { category: 'ack' })).body,
    ];
    await agent!.post(`/incidents/${met.id}/acknowledge`, {});
    await sweep(15);
    const breached_at = add(late.created_at, 10);
    expect((await getSla(late.id)).acknowledge).toMatchObject({
      target_minutes: 10,
      breached_at,
      acknowledged_at: null,
    });
    expect((await getSla(met.id)).acknowledge).toMatchObject({
      breached_at: null,
      acknowledged_at: expect.any(String),
    });
    const { data } = await get('/events?limit=200');
    const breaches = data.filter(({ event }: { event: string }) => event === 'sla.breached');
    const ids = breaches.filter((event: { data: Fields }) => event.data.target === 'acknowledge');
    expect(ids).toMatchObject([{ data: { id: late.id, breached_at } }]);
  });

  it('cover changes and requests, and pause in the states of the policy', async () => {
    const plain = (await agent!.post('/requests', { short_description: 'A chair', item: 'chair' })).body;
    expect(plain).toMatchObject({ sla_breach_at: null, sla_breached_at: null });
    await createPolicy({ kind: 'request', category: 'chair', resolve_minutes: 30, pause_states: ['submitted'] });
    await createPolicy({ kind: 'change', category: 'emergency', assignment_group: 'storage', resolve_minutes: 30 });
    const change = (
      await agent!.post('/changes', { short_description: 'Disk', type: 'emergency', assignment_group: 'storage' })
    ).body;
    expect(change.sla_breach_at).toBe(add(change.created_at, 30));
    const request = (await agent!.post('/requests', { short_description: 'Another chair', item: 'chair' })).body;
    expect(request.sla_breach_at).toBeNull();
    const approved = (await manager!.post(`/requests/${request.id}/approve`, {})).body;
    expect(approved.sla_breach_at).toBe(add(approved.updated_at, 30));
    await sweep(45);
    // The request that was there before is covered, and its clock pauses from now on.
    expect(await get(`/changes/${change.id}`)).toMatchObject({ sla_breached_at: add(change.created_at, 30) });
    expect(await get(`/requests/${request.id}`)).toMatchObject({ sla_breached_at: add(approved.updated_at, 30) });
    expect((await get('/changes?sla=breached')).data).toMatchObject([{ id: change.id }]);
    expect((await get('/requests?sla=breached&sort=sla_breach_at')).data).toMatchObject([{ id: request.id }]);
    // Requests have no group, so the managers hear of them.
    const listNotified = async () => {
      const { data } = (await manager!.get('/notifications')).body;
      return data.filter(({ record_id }: Fields) => record_id === request.id && record_id);
    };
    const notified = await listNotified();
    expect(notified[0]).toMatchObject({ event: 'sla.breached', short_description: 'Another chair' });
    expect(notified[0].done).toBeUndefined();
    await agent!.patch(`/requests/${request.id}`, { state: 'fulfilled' });
    const quick = (await agent!.post('/requests', { short_description: 'A third chair', item: 'chair' })).body;
    await manager!.post(`/requests/${quick.id}/approve`, {});
    await agent!.patch(`/requests/${quick.id}`, { state: 'fulfilled' });
    await sweep();
    expect((await listNotified())[0]).toMatchObject({ event: 'sla.breached', done: true });
    const uncovered = (await agent!.post('/requests', { short_description: 'A desk', item: 'desk' })).body;
    await manager!.post(`/requests/${uncovered.id}/approve`, {});
    await agent!.patch(`/requests/${uncovered.id}`, { state: 'fulfilled' });
    const figures = { sla_met: 1, sla_breached: 1, sla_attainment: 0.5 };
    expect(await get('/requests/statistics?item=chair')).toMatchObject({ resolved: 2, ...figures });
    expect(await get('/requests/statistics?item=desk')).toMatchObject({
      resolved: 1,
      sla_met: 0,
      sla_attainment: null,
    });
    const { data } = await get('/events?limit=200');
    const breached = data.filter(({ event }: { event: string }) => event === 'sla.breached');
    expect(breached.map((event: { data: Fields }) => event.data.id)).toEqual(
      expect.arrayContaining([change.id, request.id]),
    );
    const history = (await get(`/changes/${change.id}/history`)).data;
    expect(JSON.stringify(history)).not.toContain('phases');
  });
});
