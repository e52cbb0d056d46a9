import { advanceUntil } from '../../support/assistant.ts';
import { becomes } from '../../support/becomes.ts';
import { expectProblem } from '../../support/http.ts';
import { anIncident, anIncidentIn, createApi, type Fields, startTestService } from '../../support/incidents.ts';
import { waitForJob } from '../../support/jobs.ts';

const { service, agent, manager, viewer } = await startTestService('agent', 'manager', 'viewer');

async function aProblem(fields: Fields = {}): Promise<string> {
  const { status, body } = await agent.post('/problems', { short_description: 'The relay rejects mail', ...fields });
  expect(status).toBe(201);
  return body.id;
}

const listIds = (response: { body: { data: { id: string }[] } }) => response.body.data.map(({ id }) => id).sort();

describe('problems', () => {
  it('defaults to a new P3 problem that is no known error', async () => {
    const { body } = await agent.get(`/problems/${await aProblem()}`);
    expect(body).toMatchObject({ priority: 'P3', state: 'new', known_error: false, change_ids: [], resolved_at: null });
    expect(body.opened_by).toBe('agent@clients.incidents.localhost');
  });

  it('records when it was resolved, and forgets it when work continues', async () => {
    const path = `/problems/${await aProblem()}`;
    expectProblem(await agent.patch(path, { state: 'resolved' }), 409, 'invalid_transition');
    await agent.patch(path, { state: 'assessed' });
    const { body: resolved } = await agent.patch(path, { state: 'resolved' });
    expect(resolved.resolved_at).toBe(resolved.updated_at);
    expect((await agent.patch(path, { state: 'fix_in_progress' })).body.resolved_at).toBeNull();
    await agent.patch(path, { state: 'resolved' });
    expect((await agent.patch(path, { state: 'closed' })).body.closed_at).not.toBeNull();
    const listEvents = async () => (await viewer.get(`/events?record_id=${path.slice(10)}`)).body.data;
    await becomes(async () => (await listEvents()).length, 8);
    expect((await listEvents()).map(({ event }: { event: string }) => event)).toEqual([
      'problem.created',
      ...['problem.updated', 'problem.updated', 'problem.resolved'],
      ...['problem.updated', 'problem.updated', 'problem.resolved', 'problem.updated'],
    ]);
  });

  it('accepts a known error only with a root cause or a workaround', async () => {
    const refused = await agent.post('/problems', { short_description: 'x', known_error: true });
    expectProblem(refused, 400, 'invalid_input', ['known_error']);
    const id = await aProblem({ known_error: true, workaround: 'Restart it.' });
    expectProblem(await agent.patch(`/problems/${id}`, { workaround: null }), 400, 'invalid_input');
    const word = `q${Date.now()}`;
    const other = await aProblem({ short_description: word });
    await agent.patch(`/problems/${id}`, { short_description: word });
    expect(listIds(await viewer.get(`/problems?q=${word}`))).toEqual([id, other].sort());
    expect(listIds(await viewer.get(`/problems?q=${word}&known_error=true`))).toEqual([id]);
  });

  it('rejects changes that do not exist, all of them in one response', async () => {
    const change = (await agent.post('/changes', { short_description: 'Renew' })).body.id;
    const id = await aProblem({ change_ids: [change] });
    expect(listIds(await viewer.get(`/problems?change_ids=${change}`))).toEqual([id]);
    const refused = await agent.patch(`/problems/${id}`, { change_ids: [change, 'CHG0000001', 'CHG0000002'] });
    expectProblem(refused, 400, 'invalid_input', ['change_ids', 'change_ids']);
    expect((await agent.get(`/problems/${id}`)).body.change_ids).toEqual([change]);
  });

  it('has notes, which notify the people who work on it', async () => {
    const id = await aProblem({ assigned_to: 'grace.hopper@example.com' });
    const { body, status } = await agent.post(`/problems/${id}/notes`, { body: 'The vendor confirmed it.' });
    expect([status, body.record_id]).toEqual([201, id]);
    expect((await viewer.get(`/problems/${id}/notes`)).body).toMatchObject({ data: [body], total: 1 });
    expectProblem(await viewer.post(`/problems/${id}/notes`, { body: 'x' }), 403, 'forbidden');
    expectProblem(await agent.post('/problems/PRB0000000/notes', { body: 'x' }), 404, 'not_found');
    expectProblem(await agent.post(`/problems/${id}/notes`, { text: 'x' }), 400, 'invalid_input');
  });

  it('are created and updated by bulk jobs, in which an invalid one fails alone', async () => {
    const created = await agent.post('/problems/bulk', {
      operation: 'create',
      records: [{ short_description: 'First' }, { priority: 'P9' }],
    });
    expect(created.status).toBe(202);
    const { results } = await waitForJob(service, agent, created.body.job_id);
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed']);
    const update = { operation: 'update', ids: [results[0].id, 'INC0000000'], fields: { assignment_group: 'mail' } };
    const { results: updated } = await waitForJob(
      service,
      agent,
      (await agent.post('/problems/bulk', update)).body.job_id,
    );
    expect(updated.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed']);
    expect((await agent.get(`/problems/${results[0].id}`)).body.assignment_group).toBe('mail');
    expectProblem(await viewer.post('/problems/bulk', update), 403, 'forbidden');
  });

  it('are imported with their id, dates, people, state, notes and history; a second import changes nothing', async () => {
    const runImport = async (records: unknown[], options: object = {}) => {
      const { body } = await manager.post('/problems/bulk', { operation: 'import', records, ...options });
      return (await waitForJob(service, manager, body.job_id)).results;
    };
    const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
    const author = 'grace@example.com';
    const fields = {
      id: 'PRB0PAST01',
      short_description: 'The relay lost its certificate',
      state: 'closed',
      priority: 'P2',
      known_error: true,
      root_cause: 'It expired.',
      opened_by: 'ada@example.com',
      // Changes may be imported later.
      change_ids: ['CHG0000001'],
      created_at: at(1),
      resolved_at: at(3),
      closed_at: at(4),
    };
    const notes = [{ body: 'Renewed.', author, created_at: at(2), visibility: 'private' }];
    const history = [{ at: at(3), actor: author, changes: { state: { from: 'assessed', to: 'resolved' } } }];
    const record = { ...fields, notes, history };
    const { latest } = (await viewer.get('/events')).body;
    const path = `/problems/${fields.id}`;
    expect(await runImport([record], { dry_run: true })).toEqual([{ index: 0, id: null, status: 'succeeded' }]);
    expectProblem(await viewer.get(path), 404, 'not_found');
    expect(await runImport([record])).toEqual([{ index: 0, id: fields.id, status: 'succeeded' }]);
    expect(await runImport([record])).toMatchObject([{ id: fields.id, already_exists: true }]);
    expect((await viewer.get(path)).body).toMatchObject({ ...fields, updated_at: at(4) });
    expect((await viewer.get(`/problems?resolved_before=${at(4)}`)).body.data).toMatchObject([fields]);
    expect((await manager.get(`${path}/notes`)).body.data).toMatchObject([{ ...notes[0], record_id: fields.id }]);
    expect((await viewer.get(`${path}/notes`)).body.total).toBe(0);
    const { data } = (await viewer.get(`${path}/history`)).body;
    expect(data).toMatchObject([
      { version: 1, ...history[0] },
      { version: 2, origin: { kind: 'import' } },
    ]);
    expect((await viewer.get('/events')).body.latest).toBe(latest);

    const [taken, wrong] = await runImport([
      { ...record, created_at: at(2) },
      {
        external_id: 'x',
        short_description: 'x',
        known_error: true,
        closed_at: at(4),
        resolved_at: '2999-01-01T00:00:00Z',
      },
    ]);
    const listFields = ({ error }: { error: { errors: { field: string }[] } }) =>
      error.errors.map(({ field }) => field);
    expect(listFields(taken)).toEqual(['id']);
    expect(new Set(listFields(wrong))).toEqual(new Set(['known_error', 'resolved_at', 'closed_at']));
    const refused = await agent.post('/problems/bulk', { operation: 'import', records: [record] });
    expectProblem(refused, 403, 'forbidden');
  });
});

describe('incidents of a problem', () => {
  it('are listed page by page', async () => {
    const id = await aProblem();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.push((await anIncident(agent, { parent_problem_id: id })).body.id);
    await anIncident(agent);
    const first = await viewer.get(`/problems/${id}/incidents?limit=2&order=asc`);
    expect(first.body).toMatchObject({ total: 3 });
    const second = await viewer.get(`/problems/${id}/incidents?limit=2&order=asc&cursor=${first.body.next_cursor}`);
    expect([...listIds(first), ...listIds(second)].sort()).toEqual(ids.sort());
    expect(listIds(await viewer.get(`/incidents?parent_problem_id=${id}`))).toEqual(ids);
    expectProblem(await viewer.get('/problems/PRB0000000/incidents'), 404, 'not_found');
    expectProblem(await viewer.get(`/problems/${id}/incidents?state=x`), 400, 'invalid_input');
    const anonymous = createApi(service, 'wrong');
    expectProblem(await anonymous.get(`/problems/${id}/incidents`), 401, 'unauthorized');
  });

  it('refer only to problems and changes that exist', async () => {
    const deleted = await aProblem();
    await manager.delete(`/problems/${deleted}`);
    const fields = { short_description: 'x', parent_problem_id: deleted, change_id: 'CHG0000001' };
    expectProblem(await agent.post('/incidents', fields), 400, 'invalid_input', ['change_id', 'parent_problem_id']);
    const { body } = await anIncident(agent);
    expectProblem(await agent.patch(`/incidents/${body.id}`, { parent_problem_id: deleted }), 400, 'invalid_input');
    expectProblem(await agent.patch(`/incidents/${body.id}`, { parent_problem_id: 'PRB1' }), 400, 'invalid_input');
  });

  it('keep the reference to a problem that was deleted', async () => {
    const id = await aProblem();
    const { body } = await anIncident(agent, { parent_problem_id: id });
    await manager.delete(`/problems/${id}`);
    const changed = await agent.patch(`/incidents/${body.id}`, { parent_problem_id: id, category: 'email' });
    expect(changed).toMatchObject({ status: 200, body: { parent_problem_id: id, category: 'email' } });
  });

  it('are resolved together, in whichever open state they are', async () => {
    const id = await aProblem();
    const ids = [
      (await anIncident(agent, { parent_problem_id: id })).body.id,
      await anIncidentIn(agent, 'on_hold'),
      await anIncidentIn(agent, 'in_progress'),
      await anIncidentIn(agent, 'closed'),
    ];
    const fields = { work_note: `Resolved with ${id}.`, resolution: 'The relay was replaced.' };
    const { body } = await agent.post('/incidents/bulk', { operation: 'resolve', ids, fields });
    const { results } = await waitForJob(service, agent, body.job_id);
    expect(results.map(({ status }: { status: string }) => status)).toEqual([
      ...['succeeded', 'succeeded', 'succeeded'],
      'failed',
    ]);
    for (const one of ids.slice(0, 3)) {
      const { body: incident } = await agent.get(`/incidents/${one}`);
      expect(incident).toMatchObject({ state: 'resolved', resolution: fields.resolution });
      expect((await agent.get(`/incidents/${one}/notes`)).body.data.at(-1).body).toBe(fields.work_note);
    }
  });
});

describe('links', () => {
  const link = async (id: string, type: string, record_id: string) =>
    agent.post(`/incidents/${id}/links`, { type, record_id });
  const listSides = async (path: string) =>
    (await viewer.get(`${path}/links`)).body.links.map((one: Fields) => [
      one.type,
      one.record_id,
      one.short_description,
    ]);

  it('are shown by both records, with a history entry each', async () => {
    const [copy, original] = [(await anIncident(agent)).body.id, (await anIncident(agent)).body.id];
    const problem = await aProblem();
    const change = (await agent.post('/changes', { short_description: 'Renew' })).body.id;
    expect(await link(copy, 'duplicate_of', original)).toMatchObject({
      status: 201,
      body: { type: 'duplicate_of', record_id: original, record_type: 'incident', state: 'new' },
    });
    await link(copy, 'caused_by', change);
    await link(copy, 'related_to', problem);
    expect((await link(copy, 'related_to', problem)).status).toBe(201);
    expect(await listSides(`/incidents/${copy}`)).toEqual([
      ['duplicate_of', original, 'Mail is not delivered'],
      ['caused_by', change, 'Renew'],
      ['related_to', problem, 'The relay rejects mail'],
    ]);
    expect(await listSides(`/incidents/${original}`)).toEqual([['duplicated_by', copy, 'Mail is not delivered']]);
    expect(await listSides(`/changes/${change}`)).toEqual([['causes', copy, 'Mail is not delivered']]);
    expect(await listSides(`/problems/${problem}`)).toEqual([['related_to', copy, 'Mail is not delivered']]);
    for (const path of [`/problems/${problem}`, `/changes/${change}`, `/incidents/${original}`]) {
      const { data } = (await viewer.get(`${path}/history`)).body;
      expect(data).toHaveLength(2);
      expect(data[1].changes.links).toMatchObject({ from: null, to: [{ id: copy }] });
    }
    expect((await agent.delete(`/incidents/${copy}/links/${original}`)).status).toBe(204);
    expect(await listSides(`/incidents/${original}`)).toEqual([]);
    expect(await listSides(`/incidents/${copy}`)).toHaveLength(2);
    expectProblem(await agent.delete(`/incidents/${copy}/links/${original}`), 404, 'not_found');
    expect((await viewer.get(`/incidents/${copy}`)).body).not.toHaveProperty('links');
  });

  it('reject what cannot be linked', async () => {
    const id = (await anIncident(agent)).body.id;
    expectProblem(await link(id, 'related_to', id), 400, 'invalid_input', ['record_id']);
    expectProblem(await link(id, 'related_to', 'REQ0000000'), 400, 'invalid_input', ['record_id']);
    expectProblem(await link(id, 'related_to', 'PRB0000000'), 400, 'invalid_input', ['record_id']);
    expectProblem(await link(id, 'blocks', 'PRB0000000'), 400, 'invalid_input', ['type']);
    expectProblem(await link(id, 'duplicate_of', await aProblem()), 400, 'invalid_input', ['type']);
    expectProblem(await link('INC0000000', 'related_to', id), 404, 'not_found');
    const [one, two] = [(await anIncident(agent)).body.id, (await anIncident(agent)).body.id];
    await link(id, 'duplicate_of', one);
    expectProblem(await link(id, 'duplicate_of', two), 400, 'invalid_input', ['type']);
    expectProblem(
      await viewer.post(`/incidents/${id}/links`, { type: 'related_to', record_id: two }),
      403,
      'forbidden',
    );
    expectProblem(await viewer.delete(`/incidents/${id}/links/${one}`), 403, 'forbidden');
    expectProblem(await viewer.get('/problems/PRB0000000/links'), 404, 'not_found');
  });

  it('from many incidents to one are all kept when they are added concurrently', async () => {
    const original = (await anIncident(agent)).body.id;
    const copies = await Promise.all(Array.from({ length: 8 }, async () => (await anIncident(agent)).body.id));
    const statuses = await Promise.all(copies.map(async (id) => (await link(id, 'duplicate_of', original)).status));
    expect(new Set(statuses)).toEqual(new Set([201]));
    const linked = (await viewer.get(`/incidents/${original}/links`)).body.links;
    expect(linked.map(({ record_id }: Fields) => record_id).sort()).toEqual(copies.sort());
  });
});

describe('known errors and candidates', () => {
  const workaround = 'Switch the badge reader to the backup controller.';
  const fault = { short_description: 'Badge readers at the north gate stay red', description: 'Nobody can enter.' };

  it('offer the workaround for incidents that resemble the problem or one of its incidents', async () => {
    const problem = await aProblem({ ...fault, known_error: true, workaround });
    const { body: incident } = await anIncident(agent, {
      short_description: 'Badge reader at the north gate stays red',
    });
    const path = `/incidents/${incident.id}/known-errors`;
    const { body } = await advanceUntil(
      service,
      () => viewer.get(path),
      ({ body }) => body.known_errors.length > 0,
    );
    expect(body.known_errors).toEqual([expect.objectContaining({ problem_id: problem, workaround, state: 'new' })]);
    expect(body.known_errors[0].reason).toMatch(/% similar to the description of this problem/);
    const analyze = { record_id: incident.id, analysis_type: 'root_cause' };
    const { body: analysis } = await viewer.post('/ai/analyze', analyze);
    expect(analysis.findings.related_problem).toBe(problem);
    expect(analysis.confidence_basis).toContain(problem);
    const question = 'The badge readers at the north gate stay red. What can I do?';
    const { body: answered } = await viewer.post('/ai/ask', { question });
    expect(answered.answer).toContain(workaround);
    expect(answered.citations.map(({ article_id }: Fields) => article_id)).toEqual([problem]);
    const { body: other } = await anIncident(agent, { short_description: 'The printer jams' });
    expect((await viewer.get(`/incidents/${other.id}/known-errors`)).body).toEqual({ known_errors: [] });
    await agent.patch(`/problems/${problem}`, { state: 'cancelled' });
    expect((await viewer.get(path)).body).toEqual({ known_errors: [] });
    expectProblem(await viewer.get('/incidents/INC0000000/known-errors'), 404, 'not_found');
  });

  it('groups similar incidents that no problem explains', async () => {
    const texts = ['Payroll export stops with error 5012', 'Payroll export stops with error 5012 again'];
    const ids: string[] = [];
    const { body: ci } = await manager.post('/cmdb/cis', { name: 'north-gate', class: 'device' });
    for (const [index, short_description] of [...texts, texts[0]].entries())
      ids.push((await anIncident(agent, { short_description, ci_id: index < 2 ? ci.id : null })).body.id);
    const explained = await anIncident(agent, { short_description: texts[0], parent_problem_id: await aProblem() });
    const findGroup = ({ body }: { body: { candidates: { incident_ids: string[] }[] } }) =>
      body.candidates.find(({ incident_ids }) => incident_ids.includes(String(ids[0])));
    const response = await advanceUntil(
      service,
      () => viewer.get('/problems/candidates'),
      (answer) => findGroup(answer)?.incident_ids.length === 3,
    );
    expect(findGroup(response)).toMatchObject({
      count: 3,
      ci_id: ci.id,
      reason: expect.stringMatching(/belong to no problem; 2 of them about north-gate\.$/),
    });
    expect(JSON.stringify(response.body)).not.toContain(explained.body.id);
    expectProblem(await viewer.get('/problems/candidates?days=91'), 400, 'invalid_input', ['days']);
    expectProblem(await createApi(service, 'wrong').get('/problems/candidates'), 401, 'unauthorized');
  });
});
