import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { expectAccess, type Request } from '../../support/access.ts';
import { becomes } from '../../support/becomes.ts';
import { type Answer, expectProblem } from '../../support/http.ts';
import { type Api, createApi, getApi, startTestService } from '../../support/incidents.ts';
import { readCode, readOutbox } from '../../support/outbox.ts';
import { createPerson, type Person, signIn } from '../../support/people.ts';
import { aReceiver } from '../../support/receivers.ts';
import { createTableClient, findRecordsTable } from '../../support/tables.ts';

const { service } = await startTestService();

const path = '/me/contact-methods';
const rulesPath = '/me/notification-rules';

let number = 0;

/** Each test has a person of its own, because codes are limited per person. */
async function aPerson(): Promise<Person & { api: Api }> {
  const person = await createPerson(service, `person${++number}@example.com`, 'viewer');
  return { ...person, api: createApi(service, await signIn(service, person)) };
}

async function listMethods(api: Api): Promise<Answer['body'][]> {
  return (await api.get(path)).body.contact_methods;
}

async function addVerified(api: Api, kind: string, address: string): Promise<string> {
  const { status, body } = await api.post(path, { kind, address });
  expect(status).toBe(201);
  const code = await readCode(service, address);
  expect(await api.post(`${path}/${body.id}/verify`, { code })).toMatchObject({
    status: 200,
    body: { is_verified: true },
  });
  return body.id;
}

