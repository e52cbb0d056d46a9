import { buildPageInsert } from '../../../lambdas/oncall/pages/page.ts';
import { newPage } from '../../../lambdas/oncall/pages/start-pages.ts';
import { call, expectProblem } from '../../support/http.ts';
import { anIncident, anIncidentIn, getApi, startTestService } from '../../support/incidents.ts';
import { aLayer, aSchedule } from '../../support/on-call.ts';
import { readOutbox } from '../../support/outbox.ts';
import {
  anIncidentThatPages,
  aPagingGroup,
  aPolicy,
  listPages,
  readLinks,
  storeItems,
  toPerson,
} from '../../support/paging.ts';
import { createPerson } from '../../support/people.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

const [ada, grace] = ['ada.pages@example.com', 'grace.pages@example.com'];
await createPerson(service, ada, 'itsm_agent');
await createPerson(service, grace, 'itsm_agent');

const twoSteps = await aPolicy(manager, [[toPerson(ada)], [toPerson(grace)]], { repeat: 1 });
const group = await aPagingGroup(manager, twoSteps);

/** Its first shift is far in the future. */
const { body: empty } = await aSchedule(manager, [ada], { layers: [aLayer([ada], { starts_on: '2099-01-05' })] });
const emptySchedule = { type: 'schedule' as const, id: empty.id };

const toStates = (pages: { state: string }[]) => pages.map(({ state }) => state);

