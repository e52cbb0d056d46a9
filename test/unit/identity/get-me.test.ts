import { routes } from '../../../contract/routes.ts';
import { getMe } from '../../../lambdas/identity/get-me.ts';
import { route } from '../../../lambdas/platform/http/route.ts';
import { anAuthorizerContext, aPlatform, aRequest, lambdaContext } from '../platform/requests.ts';

const handle = (authorizer: Record<string, string>) =>
  route(routes.getMe, getMe, aPlatform().platform)(aRequest({ authorizer }), lambdaContext());

describe('getMe', () => {
  it('shows who the token belongs to and what it may do', async () => {
    const answer = await handle(anAuthorizerContext({ roles: 'viewer,itsm_agent' }));
    expect(JSON.parse(answer.body)).toEqual({
      id: 'caller-1',
      email: 'agent@clients.incidents.example.com',
      kind: 'client',
      roles: ['viewer', 'itsm_agent'],
      rate_limits: expect.arrayContaining([{ class: 'general', limit: 100, window_seconds: 1 }]),
    });
  });

  it('is not for callers without a role', async () => {
    expect(await handle(anAuthorizerContext({ roles: '' }))).toMatchObject({ statusCode: 403 });
  });
});
