import { setFault } from '../faults/fault.ts';
import { call, expectProblem, getToken } from '../support/http.ts';
import { anIncident, anIncidentIn, countCalls, getApi, startTestService } from '../support/incidents.ts';
import type { Service } from '../support/service.ts';

const { service, agent, viewer, manager } = await startTestService('agent', 'viewer', 'manager');

const everyField = {
  short_description: 'Überall kein Strom 🔌',
  description: '# What we know\n\nNothing *yet*.',
  priority: 'P1',
  state: 'new',
  category: 'facility',
  subcategory: 'power',
  impact: 'high',
  urgency: 'low',
  assignment_group: 'facility management',
  assigned_to: 'ada.lovelace@example.com',
  ci_id: 'CI0000042',
  parent_problem_id: (await agent.post('/problems', { short_description: 'Old wiring' })).body.id,
  change_id: (await agent.post('/changes', { short_description: 'New wiring' })).body.id,
  resolution: 'None so far.',
};

describe('createIncident', () => {
  it('returns 201 with the incident, its Location and its ETag', async () => {
    const response = await agent.post('/incidents', everyField);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      ...everyField,
      id: expect.stringMatching(/^INC[0-9A-HJKMNP-TV-Z]{7}$/),
      external_id: null,
      number: response.body.id,
      opened_by: 'agent@clients.incidents.localhost',
      sla_breach_at: new Date(Date.parse(response.body.created_at) + 4 * 3_600_000).toISOString(),
      sla_breached_at: null,
      resolved_at: null,
      acknowledged_at: null,
      acknowledged_by: null,
      closed_at: null,
      reopen_count: 0,
      work_notes_count: 0,
      ai_suggested_resolution: null,
      deleted: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: response.body.created_at,
    });
    expect(response.headers.get('location')).toBe(`/prod/api/v1/incidents/${response.body.id}`);
    expect(response.headers.get('etag')).toBe('"1-0"');
    expect((await agent.get(`/incidents/${response.body.id}`)).body).toEqual(response.body);
  });

  it('requires only a short description; the priority defaults to P3', async () => {
    const { body } = await anIncident(agent);
    expect(body).toMatchObject({ priority: 'P3', state: 'new', description: null, assigned_to: null, ci_id: null });
  });

  it('accepts null for an optional field, and 255 characters of any kind', async () => {
    const short_description = '🔥'.repeat(255);
    const { body } = await anIncident(agent, { short_description, category: null });
    expect(body).toMatchObject({ short_description, category: null });
  });

  it('accepts notify_stakeholders and does not return it', async () => {
    const { body } = await anIncident(agent, { notify_stakeholders: true, assignment_group: 'network' });
    expect(body).not.toHaveProperty('notify_stakeholders');
  });

  it('gives every incident a unique id', async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => anIncident(agent)));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(40);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['nothing at all', {}, { short_description: 'is required' }],
    [
      'a text that is too long',
      createDescribed('x'.repeat(256)),
      { short_description: 'must have at most 255 characters' },
    ],
    ['an empty text', createDescribed('   '), { short_description: 'must not be empty' }],
    ['two lines', createDescribed('a\nb'), { short_description: 'must be a single line without control characters' }],
    ['null where a value is required', createDescribed(null), { short_description: 'must be a string' }],
    ['the wrong type', createDescribed(42), { short_description: 'must be a string' }],
    ['an unknown priority', { priority: 'P5' }, { priority: 'must be one of P1, P2, P3, P4' }],
    ['no priority', { priority: null }, { priority: 'must be one of P1, P2, P3, P4' }],
    ['another state than new', { state: 'in_progress' }, { state: 'must be new' }],
    ['an unknown impact', { impact: 'huge' }, { impact: 'must be one of high, medium, low' }],
    ['an unknown urgency', { urgency: ' ' }, { urgency: 'must be one of high, medium, low' }],
    ['a bad address', { assigned_to: 'ada' }, { assigned_to: 'must be an e-mail address' }],
    ['a configuration item of another form', { ci_id: 'SRV1' }, { ci_id: 'must be CI followed by seven digits' }],
    ['a configuration item that cannot exist', { ci_id: 'CI42' }, { ci_id: 'must be CI followed by seven digits' }],
    ['a change that cannot exist', { change_id: 'CHG1' }, { change_id: 'does not have the expected form' }],
    ['a blank category', { category: ' ' }, { category: 'must not be empty' }],
    ['a flag that is none', { notify_stakeholders: 'yes' }, { notify_stakeholders: 'must be a boolean' }],
    ['a field that does not exist', { colour: 'red' }, { colour: 'is not a known field' }],
    [
      'a field that the service sets',
      { id: 'INC0000000', opened_by: 'a@b.c' },
      { id: 'is read-only', opened_by: 'is read-only' },
    ],
    ['a control character', { description: 'a\u0000b' }, { description: 'must not contain control characters' }],
    ['half a character', { description: '\ud83d' }, { description: 'must be well-formed Unicode' }],
    [
      'several mistakes at once',
      { short_description: '', priority: 'x', ci_id: 7, foo: 1 },
      {
        short_description: 'must not be empty',
        priority: 'must be one of P1, P2, P3, P4',
        ci_id: 'must be a string',
        foo: 'is not a known field',
      },
    ],
  ])('rejects %s', async (_name, body, problems) => {
    const required = 'short_description' in body || _name === 'nothing at all' ? {} : { short_description: 'Mail' };
    const response = await agent.post('/incidents', { ...required, ...body });
    expectProblem(response, 400, 'invalid_input');
    expect(listProblems(response.body)).toEqual(problems);
  });

  it.each([
    ['an array', []],
    ['a text', 'hello'],
    ['null', null],
  ])('rejects %s as the body', async (_name, body) => {
    expectProblem(await agent.post('/incidents', body), 400, 'invalid_input');
  });

  it('rejects malformed JSON, other media types and bodies that are too large', async () => {
    const text = (body: string, type: string) => rawPost(service, body, type);
    expectProblem(await text('{"short_description":', 'application/json'), 400, 'malformed_json');
    expectProblem(await text('a=b', 'application/x-www-form-urlencoded'), 415, 'unsupported_media_type');
    const large = JSON.stringify({ short_description: 'x', description: 'x'.repeat(2 * 1024 * 1024) });
    expectProblem(await text(large, 'application/json'), 413, 'payload_too_large');
  });

  it('rejects an unknown parameter', async () => {
    expectProblem(await agent.post('/incidents?dry_run=true', { short_description: 'x' }), 400, 'invalid_input');
  });

  it('requires an agent', async () => {
    expectProblem(await viewer.post('/incidents', { short_description: 'x' }), 403, 'forbidden');
    for (const name of ['manager', 'admin'] as const) await anIncident(await getApi(service, name));
  });

  it('creates one incident when the response of the database is lost', async () => {
    const target = { caller: 'incidents-local--create-incident', service: 'dynamodb', operation: 'PutItem' };
    await setFault(service, { ...target, kind: 'lost', after: 0, times: 1 });
    const { body } = await anIncident(agent, { category: 'lost-response' });
    const list = await agent.get('/incidents?category=lost-response');
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
  });

  it('takes one write, besides the rate limit', async () => {
    // The service levels are read again after five seconds.
    await service.hold(true);
    await anIncident(agent);
    const calls = await countCalls(service, 'create-incident', () => anIncident(agent));
    await service.hold(false);
    expect(calls).toEqual({ 'dynamodb.PutItem': 1 });
  });
});