describe('a page', () => {
  it('starts with the first step of the policy of the group', async () => {
    const id = await anIncidentThatPages(service, agent, group);
    const [page, ...others] = await listPages(viewer, id);
    expect(others).toEqual([]);
    expect(page).toMatchObject({
      incident_id: id,
      state: 'paging',
      trigger: 'created',
      step: 1,
      repetition: 0,
      target: { type: 'policy', id: twoSteps },
      people: [{ person: ada, via: 'directly' }],
      ended_at: null,
      messages: [{ to: ada, channel: 'email', outcome: 'sent' }],
    });
    expect(Date.parse(page.next_step_at) - Date.parse(page.people[0].paged_at)).toBe(5 * 60_000);
    const [message] = await readOutbox(service, ada);
    expect(message!.text).toContain(id);
  });

  it('takes the next step after its wait, repeats all steps, and ends loudly when nobody answers', async () => {
    const id = await anIncidentThatPages(service, agent, group);
    await service.advance('5m', []);
    const [second] = await listPages(agent, id);
    expect(second).toMatchObject({ step: 2, repetition: 0, people: [{ person: ada }, { person: grace }] });
    await service.advance('5m', []);
    expect((await listPages(agent, id))[0]).toMatchObject({ step: 1, repetition: 1 });
    await service.advance('5m', []);
    await service.advance('5m', []);
    const [page] = await listPages(agent, id);
    expect(page).toMatchObject({ state: 'exhausted', next_step_at: null, acknowledged_by: null });
    expect(page.messages.map(({ to }: { to: string }) => to)).toEqual([ada, grace, ada, grace]);
    expect(new Set(page.messages.map(({ message_id }: { message_id: string }) => message_id)).size).toBe(4);
    const { body: notes } = await agent.get(`/incidents/${id}/notes`);
    expect(notes.data).toEqual([expect.objectContaining({ author: 'paging', body: expect.stringMatching(/NOBODY/) })]);
    const { body: events } = await manager.get(`/events?record_id=${id}&type=incident.escalated`);
    expect(events.data.map(({ data }: { data: { escalation: object } }) => data.escalation)).toEqual(
      [
        [2, 0],
        [1, 1],
        [2, 1],
      ].map(([step, repetition]) => ({ page_id: page.id, step, repetition })),
    );
  });

  it('stops when somebody acknowledges', async () => {
    const id = await anIncidentThatPages(service, agent, group);
    const { body } = await agent.post(`/incidents/${id}/acknowledge`, undefined);
    const [page] = await listPages(agent, id);
    expect(page).toMatchObject({ state: 'acknowledged', next_step_at: null, acknowledged_by: body.acknowledged_by });
    await service.advance('30m', []);
    expect((await listPages(agent, id))[0]).toEqual(page);
  });

  it.each([
    ['resolved', [{ state: 'in_progress' }, { state: 'resolved' }]],
    ['cancelled', [{ state: 'cancelled' }]],
    ['lowered below the priorities that page', [{ priority: 'P3' }]],
    ['handed to a group that does not page', [{ assignment_group: 'facility' }]],
  ])('ends when the incident is %s', async (_what, patches) => {
    const id = await anIncidentThatPages(service, agent, group);
    for (const patch of patches) await agent.patch(`/incidents/${id}`, patch);
    await service.advance('1s', []);
    expect(toStates(await listPages(agent, id))).toEqual(['ended']);
    const sent = (await readOutbox(service, grace)).length;
    await service.advance('10m', []);
    expect(await readOutbox(service, grace)).toHaveLength(sent);
  });

  it('ends when the incident is deleted', async () => {
    const id = await anIncidentThatPages(service, agent, group);
    const [link] = await readLinks(service, ada, id);
    await manager.delete(`/incidents/${id}`);
    await service.advance('1s', []);
    expectProblem(await agent.get(`/incidents/${id}/pages`), 404, 'not_found');
    const response = await fetch(link!);
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining('deleted')]);
  });

  it('of another group starts when the incident is reassigned', async () => {
    const other = await aPagingGroup(manager, twoSteps);
    const id = await anIncidentThatPages(service, agent, group);
    await agent.patch(`/incidents/${id}`, { assignment_group: other });
    await service.advance('1s', []);
    const pages = await listPages(agent, id);
    expect(pages.map(({ state, trigger }) => [state, trigger])).toEqual([
      ['paging', 'reassigned'],
      ['ended', 'created'],
    ]);
  });

  it('starts when the priority is raised and when the incident is reopened', async () => {
    const id = await anIncidentThatPages(service, agent, group, { priority: 'P4' });
    expect(await listPages(agent, id)).toEqual([]);
    await agent.patch(`/incidents/${id}`, { priority: 'P2' });
    await service.advance('1s', []);
    await agent.patch(`/incidents/${id}`, { priority: 'P1' });
    await service.advance('1s', []);
    expect(toStates(await listPages(agent, id))).toEqual(['paging']);
    for (const state of ['in_progress', 'resolved', 'reopened']) await agent.patch(`/incidents/${id}`, { state });
    await service.advance('1s', []);
    const pages = await listPages(agent, id);
    expect(pages.map(({ state, trigger }) => [state, trigger])).toEqual([
      ['paging', 'reopened'],
      ['ended', 'priority_raised'],
    ]);
  });

  it('skips a step without people at once', async () => {
    const policy = await aPolicy(manager, [[emptySchedule], [toPerson(grace)]]);
    const id = await anIncidentThatPages(service, agent, await aPagingGroup(manager, policy));
    const [page] = await listPages(agent, id);
    expect(page).toMatchObject({ step: 2, people: [{ person: grace }] });
    expect(page.log.map(({ kind }: { kind: string }) => kind)).toEqual(['started', 'skipped', 'paged']);
  });

  it('pages everybody in a group', async () => {
    const policy = await aPolicy(manager, [[{ type: 'group', id: 'itsm_agent' }]]);
    const id = await anIncidentThatPages(service, agent, await aPagingGroup(manager, policy));
    const [{ people }] = await listPages(agent, id);
    expect(people.map(({ person, via }: { person: string; via: string }) => [person, via])).toEqual(
      expect.arrayContaining([ada, grace].map((person) => [person, 'group itsm_agent'])),
    );
  });

  it('continues when its message was lost in a crash', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P1' });
    const steps = [{ targets: [toPerson(grace)], wait_minutes: 5 }];
    const document = newPage(incident.id, incident, {
      target: { type: 'policy', id: twoSteps, name: 'Network' },
      steps,
      repeat: 0,
      acknowledgement_expires_minutes: null,
      trigger: 'created',
      requested_by: ada,
      created_at: incident.created_at,
      ci_id: null,
      group: null,
      priorities: null,
      text: 'The incident was created.',
    });
    await storeItems(service, buildPageInsert('PAG000000000001', document));
    await service.advance('1s', []);
    expect((await listPages(agent, incident.id))[0].people).toEqual([]);
    await service.advance('2m', ['sweep-pages']);
    expect((await listPages(agent, incident.id))[0]).toMatchObject({ step: 1, people: [{ person: grace }] });
  });

  it('says so loudly when it reaches nobody', async () => {
    const policy = await aPolicy(manager, [[emptySchedule]], { repeat: 3 });
    const id = await anIncidentThatPages(service, agent, await aPagingGroup(manager, policy));
    const [page] = await listPages(agent, id);
    expect(page).toMatchObject({ state: 'unreachable', people: [], messages: [] });
    const { body: notes } = await agent.get(`/incidents/${id}/notes`);
    expect(notes.data[0].body).toMatch(/NOBODY WAS PAGED/);
    const { body: inbox } = await manager.get('/notifications');
    expect(inbox.data).toContainEqual(expect.objectContaining({ event: 'page.unreachable', incident_id: id }));
  });

  it('starts again when an acknowledgement expires without progress', async () => {
    const policy = await aPolicy(manager, [[toPerson(ada)]], { acknowledgement_expires_minutes: 10 });
    const expiring = await aPagingGroup(manager, policy);
    const [idle, busy] = [
      await anIncidentThatPages(service, agent, expiring),
      await anIncidentThatPages(service, agent, expiring),
    ];
    for (const id of [idle, busy]) await agent.post(`/incidents/${id}/acknowledge`, undefined);
    await agent.post(`/incidents/${busy}/notes`, { body: 'Restarted the switch.', visibility: 'team' });
    await service.advance('12m', ['sweep-pages']);
    expect((await listPages(agent, idle)).map(({ state, trigger }) => [state, trigger])).toEqual([
      ['paging', 'acknowledgement_expired'],
      ['acknowledged', 'created'],
    ]);
    expect((await agent.get(`/incidents/${idle}`)).body.acknowledged_at).toBeNull();
    expect(toStates(await listPages(agent, busy))).toEqual(['acknowledged']);
  });

  it('takes each step once when an acknowledgement and a step compete', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => anIncidentThatPages(service, agent, group)));
    await service.advance('4m59s', []);
    await Promise.all([
      service.advance('2s', []),
      ...ids.map((id) => agent.post(`/incidents/${id}/acknowledge`, undefined)),
    ]);
    await service.advance('20m', []);
    for (const id of ids) {
      const [page] = await listPages(agent, id);
      expect(page.state).toBe('acknowledged');
      const sent = page.messages.filter(({ outcome }: { outcome: string }) => outcome === 'sent');
      for (const { at } of sent)
        expect(at <= page.ended_at || Date.parse(at) - Date.parse(page.ended_at) < 2_000).toBe(true);
      expect(new Set(sent.map(({ message_id }: { message_id: string }) => message_id)).size).toBe(sent.length);
    }
  });
});