describe('contact methods', () => {
  it('begin with the verified address of the account', async () => {
    const { api, email } = await aPerson();
    expect(await api.get(path)).toMatchObject({
      status: 200,
      body: {
        contact_methods: [{ kind: 'email', address: email, is_account: true, is_verified: true, created_at: null }],
        available_kinds: ['email', 'sms', 'slack', 'teams', 'ntfy'],
      },
    });
  });

  it('of a program have no address of an account', async () => {
    expect(await listMethods(await getApi(service, 'viewer'))).toEqual([]);
  });

  it('are verified with the code that is sent to an e-mail address', async () => {
    const { api } = await aPerson();
    const created = await api.post(path, { kind: 'email', address: 'private@example.org', label: 'Home' });
    expect(created).toMatchObject({
      status: 201,
      body: { kind: 'email', address: 'private@example.org', label: 'Home', is_verified: false, is_account: false },
    });
    expect(created.headers.get('location')).toBe(`/prod/api/v1${path}/${created.body.id}`);
    const code = await readCode(service, 'private@example.org');
    const wrong = code === '000000' ? '000001' : '000000';
    const rejected = await api.post(`${path}/${created.body.id}/verify`, { code: wrong });
    expectProblem(rejected, 400, 'invalid_input', ['code']);
    expect(rejected.body.detail).toContain('4 tries');
    const verified = await api.post(`${path}/${created.body.id}/verify`, { code });
    expect(verified).toMatchObject({ status: 200, body: { is_verified: true, code_expires_at: null } });
  });

  it('are verified with the code in a text message', async () => {
    const { api } = await aPerson();
    await addVerified(api, 'sms', '+4915112345601');
    expect(await listMethods(api)).toMatchObject([{ is_account: true }, { kind: 'sms', address: '+4915112345601' }]);
  });

  it('reject a sixth try, even of the right code', async () => {
    const { api } = await aPerson();
    const { body } = await api.post(path, { kind: 'sms', address: '+4915112345602' });
    const code = await readCode(service, '+4915112345602');
    const wrong = code === '000000' ? '000001' : '000000';
    const guesses = await Promise.all(
      Array.from({ length: 5 }, () => api.post(`${path}/${body.id}/verify`, { code: wrong })),
    );
    for (const guess of guesses) expectProblem(guess, 400, 'invalid_input', ['code']);
    expectProblem(await api.post(`${path}/${body.id}/verify`, { code }), 409, 'limit_reached');
    expect((await api.post(`${path}/${body.id}/code`, undefined)).status).toBe(200);
    const next = await readCode(service, '+4915112345602');
    expect((await api.post(`${path}/${body.id}/verify`, { code: next })).status).toBe(200);
  });

  it('reject a code after ten minutes', async () => {
    const { api } = await aPerson();
    const { body } = await api.post(path, { kind: 'email', address: 'late@example.org' });
    const code = await readCode(service, 'late@example.org');
    await service.advance('10m', []);
    expectProblem(await api.post(`${path}/${body.id}/verify`, { code }), 400, 'invalid_input', ['code']);
  });

  it('store no code and no URL of a webhook', async () => {
    const { api, email } = await aPerson();
    await api.post(path, { kind: 'email', address: 'hashed@example.org' });
    const code = await readCode(service, 'hashed@example.org');
    const secret = 'https://hooks.slack.com/services/T0/B0/secret-part';
    const { body } = await api.post(path, { kind: 'slack', address: secret });
    expect(body).toMatchObject({ kind: 'slack', address: 'hooks.slack.com/…', is_verified: true });
    const client = createTableClient(service);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: await findRecordsTable(client),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `contacts#${email}` } },
      }),
    );
    client.destroy();
    const stored = JSON.stringify(Items);
    expect(stored).toContain('hashed@example.org');
    expect(stored).not.toContain(code);
    expect(stored).not.toContain('secret-part');
  });

  it('are at most ten, with that of the account', async () => {
    const { api } = await aPerson();
    const add = (room: number) => api.post(path, { kind: 'ntfy', address: `https://ntfy.sh/room-${room}` });
    const statuses = (await Promise.all(Array.from({ length: 12 }, (_, room) => add(room)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(9);
    expectProblem(await add(13), 409, 'limit_reached');
    expect(await listMethods(api)).toHaveLength(10);
  });

  it('can be deleted, except the address of the account', async () => {
    const { api } = await aPerson();
    const id = await addVerified(api, 'email', 'gone@example.org');
    const other = await aPerson();
    expectProblem(await other.api.delete(`${path}/${id}`), 404, 'not_found');
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
    expectProblem(await api.delete(`${path}/${id}`), 404, 'not_found');
    const [account] = await listMethods(api);
    expectProblem(await api.delete(`${path}/${account.id}`), 409, 'limit_reached');
  });

  it('get at most five codes per hour', async () => {
    const { api } = await aPerson();
    const add = (index: number) => api.post(path, { kind: 'email', address: `many${index}@example.org` });
    for (let index = 0; index < 5; index++) expect((await add(index)).status).toBe(201);
    const rejected = await add(5);
    expectProblem(rejected, 429, 'rate_limited');
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('reject bad input with all problems', async () => {
    const { api, email } = await aPerson();
    expectProblem(await api.post(path, { kind: 'fax', address: 1, label: 'x'.repeat(61) }), 400, 'invalid_input', [
      'kind',
      'address',
      'label',
    ]);
    expectProblem(await api.post(path, { kind: 'sms', address: '0151 12345678', id: 'x' }), 400, 'invalid_input', [
      'address',
      'id',
    ]);
    for (const address of ['not an address', `x@${'y'.repeat(250)}.org`, email]) {
      expectProblem(await api.post(path, { kind: 'email', address }), 400, 'invalid_input', ['address']);
    }
    for (const address of ['http://example.org/x', 'https://169.254.169.254/', 'ftp://x', 'https://10.0.0.1/hook']) {
      expectProblem(await api.post(path, { kind: 'teams', address }), 400, 'invalid_input', ['address']);
    }
    expectProblem(
      await api.post(`${path}/con_5T2XK8M0QW9RZC4V7HJ1NBD6FE/verify`, { code: '12a456' }),
      400,
      'invalid_input',
      ['code'],
    );
  });

  it('are not created when the provider rejects the code, but can get another one', async () => {
    const { api } = await aPerson();
    const fault = { service: 'ses', error: 'MessageRejected', times: 1 };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${service.baseUrl}/_local/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
    expectProblem(await api.post(path, { kind: 'email', address: 'bounce@example.org' }), 503, 'unavailable');
    const [, method] = await listMethods(api);
    expect(method).toMatchObject({ address: 'bounce@example.org', is_verified: false });
    expect((await api.post(`${path}/${method.id}/code`, undefined)).status).toBe(200);
    const code = await readCode(service, 'bounce@example.org');
    expect((await api.post(`${path}/${method.id}/verify`, { code })).status).toBe(200);
  });

  it('receive a test message', async () => {
    const receiver = await aReceiver();
    const { api } = await aPerson();
    const { body } = await api.post(path, { kind: 'slack', address: receiver.url });
    const accepted = await api.post(`${path}/${body.id}/test`, undefined);
    expect(accepted).toMatchObject({ status: 202, body: { message_id: expect.stringMatching(/^msg_/) } });
    const [request] = await receiver.until(1);
    expect(request!.body.text).toContain('This is a test');
    expect(JSON.stringify(request!.body)).toContain(accepted.body.message_id);
    await becomes(async () => (await listMethods(api))[1].last_delivery?.outcome, 'sent');
    await receiver.stop();
  });

  it('receive no test message before they are verified', async () => {
    const { api } = await aPerson();
    const { body } = await api.post(path, { kind: 'email', address: 'unverified@example.org' });
    expectProblem(await api.post(`${path}/${body.id}/test`, undefined), 404, 'not_found');
  });
});

describe('notification rules', () => {
  it('page all verified methods at once by default', async () => {
    const { api, email } = await aPerson();
    const phone = await addVerified(api, 'sms', '+4915112345603');
    await api.post(path, { kind: 'email', address: 'not-yet@example.org' });
    const [account] = await listMethods(api);
    expect(await api.get(rulesPath)).toMatchObject({
      status: 200,
      body: {
        pages: [
          { method_id: account.id, after_minutes: 0 },
          { method_id: phone, after_minutes: 0 },
        ],
        notifications: [{ method_id: account.id, after_minutes: 0 }],
        topics: ['assignments', 'mentions', 'incidents', 'webhooks'],
        is_default: { pages: true, notifications: true, topics: true },
      },
    });
    expect((await api.post(`${rulesPath}/test`, undefined)).status).toBe(202);
    await becomes(async () => (await readOutbox(service, email)).length, 1);
    await becomes(async () => (await readOutbox(service, '+4915112345603')).length, 2);
  });

  it('use the next method after some minutes', async () => {
    const { api, email } = await aPerson();
    const phone = await addVerified(api, 'sms', '+4915112345604');
    const [account] = await listMethods(api);
    const pages = [
      { method_id: account.id, after_minutes: 0 },
      { method_id: phone, after_minutes: 40 },
    ];
    expect(await api.put(rulesPath, { pages, notifications: [], topics: null })).toMatchObject({
      status: 200,
      body: { pages, notifications: [], is_default: { pages: false, notifications: false, topics: true } },
    });
    const { body } = await api.post(`${rulesPath}/test`, undefined);
    await becomes(async () => (await readOutbox(service, email)).length, 1);
    await service.advance('39m', []);
    expect(await readOutbox(service, '+4915112345604')).toHaveLength(1);
    await service.advance('1m30s', []);
    await becomes(async () => (await readOutbox(service, '+4915112345604')).length, 2);
    const [text] = await readOutbox(service, '+4915112345604');
    expect(text!.text).toContain(body.message_id);
  });

  it('page all methods when those of the rules were deleted', async () => {
    const { api } = await aPerson();
    const id = await addVerified(api, 'email', 'soon-gone@example.org');
    const pages = [{ method_id: id, after_minutes: 0 }];
    expect((await api.put(rulesPath, { pages, notifications: null, topics: null })).status).toBe(200);
    expect((await api.delete(`${path}/${id}`)).status).toBe(204);
    const [account] = await listMethods(api);
    expect((await api.get(rulesPath)).body.pages).toEqual([{ method_id: account.id, after_minutes: 0 }]);
  });

  it('reject unknown and unverified methods, with all problems', async () => {
    const { api } = await aPerson();
    const { body } = await api.post(path, { kind: 'email', address: 'unproven@example.org' });
    const unknown = 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE';
    const step = (method_id: string, after_minutes: unknown = 0) => ({ method_id, after_minutes });
    const rules = { pages: [step(body.id)], notifications: [step(unknown)], topics: null };
    expectProblem(await api.put(rulesPath, rules), 400, 'invalid_input', [
      'pages[0].method_id',
      'notifications[0].method_id',
    ]);
    const wrong = { pages: [step('x', -1)], notifications: [step(unknown), step(unknown)], topics: ['x'], extra: 1 };
    expectProblem(await api.put(rulesPath, wrong), 400, 'invalid_input', [
      'pages[0].method_id',
      'pages[0].after_minutes',
      'notifications',
      'topics[0]',
      'extra',
    ]);
    expectProblem(await api.put(rulesPath, {}), 400, 'invalid_input', ['pages', 'notifications', 'topics']);
  });
});

describe('access', () => {
  const id = 'con_5T2XK8M0QW9RZC4V7HJ1NBD6FE';
  const requests: Request[] = [
    ['GET', path],
    ['POST', path, { kind: 'sms', address: '+4915112345699' }],
    ['DELETE', `${path}/${id}`],
    ['POST', `${path}/${id}/verify`, { code: '123456' }],
    ['POST', `${path}/${id}/code`],
    ['POST', `${path}/${id}/test`],
    ['GET', rulesPath],
    ['PUT', rulesPath, { pages: null, notifications: null, topics: null }],
    ['POST', `${rulesPath}/test`],
  ];

  it('needs a token', async () => {
    await expectAccess(service, requests);
  });

  it('needs a role', async () => {
    const person = await createPerson(service, 'no.role@example.com');
    const api = createApi(service, await signIn(service, person));
    for (const [method, where, body] of requests) {
      const send = { GET: api.get, POST: api.post, PUT: api.put, DELETE: api.delete }[method];
      expectProblem(await (send as Api['post'])(where, body as never), 403, 'forbidden');
    }
  });
});
