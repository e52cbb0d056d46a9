import { call, expectProblem, tokenOf } from '../support/http.ts';
import { type Api, anIncident, apiOf, countedCalls } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let agent: Api;
let viewer: Api;
beforeAll(async () => {
  service = await startService();
  [agent, viewer] = await Promise.all([apiOf(service, 'agent'), apiOf(service, 'viewer')]);
});
afterAll(() => service.stop());

describe('getIncident', () => {
  it('shows an incident to a viewer, under both prefixes', async () => {
    const { body } = await anIncident(agent, { category: 'email' });
    const answer = await viewer.get(`/incidents/${body.id}`);
    expect(answer).toMatchObject({ status: 200, body });
    expect(answer.headers.get('etag')).toBe('"1-0"');
    const alias = await call(service, `/incidents/${body.id}`, { token: await tokenOf(service, 'viewer') });
    expect(alias).toMatchObject({ status: 200, body });
  });

  it('answers 304 without a body while the ETag is the same', async () => {
    const { body, headers } = await anIncident(agent);
    const etag = headers.get('etag')!;
    for (const given of [etag, `W/${etag}`, `"9-9", ${etag}`, '*']) {
      const answer = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': given });
      expect([answer.status, answer.body, answer.headers.get('etag')]).toEqual([304, undefined, etag]);
    }
  });

  it('answers anew after a change, and after a note', async () => {
    const { body, headers } = await anIncident(agent);
    await agent.post(`/incidents/${body.id}/notes`, { body: 'hello' });
    const noted = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': headers.get('etag')! });
    expect(noted).toMatchObject({ status: 200, body: { ...body, work_notes_count: 1 } });
    await agent.patch(`/incidents/${body.id}`, { category: 'x' });
    const changed = await viewer.get(`/incidents/${body.id}`, { 'if-none-match': noted.headers.get('etag')! });
    expect(changed.status).toBe(200);
  });

  it('refuses an If-None-Match that is no ETag', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.get(`/incidents/${body.id}`, { 'if-none-match': 'abc' }), 400, 'invalid_input');
  });

  it.each(['INC0000000', 'INC000000', 'inc0000000', 'INCOILU000', 'CHG0000000', '%00', 'idempotency%23x', '..%2F'])(
    'does not find %s',
    async (id) => {
      expectProblem(await viewer.get(`/incidents/${id}`), 404, 'not_found');
    },
  );

  it('refuses unknown parameters and values', async () => {
    const { body } = await anIncident(agent);
    expectProblem(await viewer.get(`/incidents/${body.id}?fields=id`), 400, 'invalid_input');
    expectProblem(await viewer.get(`/incidents/${body.id}?include_deleted=1`), 400, 'invalid_input');
  });

  it('is one read beside the count of the request', async () => {
    const { body } = await anIncident(agent);
    await viewer.get(`/incidents/${body.id}`);
    await service.advance('2s');
    const calls = await countedCalls(service, 'get-incident', () => viewer.get(`/incidents/${body.id}`));
    expect(calls).toEqual({ 'dynamodb.GetItem': 1 });
  });
});
