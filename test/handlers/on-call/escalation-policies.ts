import { call, expectProblem, getToken } from '../../support/http.ts';
import { type Fields, startTestService } from '../../support/incidents.ts';
import { aPerson, aSchedule } from '../../support/on-call.ts';

const { service, manager, agent, viewer } = await startTestService('manager', 'agent', 'viewer');
const [ana, ben] = await Promise.all([aPerson(service, 'ana@example.com'), aPerson(service, 'ben@example.com')]);

const person = { type: 'person', id: ana.email };
const list = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);
const create = (fields: Fields = {}) =>
  manager.post('/escalation-policies', {
    name: 'Outages',
    steps: [{ targets: [person], wait_minutes: 5 }],
    ...fields,
  });
const put = async (group: string, body: unknown, token = 'manager') =>
  call(service, `/v1/groups/${encodeURIComponent(group)}/paging`, {
    method: 'PUT',
    token: await getToken(service, token as 'manager'),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('escalation policies', () => {
  it('have defaults, and store people in lower case', async () => {
    const { status, body } = await create({
      steps: [{ targets: [{ ...person, id: 'Ana@Example.com' }], wait_minutes: 1 }],
    });
    expect([status, body]).toMatchObject([
      201,
      { repeat: 0, acknowledgement_expires_minutes: null, steps: [{ targets: [person], wait_minutes: 1 }] },
    ]);
  });

  it('reject targets that can never page anybody, and list all of them', async () => {
    const { id: deleted } = (await aSchedule(manager, [ana.email])).body;
    await manager.delete(`/schedules/${deleted}`);
    const targets = [
      { type: 'schedule', id: deleted },
      { type: 'schedule', id: 'SCH0000000' },
      { type: 'person', id: 'nobody@example.com' },
      { type: 'group', id: 'nobody follows this' },
      person,
    ];
    const steps = [{ targets, wait_minutes: 5 }];
    const fields = [0, 1, 2, 3].map((place) => `steps[0].targets[${place}].id`);
    const created = await create({ steps });
    expectProblem(created, 400, 'invalid_input');
    expect(list(created.body).sort()).toEqual(fields);
    const { id } = (await create()).body;
    expect(list((await manager.patch(`/escalation-policies/${id}`, { steps })).body).sort()).toEqual(fields);
  });

  it('reject invalid steps and list all problems', async () => {
    const target = { type: 'schedule', id: ana.email };
    const answer = await create({
      name: 'x'.repeat(10_000),
      repeat: 10,
      steps: [
        { targets: [], wait_minutes: 0 },
        { targets: [target], wait_minutes: 121 },
        { targets: [person, person], wait_minutes: 5 },
      ],
    });
    expectProblem(answer, 400, 'invalid_input');
    expect(list(answer.body).sort()).toEqual([
      'name',
      'repeat',
      'steps[0].targets',
      'steps[0].wait_minutes',
      'steps[1].targets[0].id',
      'steps[1].wait_minutes',
      'steps[2].targets',
    ]);
    expect(list((await create({ steps: [] })).body)).toEqual(['steps']);
  });

  it('are changed by managers and read by everybody with a role', async () => {
    const { id } = (await create()).body;
    expectProblem(await agent.post('/escalation-policies', {}), 403, 'forbidden');
    expectProblem(await agent.patch(`/escalation-policies/${id}`, { repeat: 1 }), 403, 'forbidden');
    expectProblem(await agent.delete(`/escalation-policies/${id}`), 403, 'forbidden');
    expect((await viewer.get(`/escalation-policies/${id}`)).body.id).toBe(id);
    expectProblem(await call(service, '/v1/escalation-policies', {}), 401, 'unauthorized');
  });

  it('protect their schedules from deletion until they no longer use them', async () => {
    const { id: schedule } = (await aSchedule(manager, [ana.email])).body;
    const steps = [{ targets: [{ type: 'schedule', id: schedule }], wait_minutes: 5 }];
    const [first, second] = [(await create({ steps, name: 'First' })).body, (await create({ steps })).body];
    const refused = await manager.delete(`/schedules/${schedule}`);
    expectProblem(refused, 409, 'in_use');
    expect(refused.body.used_by).toEqual(
      expect.arrayContaining([
        { id: first.id, name: 'First' },
        { id: second.id, name: 'Outages' },
      ]),
    );
    await manager.patch(`/escalation-policies/${first.id}`, { steps: [{ targets: [person], wait_minutes: 5 }] });
    expectProblem(await manager.delete(`/schedules/${schedule}`), 409, 'in_use');
    await manager.delete(`/escalation-policies/${second.id}`);
    expect((await manager.delete(`/schedules/${schedule}`)).status).toBe(204);
  });

  it('may name a group whose members follow it', async () => {
    const group = 'night watch';
    const steps = [{ targets: [{ type: 'group', id: group }], wait_minutes: 5 }];
    expectProblem(await create({ steps }), 400, 'invalid_input');
    await ben.patch('/notifications/settings', { groups: [group] });
    expect((await create({ steps })).status).toBe(201);
    await ben.patch('/notifications/settings', { groups: [] });
    expectProblem(await create({ steps }), 400, 'invalid_input');
  });

  it('may name a group of the user pool', async () => {
    const { id } = (await create()).body;
    const steps = [{ targets: [{ type: 'group', id: 'operators' }], wait_minutes: 5 }];
    expectProblem(await manager.patch(`/escalation-policies/${id}`, { steps }), 400, 'invalid_input');
    const known = [{ targets: [{ type: 'group', id: 'itsm_agent' }], wait_minutes: 5 }];
    expect((await manager.patch(`/escalation-policies/${id}`, { steps: known })).status).toBe(200);
    expect((await create({ steps: known })).status).toBe(201);
  });
});

describe('paging settings of a group', () => {
  const group = 'identity and access';

  it('page nobody by default', async () => {
    const { status, body } = await viewer.get(`/groups/${encodeURIComponent(group)}/paging`);
    expect([status, body]).toEqual([
      200,
      { group, escalation_policy_id: null, priorities: ['P1', 'P2'], updated_by: null, updated_at: null },
    ]);
  });

  it('protect their policy from deletion, and are listed', async () => {
    const [{ body: first }, { body: second }] = [await create(), await create()];
    const { status, body, headers } = await put(group, { escalation_policy_id: first.id });
    expect([status, body.priorities, headers.get('x-warnings')]).toEqual([
      200,
      ['P1', 'P2'],
      '[{"field":"name","message":"is not in the directory"}]',
    ]);
    const refused = await manager.delete(`/escalation-policies/${first.id}`);
    expectProblem(refused, 409, 'in_use');
    expect(refused.body.used_by).toEqual([{ id: group, name: group }]);
    const changed = await put(group, { escalation_policy_id: second.id, priorities: ['P1'] });
    const listed: Fields[] = (await viewer.get('/groups/paging')).body.groups;
    expect(listed.filter((each) => each.group === group)).toEqual([changed.body]);
    expect((await manager.delete(`/escalation-policies/${first.id}`)).status).toBe(204);
    await put(group, { escalation_policy_id: null });
    expect((await manager.delete(`/escalation-policies/${second.id}`)).status).toBe(204);
  });

  it('reject unknown policies, empty priorities and other roles', async () => {
    expectProblem(await put(group, { escalation_policy_id: 'ESC0000000' }), 400, 'invalid_input');
    const wrong = await put(group, { escalation_policy_id: 'x', priorities: [], colour: 'red' });
    expect(list(wrong.body).sort()).toEqual(['colour', 'escalation_policy_id', 'priorities']);
    expectProblem(await put(group, { escalation_policy_id: null }, 'agent'), 403, 'forbidden');
    expectProblem(await call(service, '/v1/groups/a/paging', {}), 401, 'unauthorized');
    const { id } = (await create()).body;
    await manager.delete(`/escalation-policies/${id}`);
    expectProblem(await put(group, { escalation_policy_id: id }), 400, 'invalid_input');
  });
});