describe('createIncident with an Idempotency-Key', () => {
  const body = { short_description: 'Only once' };

  it('returns the first response for a repeated request', async () => {
    const key = { 'idempotency-key': 'repeat-1' };
    const first = await agent.post('/incidents', body, key);
    await agent.patch(`/incidents/${first.body.id}`, { category: 'changed since' });
    const again = await agent.post('/incidents', { priority: 'P3', ...body }, key);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again).toMatchObject({ status: 201, body: first.body });
    for (const name of ['location', 'etag']) expect(again.headers.get(name)).toBe(first.headers.get(name));
  });

  it('creates one incident for twenty concurrent requests', async () => {
    const key = { 'idempotency-key': 'race' };
    const responses = await Promise.all(Array.from({ length: 20 }, () => agent.post('/incidents', body, key)));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(responses.map((response) => response.body.id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  });

  it('rejects the key for another body', async () => {
    const key = { 'idempotency-key': 'other-body' };
    await agent.post('/incidents', body, key);
    expectProblem(await agent.post('/incidents', { short_description: 'x' }, key), 422, 'idempotency_key_reused');
  });

  it('separates the keys of different callers', async () => {
    const key = { 'idempotency-key': 'shared' };
    const mine = await agent.post('/incidents', body, key);
    const theirs = await (await getApi(service, 'manager')).post('/incidents', body, key);
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('does not store the key of a rejected request', async () => {
    const key = { 'idempotency-key': 'rejected-first' };
    expectProblem(await agent.post('/incidents', {}, key), 400, 'invalid_input');
    expect((await agent.post('/incidents', body, key)).status).toBe(201);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
  ])('rejects a key that is %s', async (_name, key) => {
    expectProblem(await agent.post('/incidents', body, { 'idempotency-key': key }), 400, 'invalid_input');
  });
});

function createDescribed(short_description: unknown) {
  return { short_description };
}

function listProblems(body: { errors: { field: string; message: string }[] }): Record<string, string> {
  return Object.fromEntries(body.errors.map(({ field, message }) => [field, message]));
}

async function rawPost(target: Service, body: string, type: string) {
  const token = await getToken(target, 'agent');
  return call(target, '/v1/incidents', { method: 'POST', token, body, headers: { 'content-type': type } });
}

describe('getIncident', () => {
  it('returns an incident to a viewer under both prefixes', async () => {
    const { body } = await anIncident(agent, { category: 'email' });
    const response = await viewer.get(`/incidents/${body.id}`);
    expect(response).toMatchObject({ status: 200, body });
    expect(response.headers.get('etag')).toBe('"1-0"');
    const alias = await call(service, `/incidents/${body.id}`, { token: await getToken(service, 'viewer') });
    expect(alias).toMatchObject({ status: 200, body });
  });

  it('returns 304 without a body while the ETag is the same', async () => {
    const { body, headers } = await anIncident(agent);
    const etag = headers.get('etag')!;
    for (const given of [etag, `W/${etag}`, `"9-9", ${etag}`, '*']) {
      const response = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': given });
      expect([response.status, response.body, response.headers.get('etag')]).toEqual([304, undefined, etag]);
    }
  });

  it('returns new content after a change and after a note', async () => {
    const { body, headers } = await anIncident(agent);
    await agent.post(`/incidents/${body.id}/notes`, { body: 'hello' });
    const noted = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': headers.get('etag')! });
    expect(noted).toMatchObject({ status: 200, body: { ...body, work_notes_count: 1 } });
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    const changed = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': noted.headers.get('etag')! });
    expect(changed.status).toBe(200);
  });

  it('rejects an invalid If-None-Match', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.get(`/incidents/${body.id}`, { 'if-none-match': 'abc' }), 400, 'invalid_input');
  });

  it.each(['INC0000000', 'INC000000', 'inc0000000', 'INCOILU000', 'CHG0000000', '%00', 'idempotency%23x', '..%2F'])(
    'returns 404 for %s',
    async (id) => {
      expectProblem(await viewer.get(`/incidents/${id}`), 404, 'not_found');
    },
  );

  it('rejects unknown parameters and values', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.get(`/incidents/${body.id}?fields=id`), 400, 'invalid_input');
    expectProblem(await viewer.get(`/incidents/${body.id}?include_deleted=1`), 400, 'invalid_input');
  });

  it('takes one read, besides the rate limit', async () => {
    const { body } = await anIncident(agent);
    await viewer.get(`/incidents/${body.id}`);
    await service.advance('2s');
    const calls = await countCalls(service, 'get-incident', () => viewer.get(`/incidents/${body.id}`));
    expect(calls).toEqual({ 'dynamodb.GetItem': 1 });
  });
});

