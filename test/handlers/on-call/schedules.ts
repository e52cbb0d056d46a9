import { call, expectProblem } from '../../support/http.ts';
import { type Fields, startTestService } from '../../support/incidents.ts';
import { aLayer, aPerson, aSchedule } from '../../support/on-call.ts';
import { createPerson } from '../../support/people.ts';

const { service, manager, agent, viewer } = await startTestService('manager', 'agent', 'viewer');
const [ana, ben] = await Promise.all([
  aPerson(service, 'ana.schedules@example.com'),
  aPerson(service, 'ben.schedules@example.com'),
  createPerson(service, 'cleo@example.com'),
]);
const people = [ana.email, ben.email];

const list = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);
const listShifts = async (id: string, from: string, to: string) =>
  (await viewer.get(`/schedules/${id}/shifts?from=${from}&to=${to}`)).body.shifts as Fields[];
const summarize = (shifts: Fields[]) =>
  shifts.map(({ starts_at, person, source }) => `${starts_at} ${person ?? 'nobody'} ${source}`);

describe('schedules', () => {
  it('list all problems of the layers', async () => {
    const { name: _, ...incomplete } = aLayer([], { handoff_weekday: null, starts_on: '2026-02-30' });
    const answer = await manager.post('/schedules', {
      name: 'x'.repeat(10_000),
      time_zone: 'Europe/Atlantis',
      layers: [incomplete],
    });
    expectProblem(answer, 400, 'invalid_input');
    expect(list(answer.body).sort()).toEqual([
      'layers[0].handoff_weekday',
      'layers[0].name',
      'layers[0].people',
      'layers[0].starts_on',
      'name',
      'time_zone',
    ]);
    const empty = await manager.post('/schedules', { name: 'A', time_zone: '+01:00', layers: [] });
    expect(list(empty.body).sort()).toEqual(['layers', 'time_zone']);
  });

  it('reject people who are not in the directory, and name all of them', async () => {
    const unknown = ['nobody@example.com', ana.email, 'agent@clients.incidents.localhost'];
    const body = { name: 'A', time_zone: 'UTC', layers: [aLayer(unknown)] };
    const created = await manager.post('/schedules', body);
    expectProblem(created, 400, 'invalid_input');
    expect(list(created.body)).toEqual(['layers[0].people[0]', 'layers[0].people[2]']);
    const { id } = (await aSchedule(manager, people)).body;
    const patched = await manager.patch(`/schedules/${id}`, { layers: body.layers });
    expect(list(patched.body)).toEqual(['layers[0].people[0]', 'layers[0].people[2]']);
  });

  it('are changed by managers and read by everybody with a role', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    const body = { name: 'A', time_zone: 'UTC', layers: [aLayer(people)] };
    expectProblem(await agent.post('/schedules', body), 403, 'forbidden');
    expectProblem(await agent.patch(`/schedules/${id}`, { name: 'B' }), 403, 'forbidden');
    expectProblem(await agent.delete(`/schedules/${id}`), 403, 'forbidden');
    expectProblem(await agent.post(`/schedules/${id}/calendar-key`, undefined), 403, 'forbidden');
    expectProblem(await viewer.post(`/schedules/${id}/overrides`, {}), 403, 'forbidden');
    expect((await viewer.get(`/schedules/${id}/overrides`)).status).toBe(200);
    for (const path of ['/schedules', `/schedules/${id}/shifts`, `/schedules/${id}/overrides`, '/on-call'])
      expectProblem(await call(service, `/v1${path}`, {}), 401, 'unauthorized');
  });

  it('are found by their people', async () => {
    const { id } = (await aSchedule(manager, ['cleo@example.com'], { name: 'Storage' })).body;
    const { data, total } = (await viewer.get('/schedules?people=Cleo@example.com')).body;
    expect([total, data[0].id]).toEqual([1, id]);
    expect((await viewer.get('/schedules?q=storage')).body.total).toBe(1);
  });
});

