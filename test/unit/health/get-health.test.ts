import { routes } from '../../../contract/routes.ts';
import { getHealth } from '../../../lambdas/health/health-probe.ts';
import { route } from '../../../lambdas/platform/http/route.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext } from '../platform/requests.ts';

const release = { version: '1.2.3', serviceInstance: 'test' };

const handle = (probe: () => Promise<void>) => {
  const event = aRequest({ authorizer: anAuthorizerContext({ roles: '' }) });
  return route(routes.getHealth, getHealth(probe, release), aPlatform().platform)(event, lambdaContext());
};

describe('getHealth', () => {
  it('returns 200 when the storage is available, also without a role', async () => {
    const response = await handle(async () => {});
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body)).toEqual({
      status: 'ok',
      version: '1.2.3',
      service_instance: 'test',
      time: '2026-03-01T09:30:00.250Z',
    });
  });

  it('returns 503 without details when the storage is unavailable', async () => {
    const response = await handle(async () => Promise.reject(new Error('AccessDenied on arn:aws:secret')));
    expect(response).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '1' } });
    expect(response.body).not.toContain('arn:aws');
  });
});