describe('createPage', () => {
  it('pages a person by hand until somebody acknowledges', async () => {
    const { body: incident } = await anIncident(agent, { priority: 'P4' });
    await agent.post(`/incidents/${incident.id}/acknowledge`, undefined);
    const response = await agent.post(`/incidents/${incident.id}/pages`, { person: grace, reason: 'Please join.' });
    expect(response).toMatchObject({
      status: 201,
      body: { state: 'paging', trigger: 'manual', reason: 'Please join.', target: { type: 'person', id: grace } },
    });
    await service.advance('1s', []);
    expect((await readOutbox(service, grace))[0]!.text).toContain('Please join.');
    await service.advance('6m', []);
    expect((await listPages(agent, incident.id))[0]).toMatchObject({ state: 'paging', repetition: 1 });
    await agent.post(`/incidents/${incident.id}/acknowledge`, undefined);
    expect(toStates(await listPages(agent, incident.id))).toEqual(['acknowledged']);
  });

  it('starts one page for one idempotency key', async () => {
    const { body: incident } = await anIncident(agent);
    const headers = { 'Idempotency-Key': 'page-once' };
    const [first, second] = [
      await agent.post(`/incidents/${incident.id}/pages`, { escalation_policy_id: twoSteps }, headers),
      await agent.post(`/incidents/${incident.id}/pages`, { escalation_policy_id: twoSteps }, headers),
    ];
    expect(second.body).toEqual(first.body);
    expect(await listPages(agent, incident.id)).toHaveLength(1);
  });

  it.each([
    ['nothing', {}, 'escalation_policy_id'],
    ['two targets', { person: 'ada.pages@example.com', schedule_id: 'SCH0000000' }, 'escalation_policy_id'],
    ['an unknown policy', { escalation_policy_id: 'ESC0000000' }, 'escalation_policy_id'],
    ['an unknown schedule', { schedule_id: 'SCH0000000' }, 'schedule_id'],
    ['an unknown person', { person: 'nobody@example.com' }, 'person'],
    ['a long reason', { person: 'ada.pages@example.com', reason: 'x'.repeat(10_000) }, 'reason'],
  ])('rejects %s', async (_what, body, field) => {
    const { body: incident } = await anIncident(agent);
    const response = await agent.post(`/incidents/${incident.id}/pages`, body);
    expectProblem(response, 400, 'invalid_input');
    expect(response.body.errors.map((each: { field: string }) => each.field)).toContain(field);
  });

  it('rejects an incident that needs no work, and callers without the role', async () => {
    const id = await anIncidentIn(agent, 'resolved');
    expectProblem(await agent.post(`/incidents/${id}/pages`, { person: ada }), 409, 'invalid_transition');
    expectProblem(await viewer.post(`/incidents/${id}/pages`, { person: ada }), 403, 'forbidden');
    expectProblem(await agent.post('/incidents/INC0000000/pages', { person: ada }), 404, 'not_found');
    const anonymous = await call(service, `/v1/incidents/${id}/pages`, { method: 'POST' });
    expectProblem(anonymous, 401, 'unauthorized');
    expectProblem(await call(service, `/v1/incidents/${id}/pages`, {}), 401, 'unauthorized');
  });
});

