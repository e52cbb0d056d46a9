import { AdminDeleteUserCommand, AdminDisableUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { expectProblem, requestToken } from '../support/http.ts';
import { apiWith } from '../support/incidents.ts';
import { administer, consoleConfig, createPerson, replaceRole, signIn, tokensOf } from '../support/people.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const rolesOf = async (token: string) => (await apiWith(service, token).get('/me')).body.roles;

describe("a person's access token", () => {
  it('loses and gains roles within five minutes of a change of groups', async () => {
    const person = await createPerson(service, 'ida@example.com', 'itsm_manager');
    const token = await signIn(service, person);
    expect(await rolesOf(token)).toEqual(['itsm_manager']);
    await replaceRole(service, person.email, 'itsm_manager', 'viewer');
    await service.advance('5m1s');
    expect(await rolesOf(token)).toEqual(['viewer']);
    expectProblem(await apiWith(service, token).post('/incidents', { short_description: 'a' }), 403, 'forbidden');
    await replaceRole(service, person.email, 'viewer', 'super_admin');
    await service.advance('5m1s');
    expect(await rolesOf(token)).toEqual(['super_admin']);
  });

  it.each([
    ['disabled', AdminDisableUserCommand],
    ['deleted', AdminDeleteUserCommand],
  ])('is refused within five minutes after the person was %s', async (what, Command) => {
    const person = await createPerson(service, `${what}@example.com`, 'viewer');
    const token = await signIn(service, person);
    expect(await rolesOf(token)).toEqual(['viewer']);
    await administer(service, async (client, UserPoolId) => {
      await client.send(new Command({ UserPoolId, Username: person.email }));
    });
    await service.advance('5m1s');
    expectProblem(await apiWith(service, token).get('/me'), 401, 'unauthorized');
  });

  it('ends with its session: no refresh from then on, and no request after five minutes', async () => {
    const person = await createPerson(service, 'ivy@example.com', 'viewer');
    const [ended, other] = [await tokensOf(service, person), await tokensOf(service, person)];
    expect(await rolesOf(ended.access_token!)).toEqual(['viewer']);
    const { client_id } = await consoleConfig(service);
    const revoked = await fetch(`${service.authUrl}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, token: ended.refresh_token! }),
    });
    expect(revoked.status).toBe(200);
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: ended.refresh_token! };
    expect(await requestToken(service, refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await service.advance('5m1s');
    expectProblem(await apiWith(service, ended.access_token!).get('/me'), 401, 'unauthorized');
    expect(await rolesOf(other.access_token!)).toEqual(['viewer']);
  });
});
