import { call, expectProblem, expectRateHeaders, tokenOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('getHealth', () => {
  it.each(['/health', '/v1/health'])('answers at %s', async (path) => {
    const answer = await call(service, path, { token: await tokenOf(service, 'viewer') });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      service_instance: 'local',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expectRateHeaders(answer);
  });

  it('needs a token', async () => {
    const answer = await call(service, '/health');
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refuses query parameters it does not know, all of them named', async () => {
    const answer = await call(service, '/health?a=1&b=2', { token: await tokenOf(service, 'viewer') });
    expectProblem(answer, 400, 'invalid_input');
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(['a', 'b']);
  });
});