describe('the acknowledge link', () => {
  const aLink = async () => {
    const id = await anIncidentThatPages(service, agent, group, { short_description: 'Fire <b>&</b> smoke' });
    const [link] = await readLinks(service, ada, id);
    return { id, link: link! };
  };

  it('asks first, and previews of any kind acknowledge nothing', async () => {
    const { id, link } = await aLink();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await fetch(link, { method });
    const response = await fetch(`${link}&utm_source=mail`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(html).toContain('Fire &lt;b&gt;&amp;&lt;/b&gt; smoke');
    expect(html).toContain(ada);
    expect(toStates(await listPages(agent, id))).toEqual(['paging']);
    expect((await agent.get(`/incidents/${id}`)).body.acknowledged_at).toBeNull();
  });

  it('acknowledges as the person of the link', async () => {
    const { id, link } = await aLink();
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' };
    const response = await fetch(link, form);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('acknowledged')]);
    expect((await agent.get(`/incidents/${id}`)).body).toMatchObject({ acknowledged_by: ada, state: 'in_progress' });
    expect((await listPages(agent, id))[0]).toMatchObject({ state: 'acknowledged', acknowledged_by: ada });
    const { body: history } = await agent.get(`/incidents/${id}/history`);
    expect(history.data.at(-1)).toMatchObject({ actor: ada, origin: { kind: 'page' } });
    const again = await fetch(link, { method: 'POST' });
    expect(await again.text()).toContain(`Acknowledged by ${ada}`);
  });

  it('says when it is not needed any more', async () => {
    const { id, link } = await aLink();
    await agent.patch(`/incidents/${id}`, { state: 'cancelled' });
    const response = await fetch(link, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining('cancelled')]);
  });

  it('is not valid when a character differs', async () => {
    const { link } = await aLink();
    const [address, token = ''] = link.split('?t=');
    const others = [
      '',
      'x',
      token.slice(0, -2),
      token.replace(/\.0\./, '.1.'),
      `${token}0`,
      token.replace(/^PAG./, 'PAG!'),
      'PAG00000000000.0.1.a',
    ];
    for (const other of others) {
      const response = await fetch(`${address}?t=${other}`, { method: 'POST' });
      expect([other, response.status]).toEqual([other, 404]);
    }
    expect((await fetch(`${address}?t=${'x'.repeat(10_000)}`)).status).toBe(400);
  });

  it('expires after 24 hours', async () => {
    const { id, link } = await aLink();
    await service.advance('24h1m', []);
    const response = await fetch(link, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([410, expect.stringContaining('expired')]);
    // The tokens of the tests have expired, too.
    const later = await getApi(service, 'agent');
    expect((await later.get(`/incidents/${id}`)).body.acknowledged_at).toBeNull();
  });
});