describe('shifts', () => {
  it('hand off at the same local time across both clock changes', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    expect(summarize(await listShifts(id, '2026-03-16T08:00:00Z', '2026-04-06T07:00:00Z'))).toEqual([
      '2026-03-16T08:00:00.000Z ana.schedules@example.com layer',
      '2026-03-23T08:00:00.000Z ben.schedules@example.com layer',
      '2026-03-30T07:00:00.000Z ana.schedules@example.com layer',
    ]);
    expect(summarize(await listShifts(id, '2026-10-19T07:00:00Z', '2026-11-02T08:00:00Z'))).toEqual([
      '2026-10-19T07:00:00.000Z ben.schedules@example.com layer',
      '2026-10-26T08:00:00.000Z ana.schedules@example.com layer',
    ]);
  });

  it('name gaps, and a later layer covers the gaps of an earlier one', async () => {
    const restrictions = [{ weekdays: ['monday'], from: '09:00', to: '17:00' }];
    const daily = { shift_unit: 'days', handoff_weekday: null, handoff_time: '00:00' };
    const layers = [
      aLayer([ana.email], { ...daily, restrictions }),
      aLayer([ben.email], { ...daily, restrictions: [{ ...restrictions[0], from: '16:00', to: '02:00' }] }),
    ];
    const { id } = (await aSchedule(manager, people, { time_zone: 'UTC', layers })).body;
    expect(summarize(await listShifts(id, '2026-03-02', '2026-03-04'))).toEqual([
      '2026-03-02T00:00:00.000Z nobody gap',
      '2026-03-02T09:00:00.000Z ana.schedules@example.com layer',
      '2026-03-02T17:00:00.000Z ben.schedules@example.com layer',
      '2026-03-03T02:00:00.000Z nobody gap',
    ]);
  });

  it('cover at most 92 days', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    const answer = await viewer.get(`/schedules/${id}/shifts?from=2026-01-01&to=2026-04-04`);
    expectProblem(answer, 400, 'invalid_input');
    expect(list(answer.body)).toEqual(['to']);
    expect(list((await viewer.get(`/schedules/${id}/shifts`)).body).sort()).toEqual(['from', 'to']);
    expectProblem(await viewer.get('/schedules/SCH0000000/shifts?from=2026-01-01&to=2026-01-02'), 404, 'not_found');
  });
});

describe('overrides', () => {
  const period = { starts_at: '2036-03-04T10:00:00+02:00', ends_at: '2036-03-04T12:00:00Z' };

  it('take precedence over layers, and the newest one over older ones', async () => {
    const { id } = (await aSchedule(manager, [ana.email], { time_zone: 'UTC' })).body;
    const { status, body: first } = await ben.post(`/schedules/${id}/overrides`, { person: ben.email, ...period });
    expect([status, first.starts_at]).toEqual([201, '2036-03-04T08:00:00.000Z']);
    const { body: second } = await manager.post(`/schedules/${id}/overrides`, {
      person: 'cleo@example.com',
      starts_at: '2036-03-04T09:00:00Z',
      ends_at: '2036-03-04T10:00:00Z',
    });
    const shifts = await listShifts(id, '2036-03-04', '2036-03-05');
    expect(summarize(shifts)).toEqual([
      '2036-03-04T00:00:00.000Z ana.schedules@example.com layer',
      '2036-03-04T08:00:00.000Z ben.schedules@example.com override',
      '2036-03-04T09:00:00.000Z cleo@example.com override',
      '2036-03-04T10:00:00.000Z ben.schedules@example.com override',
      '2036-03-04T12:00:00.000Z ana.schedules@example.com layer',
    ]);
    expect(shifts[2]).toMatchObject({ override_id: second.id, layer: null });
    expect((await viewer.get(`/schedules/${id}/overrides`)).body.overrides).toEqual([first, second]);
    expect((await ben.delete(`/schedules/${id}/overrides/${first.id}`)).status).toBe(204);
    expectProblem(await ben.delete(`/schedules/${id}/overrides/${first.id}`), 404, 'not_found');
    expectProblem(await ben.delete(`/schedules/${id}/overrides/${second.id}`), 403, 'forbidden');
    expect((await listShifts(id, '2036-03-04', '2036-03-05')).length).toBe(3);
    const history = (await viewer.get(`/schedules/${id}/history`)).body.data;
    expect(history.at(-1)).toMatchObject({ actor: ben.email, changes: { overrides: { from: [first], to: null } } });
  });

  it('are created once, for oneself by agents and for others by managers', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    const path = `/schedules/${id}/overrides`;
    expectProblem(await ben.post(path, { person: ana.email, ...period }), 403, 'forbidden');
    const body = { person: ben.email, ...period };
    const [one, two] = [await ben.post(path, body), await ben.post(path, body)];
    expect([one.status, two.body]).toEqual([201, one.body]);
    expect((await viewer.get(path)).body.overrides.length).toBe(1);
    expectProblem(await manager.post(path, { person: 'nobody@example.com', ...period }), 400, 'invalid_input');
    const past = { starts_at: '2020-01-01T00:00:00Z', ends_at: '2020-01-02T00:00:00Z' };
    expectProblem(await ben.post(path, { person: ben.email, ...past }), 400, 'invalid_input');
    const wrong = await ben.post(path, { person: 'x', starts_at: period.ends_at, ends_at: period.starts_at });
    expect(list(wrong.body).sort()).toEqual(['ends_at', 'person']);
    const long = await ben.post(path, { person: ben.email, ...period, ends_at: '2036-07-01T00:00:00Z' });
    expect(list(long.body)).toEqual(['ends_at']);
  });

  it('are limited in number', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    const dayMs = 86_400_000;
    for (let day = 0; day < 201; day++) {
      const [starts_at, ends_at] = [day, day + 1].map((each) =>
        new Date(Date.UTC(2036, 0, 1) + each * dayMs).toISOString(),
      );
      const { status } = await ben.post(`/schedules/${id}/overrides`, { person: ben.email, starts_at, ends_at });
      expect([day, status]).toEqual([day, day < 200 ? 201 : 409]);
      if (day % 50 === 49) await service.advance('1m', []);
    }
  });

  it('swap the shifts of two people', async () => {
    const { id } = (await aSchedule(manager, people, { time_zone: 'UTC' })).body;
    const shifts = await listShifts(id, '2036-03-03T09:00:00Z', '2036-03-17T09:00:00Z');
    const [first, second] = shifts.map(({ person, starts_at, ends_at }) => ({ person, starts_at, ends_at }));
    const swap = { first, second };
    expectProblem(await agent.post(`/schedules/${id}/swaps`, swap), 403, 'forbidden');
    const answers = [await ana.post(`/schedules/${id}/swaps`, swap), await ana.post(`/schedules/${id}/swaps`, swap)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    const swapped = await listShifts(id, '2036-03-03T09:00:00Z', '2036-03-17T09:00:00Z');
    expect(swapped.map(({ person, source }) => [person, source])).toEqual([
      [second?.person, 'override'],
      [first?.person, 'override'],
    ]);
    const wrong = await manager.post(`/schedules/${id}/swaps`, swap);
    expectProblem(wrong, 400, 'invalid_input');
    expect(list(wrong.body)).toEqual(['first']);
    expectProblem(await ana.post(`/schedules/${id}/swaps`, { first }), 400, 'invalid_input');
  });
});

