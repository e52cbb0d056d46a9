import {
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  CreateUserPoolClientCommand,
  UpdateUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { expectAccess } from '../support/access.ts';
import { becomes } from '../support/becomes.ts';
import { expectProblem, requestToken } from '../support/http.ts';
import { aWebhook } from '../support/inbound-webhooks.ts';
import { type Api, anIncident, createApi, getApi, startTestService } from '../support/incidents.ts';
import { administer, consoleConfig, createPerson, getTokens, replaceRole, signIn } from '../support/people.ts';
import { until } from '../support/until.ts';

const { service } = await startTestService();

const getRoles = async (token: string) => (await createApi(service, token).get('/me')).body.roles;

describe("a person's access token", () => {
  it('loses and gains roles within five minutes of a group change', async () => {
    const person = await createPerson(service, 'ida@example.com', 'itsm_manager');
    const token = await signIn(service, person);
    expect(await getRoles(token)).toEqual(['itsm_manager']);
    await replaceRole(service, person.email, 'itsm_manager', 'viewer');
    await service.advance('5m1s', []);
    expect(await getRoles(token)).toEqual(['viewer']);
    expectProblem(await createApi(service, token).post('/incidents', { short_description: 'a' }), 403, 'forbidden');
    await replaceRole(service, person.email, 'viewer', 'super_admin');
    await service.advance('5m1s', []);
    expect(await getRoles(token)).toEqual(['super_admin']);
  });

  it.each([
    ['disabled', AdminDisableUserCommand],
    ['deleted', AdminDeleteUserCommand],
  ])('is rejected within five minutes after the person was %s', async (what, Command) => {
    const person = await createPerson(service, `${what}@example.com`, 'viewer');
    const token = await signIn(service, person);
    expect(await getRoles(token)).toEqual(['viewer']);
    await administer(service, async (client, UserPoolId) => {
      await client.send(new Command({ UserPoolId, Username: person.email }));
    });
    await service.advance('5m1s', []);
    expectProblem(await createApi(service, token).get('/me'), 401, 'unauthorized');
  });

  it('gets 503 while the user pool throttles, never uses old roles, and works again afterwards', async () => {
    const person = await createPerson(service, 'ilse@example.com', 'itsm_agent');
    const [known, fresh] = [await signIn(service, person), await signIn(service, person)];
    expect(await getRoles(known)).toEqual(['itsm_agent']);
    const faults = (init: RequestInit) =>
      fetch(`${service.baseUrl}/_local/faults`, { headers: { 'content-type': 'application/json' }, ...init });
    const fault = { service: 'cognito-idp', error: 'TooManyRequestsException', status: 400 };
    expect((await faults({ method: 'POST', body: JSON.stringify(fault) })).status).toBe(200);
    const rejected = await createApi(service, fresh).get('/me');
    expectProblem(rejected, 503, 'unavailable');
    expect(rejected.headers.get('retry-after')).toBe('1');
    expect(await getRoles(known)).toEqual(['itsm_agent']);
    await faults({ method: 'DELETE' });
    expect(await getRoles(fresh)).toEqual(['itsm_agent']);
  });

  it('cannot be refreshed after sign-out, and is rejected within five minutes', async () => {
    const person = await createPerson(service, 'ivy@example.com', 'viewer');
    const [ended, other] = [await getTokens(service, person), await getTokens(service, person)];
    expect(await getRoles(ended.access_token!)).toEqual(['viewer']);
    const { client_id } = await consoleConfig(service);
    const revoked = await fetch(`${service.authUrl}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id, token: ended.refresh_token! }),
    });
    expect(revoked.status).toBe(200);
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: ended.refresh_token! };
    expect(await requestToken(service, refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await service.advance('5m1s', []);
    expectProblem(await createApi(service, ended.access_token!).get('/me'), 401, 'unauthorized');
    expect(await getRoles(other.access_token!)).toEqual(['viewer']);
  });
});

describe('listAudit', () => {
  let admin: Api;
  let manager: Api;
  beforeAll(async () => {
    [admin, manager] = await Promise.all([getApi(service, 'admin'), getApi(service, 'manager')]);
  });

  // biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of a body it did not type.
  type Entry = any;

  const audit = async (query: string): Promise<Entry[]> => (await admin.get(`/audit?${query}`)).body.data;

  /** Waits for an entry: the audit log is written shortly after the event. */
  async function findEntry(query: string, isMatch: (one: Entry) => boolean): Promise<Entry> {
    // A rate-limited response has no data.
    const entries = await until(
      async () => (await audit(query)) ?? [],
      (found) => found.some(isMatch),
    );
    return entries.find(isMatch);
  }

  const managerEmail = async () => (await manager.get('/me')).body.email;

  it('records created and revoked API keys and their actors', async () => {
    const { body: key } = await manager.post('/api-keys', { name: 'Import', role: 'viewer' });
    await admin.delete(`/api-keys/${key.id}`);
    const isMatch = ({ target }: Entry) => target === key.id;
    const revoked = await findEntry('type=api_key.revoked', isMatch);
    const created = await findEntry('type=api_key.created', isMatch);
    expect(created).toEqual({
      id: expect.stringMatching(/^aud_[0-9A-Z]{26}$/),
      at: key.created_at,
      type: 'api_key.created',
      actor: await managerEmail(),
      target: key.id,
      source_ip: '127.0.0.1',
      user_agent: null,
      request_id: null,
      details: { name: 'Import', role: 'viewer', owner: await managerEmail() },
    });
    expect(revoked).toMatchObject({
      actor: (await admin.get('/me')).body.email,
      source_ip: '127.0.0.1',
      details: { name: 'Import' },
    });
    const [, secret] = Buffer.from(key.key.slice('itsm_'.length), 'base64url').toString().split(':');
    expect(JSON.stringify(await audit('limit=200'))).not.toContain(secret);
    // Our own functions create and delete the app clients of keys. These calls add no entries.
    expect(await audit('type=client.created,client.deleted')).toEqual([]);
  });

  it('records created and changed webhooks without values, which may contain credentials', async () => {
    const { body: inbound } = await aWebhook(manager, { secret_enabled: true });
    await manager.patch(`/webhooks/inbound/${inbound.id}`, { name: 'Renamed', active: false });
    const receiver = { url: 'https://hooks.example.com/T0/secret', headers: { 'X-Token': 'hidden' } };
    const { body: outbound } = await manager.post('/webhooks/outbound', {
      ...{ name: 'Chat', events: ['incident.created'], active: false },
      ...receiver,
    });
    await manager.patch(`/webhooks/outbound/${outbound.id}`, { url: 'https://hooks.example.com/T1/secret' });
    for (const [id, kind, fields] of [
      [inbound.id, 'inbound_webhook', ['active', 'name']],
      [outbound.id, 'outbound_webhook', ['url']],
    ]) {
      const changed = await findEntry('type=webhook.updated', ({ target }) => target === id);
      expect(changed).toMatchObject({ actor: await managerEmail(), details: { kind, fields } });
      const created = await findEntry('type=webhook.created', ({ target }) => target === id);
      expect(created).toMatchObject({ actor: await managerEmail(), details: { kind } });
    }
    await manager.delete(`/webhooks/outbound/${outbound.id}`);
    await findEntry('type=record.deleted', ({ target }) => target === outbound.id);
    expect(JSON.stringify(await audit('limit=200'))).not.toMatch(/hooks\.example|hidden/);
  });

  it('records deletions and rotated webhook secrets', async () => {
    const { body: incident } = await anIncident(manager);
    await manager.delete(`/incidents/${incident.id}`);
    const { body: inbound } = await aWebhook(manager, { secret_enabled: true });
    await manager.post(`/webhooks/inbound/${inbound.id}/rotate-secret`, undefined);
    const deleted = await findEntry('type=record.deleted', ({ target }) => target === incident.id);
    const source_ip = '127.0.0.1';
    expect(deleted).toMatchObject({ actor: await managerEmail(), source_ip, details: { kind: 'incident' } });
    const rotated = await findEntry('type=webhook_secret.rotated', ({ target }) => target === inbound.id);
    expect(rotated).toMatchObject({ actor: await managerEmail(), source_ip, details: { kind: 'inbound_webhook' } });
    expect(await audit(`type=webhook_secret.rotated`)).toHaveLength(1);
  });

  it('records sign-ins and failed sign-ins', async () => {
    const person = await createPerson(service, 'ines@example.com', 'viewer');
    await expect(signIn(service, { ...person, password: 'Wrong-Passw0rd!' })).rejects.toThrow();
    await signIn(service, person);
    await expect(signIn(service, { email: 'stranger@example.com', password: 'Guess-1-word!' })).rejects.toThrow();
    await expect(signIn(service, { email: 'My-Passw0rd-in-the-wrong-field', password: 'a' })).rejects.toThrow();
    const { client_id } = await consoleConfig(service);
    const found = await audit(`actor=${person.email}&type=sign_in.succeeded,sign_in.failed`);
    expect(found.map(({ type, source_ip, details }) => [type, source_ip, details])).toEqual([
      ['sign_in.succeeded', '127.0.0.1', { client_id }],
      ['sign_in.failed', '127.0.0.1', { client_id, reason: 'not_completed' }],
    ]);
    const [stranger] = await audit('actor=stranger@example.com');
    expect(stranger).toMatchObject({ type: 'sign_in.failed', details: { reason: 'unknown_person' } });
    expect(await audit('actor=unknown')).toHaveLength(1);
    expect(JSON.stringify(await audit('limit=200'))).not.toContain('wrong-field');
  });

  it('records attempts whose password is not checked after too many wrong ones', async () => {
    const person = await createPerson(service, 'igor@example.com', 'viewer');
    const guess = () => signIn(service, { ...person, password: 'Wrong-Passw0rd!' }).catch(() => 'rejected');
    await service.hold(true);
    await Promise.all(Array.from({ length: 7 }, guess));
    await service.hold(false);
    const found = await audit(`actor=${person.email}&type=sign_in.failed`);
    const reasons = found.map(({ source_ip, details }) => `${details.reason} from ${source_ip}`).sort();
    expect(reasons).toEqual([
      ...Array.from({ length: 5 }, () => 'not_completed from 127.0.0.1'),
      ...Array.from({ length: 2 }, () => 'too_many_attempts from 127.0.0.1'),
    ]);
  });

  it('records changes of people, groups and clients with the caller', async () => {
    const person = await createPerson(service, 'irma@example.com', 'viewer');
    await replaceRole(service, person.email, 'viewer');
    let clientId: string | undefined;
    await administer(service, async (client, UserPoolId) => {
      const settings = { UserPoolId, AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: ['client_credentials'] };
      const made = await client.send(
        new CreateUserPoolClientCommand({
          ...settings,
          ClientName: 'importer',
          GenerateSecret: true,
          AllowedOAuthFlows: ['client_credentials'],
          AllowedOAuthScopes: ['itsm/viewer'],
        }),
      );
      clientId = made.UserPoolClient!.ClientId;
      await client.send(
        new UpdateUserPoolClientCommand({
          ...settings,
          ClientId: clientId,
          AllowedOAuthFlows: ['client_credentials'],
          AllowedOAuthScopes: ['itsm/super_admin'],
        }),
      );
    });
    const left = await findEntry('type=group.member_removed', ({ target }) => target === person.email);
    expect(left).toMatchObject({
      actor: 'arn:aws:iam::000000000000:user/operator',
      source_ip: '127.0.0.1',
      request_id: expect.any(String),
      details: { group: 'viewer', user_id: expect.any(String) },
    });
    await findEntry('type=user.created', ({ target }) => target === person.email);
    await findEntry('type=group.member_added', ({ target }) => target === person.email);
    const updated = await findEntry('type=client.updated', ({ target }) => target === clientId);
    expect(updated.details).toEqual({ scopes: ['itsm/super_admin'] });
    expect(JSON.stringify(await audit('limit=200'))).not.toContain(person.password);
  });

  it('lists entries newest first, optionally within a period', async () => {
    for (let count = 0; count < 3; count++) {
      const { body: incident } = await anIncident(manager);
      await manager.delete(`/incidents/${incident.id}`);
      await findEntry('type=record.deleted', ({ target }) => target === incident.id);
    }
    const walked: Entry[] = [];
    let cursor = '';
    let total: number;
    do {
      const { body } = await admin.get(`/audit?limit=1&type=record.deleted${cursor}`);
      walked.push(...body.data);
      total = body.total;
      cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : '';
    } while (cursor && walked.length < 10);
    expect(walked).toEqual(await audit('type=record.deleted'));
    expect(walked).toHaveLength(total);
    const times = walked.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const between = await audit(`type=record.deleted&created_after=${times[2]}&created_before=${times[0]}`);
    expect(between.map(({ at }) => at)).toEqual([times[1]]);
    const { body: page } = await admin.get('/audit?limit=1');
    expectProblem(
      await admin.get(`/audit?limit=1&type=record.deleted&cursor=${page.next_cursor}`),
      400,
      'invalid_input',
    );
  });

  it('rejects unknown types, unknown fields and reversed times', async () => {
    for (const query of [
      'type=everything',
      'colour=red',
      'limit=0',
      'created_after=2026-02-01&created_before=2026-01-01',
      'created_after=yesterday',
    ]) {
      expectProblem(await admin.get(`/audit?${query}`), 400, 'invalid_input');
    }
  });

  it('requires a super_admin', async () => {
    await expectAccess(service, [['GET', '/audit']], 'manager');
  });
});

describe('preferences', () => {
  const views = [{ list: 'incidents', name: 'Due next', query: 'sort=sla_breach_at&order=asc', pinned: true }];
  let agent: Api;
  let viewer: Api;
  beforeAll(async () => {
    [agent, viewer] = await Promise.all([getApi(service, 'agent'), getApi(service, 'viewer')]);
  });

  it('belong to one person, have defaults and are changed by merge patch', async () => {
    const path = '/me/preferences';
    const before = await agent.get(path);
    expect(before).toMatchObject({
      status: 200,
      body: { views: [], notifications: { mentions: true, browser: false } },
    });
    expect((await agent.patch(path, { views })).body).toEqual({ ...before.body, views });
    const { body } = await agent.patch(path, { notifications: { notes: false } });
    expect(body).toEqual({ ...before.body, views, notifications: { ...before.body.notifications, notes: false } });
    expect((await agent.patch(path, { time_zone: 'Europe/Berlin' })).body).toEqual({
      ...body,
      time_zone: 'Europe/Berlin',
    });
    expect((await agent.patch(path, { time_zone: null })).body).toEqual(body);
    expect((await agent.get(path)).body).toEqual(body);
    expect((await viewer.get(path)).body).toEqual(before.body);
  });

  it('detect concurrent changes with If-Match', async () => {
    const path = '/me/preferences';
    const etag = (await viewer.get(path)).headers.get('etag') ?? '';
    expect((await viewer.patch(path, { views }, { 'If-Match': etag })).status).toBe(200);
    expectProblem(await viewer.patch(path, { views: [] }, { 'If-Match': etag }), 412, 'precondition_failed');
    const parallel = await Promise.all([0, 1, 2].map(() => viewer.patch(path, { views: [] })));
    expect(parallel.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('are limited in size and reject unknown fields', async () => {
    const view = { list: 'incidents', name: 'x', query: '' };
    const rejected: [unknown, string[]][] = [
      [{ views: [view, view] }, ['views']],
      [{ views: Array.from({ length: 51 }, (_, index) => ({ ...view, name: `${index}` })) }, ['views']],
      [{ views: [{ ...view, query: 'q=<b> x' }], sound: true }, ['views[0].query', 'sound']],
      [{ notifications: { sms: true } }, ['notifications.sms']],
      [{ time_zone: 'Mars/Olympus' }, ['time_zone']],
    ];
    for (const [body, fields] of rejected) {
      expectProblem(await agent.patch('/me/preferences', body), 400, 'invalid_input', fields.sort());
    }
    await expectAccess(service, [
      ['GET', '/me/preferences'],
      ['PATCH', '/me/preferences', {}],
    ]);
  });

  it('include views that managers share with everyone', async () => {
    const manager = await getApi(service, 'manager');
    expect((await viewer.get('/views')).body).toEqual({ views: [] });
    const { headers } = await manager.patch('/views', { views });
    expect((await viewer.get('/views')).body).toEqual({ views });
    expect((await viewer.get('/me/preferences')).body.views).toEqual([]);
    await manager.patch('/views', { views: [] }, { 'If-Match': headers.get('etag') ?? '' });
    const stale = await manager.patch('/views', { views }, { 'If-Match': headers.get('etag') ?? '' });
    expectProblem(stale, 412, 'precondition_failed');
    expectProblem(await agent.patch('/views', { views }), 403, 'forbidden');
    expectProblem(await manager.patch('/views', {}), 400, 'invalid_input', ['views']);
    await expectAccess(service, [
      ['GET', '/views'],
      ['PATCH', '/views', { views: [] }],
    ]);
  });
});

describe('the directory', () => {
  it('lists enabled people with their highest role, for agents', async () => {
    await createPerson(service, 'dora.directory@example.com', 'itsm_manager');
    await createPerson(service, 'dirk.directory@example.com');
    await administer(service, async (client, UserPoolId) => {
      const gone = await createPerson(service, 'gone.directory@example.com');
      await client.send(new AdminDisableUserCommand({ UserPoolId, Username: gone.email }));
    });
    const agent = await getApi(service, 'agent');
    expect((await agent.get('/directory/people?q=DIRECTORY')).body).toEqual({
      data: [
        { email: 'dirk.directory@example.com', name: null, role: null },
        { email: 'dora.directory@example.com', name: null, role: 'itsm_manager' },
      ],
      total: 2,
      truncated: false,
    });
    const cut = await agent.get('/directory/people?q=directory&limit=1');
    expect(cut.body).toMatchObject({ data: [{}], total: 2, truncated: true });
    expectProblem(await agent.get('/directory/people?limit=0'), 400, 'invalid_input');
    await expectAccess(service, [['GET', '/directory/people']], 'viewer');
    await expectAccess(service, [['GET', '/directory/groups']]);
  });

  it('lists groups that records use, and warns about unknown names', async () => {
    const [agent, viewer] = await Promise.all([getApi(service, 'agent'), getApi(service, 'viewer')]);
    const group = 'night shift é';
    const first = await anIncident(agent, { assignment_group: group, assigned_to: 'nobody.at.all@example.com' });
    expect(JSON.parse(first.headers.get('x-warnings') ?? '')).toEqual([
      { field: 'assigned_to', message: 'is not in the directory' },
      { field: 'assignment_group', message: 'is not in the directory' },
    ]);
    const names = async () => (await viewer.get('/directory/groups?q=night')).body.data;
    await becomes(names, [{ name: group }]);
    await createPerson(service, 'wanda.warned@example.com', 'itsm_agent');
    const path = `/incidents/${first.body.id}`;
    const known = await agent.patch(path, { assigned_to: 'wanda.warned@example.com' });
    expect([known.status, known.headers.get('x-warnings')]).toEqual([200, null]);
    const client = await agent.patch(path, { assigned_to: 'agent@clients.incidents.localhost' });
    expect(client.headers.get('x-warnings')).toBeNull();
    expectProblem(await viewer.get(`/directory/groups?q=${'x'.repeat(101)}`), 400, 'invalid_input');
  });
});