describe('deleteIncident', () => {
  it('returns 204, and every operation returns 404 afterwards', async () => {
    const { body } = await anIncident(agent);
    const response = await manager.delete(`/incidents/${body.id}`);
    expect([response.status, response.body]).toEqual([204, undefined]);
    const path = `/incidents/${body.id}`;
    const responses = [
      await manager.get(path),
      await manager.patch(path, { category: 'x' }),
      await manager.patch(path, { work_note: 'x' }),
      await manager.delete(path),
      await manager.get(`${path}/notes`),
      await manager.post(`${path}/notes`, { body: 'x' }),
      await manager.get(`${path}/history`),
      await manager.get(`${path}/sla`),
    ];
    for (const gone of responses) expectProblem(gone, 404, 'not_found');
  });

  it('keeps the incident in its last state for managers who request it', async () => {
    const id = await anIncidentIn(agent, 'on_hold');
    const before = (await agent.get(`/incidents/${id}`)).body;
    await manager.delete(`/incidents/${id}`);
    const admin = await getApi(service, 'admin');
    for (const api of [manager, admin]) {
      const response = await api.get(`/incidents/${id}?include_deleted=true`);
      expect(response).toMatchObject({
        status: 200,
        body: { ...before, deleted: true, updated_at: expect.any(String) },
      });
    }
    const { body: history } = await manager.get(`/incidents/${id}/history?include_deleted=true`);
    expect(history.data.at(-1)).toMatchObject({
      actor: 'manager@clients.incidents.localhost',
      changes: { deleted: { from: false, to: true } },
    });
    expectProblem(await manager.get(`/incidents/${id}?include_deleted=false`), 404, 'not_found');
  });

  it('hides deleted incidents from all other callers', async () => {
    const { body } = await anIncident(agent);
    await manager.delete(`/incidents/${body.id}`);
    for (const name of ['agent', 'viewer'] as const) {
      const api = await getApi(service, name);
      expectProblem(await api.get(`/incidents/${body.id}?include_deleted=true`), 403, 'forbidden');
      expectProblem(await api.get(`/incidents/${body.id}/history?include_deleted=true`), 403, 'forbidden');
    }
  });

  it.each(['agent', 'viewer'] as const)('rejects the %s', async (name) => {
    const { body } = await anIncident(agent);
    expectProblem(await (await getApi(service, name)).delete(`/incidents/${body.id}`), 403, 'forbidden');
    expect((await agent.get(`/incidents/${body.id}`)).status).toBe(200);
  });

  it('accepts the super_admin, too', async () => {
    const { body } = await anIncident(agent);
    expect((await (await getApi(service, 'admin')).delete(`/incidents/${body.id}`)).status).toBe(204);
  });

  it('honours If-Match', async () => {
    const { body, headers } = await anIncident(agent);
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    const old = { 'if-match': headers.get('etag')! };
    expectProblem(await manager.delete(`/incidents/${body.id}`, old), 412, 'precondition_failed');
    expect((await manager.delete(`/incidents/${body.id}`, { 'if-match': '"2-0"' })).status).toBe(204);
  });

  it('returns 404 for unknown ids', async () => {
    expectProblem(await manager.delete('/incidents/INC0000000'), 404, 'not_found');
  });
});