describe('GET /on-call', () => {
  it('returns who is on call in each schedule, and the next hand-off', async () => {
    const { id } = (await aSchedule(manager, people, { name: 'Aardvarks' })).body;
    const { id: deleted } = (await aSchedule(manager, people, { name: 'Aaa' })).body;
    await manager.delete(`/schedules/${deleted}`);
    const { status, body } = await viewer.get('/on-call?at=2026-03-03T12:00:00Z');
    expect([status, body.at, body.truncated]).toEqual([200, '2026-03-03T12:00:00.000Z', false]);
    expect(body.data[0]).toEqual({
      schedule_id: id,
      schedule_name: 'Aardvarks',
      time_zone: 'Europe/Berlin',
      person: ana.email,
      until: '2026-03-09T08:00:00.000Z',
      next_person: ben.email,
    });
    expect((await viewer.get('/on-call')).body.data[0].person).toMatch(/@example\.com$/);
    expectProblem(await viewer.get('/on-call?at=never'), 400, 'invalid_input');
  });
});

describe('the calendar feed', () => {
  it('needs the current key and no token', async () => {
    const { id } = (await aSchedule(manager, people)).body;
    const get = async (key: string, query = '') => {
      const address = `${service.baseUrl}/prod/api/v1/schedules/${id}/calendar.ics?key=${key}${query}`;
      const response = await fetch(address);
      return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
    };
    expect((await get('x')).status).toBe(404);
    const { status, body } = await manager.post(`/schedules/${id}/calendar-key`, undefined);
    expect([status, body.url]).toEqual([201, expect.stringContaining(`/schedules/${id}/calendar.ics?key=${body.key}`)]);
    const feed = await get(body.key);
    expect([feed.status, feed.type]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(feed.text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/);
    expect(feed.text).toContain('SUMMARY:On call: ana.schedules@example.com (Network)');
    expect((await get(body.key, '&person=ben.schedules@example.com')).text).not.toContain('ana.schedules@example.com');
    expect((await viewer.get(`/schedules/${id}`)).body.calendar_key_created_at).toEqual(expect.any(String));
    expect(JSON.stringify((await viewer.get(`/schedules/${id}/history`)).body)).not.toContain(body.key);
    const { key: second } = (await manager.post(`/schedules/${id}/calendar-key`, undefined)).body;
    expect([(await get(body.key)).status, (await get(second)).status]).toEqual([404, 200]);
    expect((await manager.delete(`/schedules/${id}/calendar-key`)).status).toBe(204);
    expect((await get(second)).status).toBe(404);
    expect((await fetch(`${service.baseUrl}/prod/api/v1/schedules/${id}/calendar.ics`)).status).toBe(400);
  });
});
