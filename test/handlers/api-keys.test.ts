import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { APIGatewayClient, CreateApiKeyCommand, GetApiKeysCommand } from '@aws-sdk/client-api-gateway';
import { ListBucketsCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createClient } from '../../client/index.ts';
import { expectAccess } from '../support/access.ts';
import { expectProblem, requestToken } from '../support/http.ts';
import { type Api, createApi, getApi, startTestService } from '../support/incidents.ts';
import { createPerson, replaceRole, signIn } from '../support/people.ts';
import { signAwsCall } from '../support/signed-aws-call.ts';

let person: Api;
const { service, agent, admin } = await startTestService('agent', 'admin');
beforeAll(async () => {
  const manager = await createPerson(service, 'grace@example.com', 'itsm_manager');
  person = createApi(service, await signIn(service, manager));
});

function parseKey(key: string) {
  const [client_id, client_secret] = Buffer.from(key.slice('itsm_'.length), 'base64url').toString().split(':');
  return { client_id: client_id!, client_secret: client_secret! };
}

const exchangeKey = (key: string) => requestToken(service, { grant_type: 'client_credentials', ...parseKey(key) });

async function aKey(api: Api, fields: object = {}) {
  const answer = await api.post('/api-keys', { name: 'Import', ...fields });
  expect(answer.status).toBe(201);
  return answer.body;
}

const revoke = async (api: Api, id: string) => expect((await api.delete(`/api-keys/${id}`)).status).toBe(204);

describe('createApiKey', () => {
  it('creates a key with one role that acts for its owner, and returns the secret once', async () => {
    const made = await aKey(person, { role: 'itsm_agent' });
    expect(made).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      name: 'Import',
      role: 'itsm_agent',
      owner: 'grace@example.com',
      created_at: expect.any(String),
      last_used_at: null,
      key: expect.stringMatching(/^itsm_[\w-]+$/),
    });
    const { body: token } = await exchangeKey(made.key);
    const program = createApi(service, token.access_token!);
    expect((await program.get('/me')).body).toMatchObject({
      email: 'grace@example.com',
      kind: 'client',
      roles: ['itsm_agent'],
    });
    const incident = await program.post('/incidents', { short_description: 'From a program' });
    expect(incident.body.opened_by).toBe('grace@example.com');
    expectProblem(await program.delete(`/incidents/${incident.body.id}`), 403, 'forbidden');
    const [listed] = (await person.get('/api-keys')).body.data;
    expect(listed).toEqual({ ...without(made, 'key'), last_used_at: expect.any(String) });
    await revoke(person, made.id);
  });

  it('works with the SDK, which exchanges it for a token', async () => {
    const made = await aKey(agent);
    const client = createClient({
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      credentials: { apiKey: made.key },
    });
    expect(await client.getMe()).toMatchObject({ roles: ['itsm_agent'], email: made.owner });
    await revoke(agent, made.id);
  });

  it('is accepted as a bearer token, with the same caller and limits as its tokens', async () => {
    const made = await aKey(person, { role: 'itsm_agent' });
    const { body: token } = await exchangeKey(made.key);
    const [direct, exchanged] = [createApi(service, made.key), createApi(service, token.access_token!)];
    const { body: me } = await direct.get('/me');
    expect(me).toMatchObject({ email: 'grace@example.com', kind: 'client', roles: ['itsm_agent'] });
    expect((await exchanged.get('/me')).body).toEqual(me);
    expectProblem(await direct.delete('/incidents/INC0000000'), 403, 'forbidden');
    const { client_id, client_secret } = parseKey(made.key);
    const format = (text: string) => `itsm_${Buffer.from(text).toString('base64url')}`;
    const guesses = [made.key.slice(0, -1), format(`${client_id}:${client_secret}0`), format(`${client_id}:`), 'itsm_'];
    // Only API keys are accepted this way, not the credentials of other clients.
    const { client_id: id, client_secret: secret } = service.credentials.clients.agent;
    for (const guess of [...guesses, format(`${id}:${secret}`)]) {
      expectProblem(await createApi(service, guess).get('/me'), 401, 'unauthorized');
    }
    await revoke(person, made.id);
    await service.advance('5m1s', []);
    expectProblem(await direct.get('/me'), 401, 'unauthorized');
  });

  it('rejects a role that the caller does not have', async () => {
    expectProblem(await agent.post('/api-keys', { name: 'a', role: 'itsm_manager' }), 403, 'forbidden');
    const made = await aKey(person);
    expect(made.role).toBe('itsm_manager');
    await revoke(person, made.id);
  });

  it('loses the permissions that its owner loses', async () => {
    const owner = await createPerson(service, 'heidi@example.com', 'itsm_manager');
    const made = await aKey(createApi(service, await signIn(service, owner)));
    const { body: token } = await exchangeKey(made.key);
    const program = createApi(service, token.access_token!);
    expect((await program.get('/me')).body.roles).toEqual(['itsm_manager']);
    await replaceRole(service, owner.email, 'itsm_manager', 'viewer');
    await service.advance('5m1s', []);
    expect((await program.get('/me')).body.roles).toEqual(['viewer']);
    expectProblem(await program.post('/incidents', { short_description: 'Too late' }), 403, 'forbidden');
    await replaceRole(service, owner.email, 'viewer');
    await service.advance('5m1s', []);
    expectProblem(await program.get('/incidents'), 403, 'forbidden');
    await revoke(admin, made.id);
  });

  it('returns the same key for the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-key' };
    const first = await agent.post('/api-keys', { name: 'Once' }, headers);
    const second = await agent.post('/api-keys', { name: 'Once' }, headers);
    expect([second.body, second.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    await revoke(agent, first.body.id);
    expectProblem(await agent.post('/api-keys', { name: 'Once' }, headers), 422, 'idempotency_key_reused');
  });

  it('rejects calls with an API key', async () => {
    const made = await aKey(agent);
    const { body } = await exchangeKey(made.key);
    const program = createApi(service, body.access_token!);
    expectProblem(await program.post('/api-keys', { name: 'another' }), 403, 'forbidden');
    await revoke(agent, made.id);
  });

  it('lists all problems', async () => {
    const answer = await agent.post('/api-keys', { role: 'king', key: 'x', colour: 'red' });
    expectProblem(answer, 400, 'invalid_input');
    const fields = answer.body.errors.map(({ field }: { field: string }) => field);
    expect(fields.sort()).toEqual(['colour', 'key', 'name', 'role']);
  });

  it('limits an owner to twenty keys, even with concurrent requests', async () => {
    const viewer = await getApi(service, 'viewer');
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => viewer.post('/api-keys', { name: `${n}` })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expectProblem(answers.find(({ status }) => status !== 201)!, 409, 'limit_reached');
    await revoke(viewer, made[0]!.body.id);
    expect((await viewer.post('/api-keys', { name: 'again' })).status).toBe(201);
  });
});

describe('listApiKeys', () => {
  it("lists the caller's own keys, and all keys for a super_admin", async () => {
    const [mine, theirs] = [await aKey(agent, { name: 'mine' }), await aKey(person, { name: 'theirs' })];
    const names = async (api: Api, query = '') =>
      (await api.get(`/api-keys${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names(agent)).toEqual(['mine']);
    expect(await names(person)).toEqual(['theirs']);
    expect(await names(admin, '?limit=2')).toEqual(['theirs', 'mine']);
    const page = (await admin.get('/api-keys?limit=1')).body;
    expect(await names(admin, `?limit=1&cursor=${page.next_cursor}`)).toEqual(['mine']);
    await revoke(agent, mine.id);
    await revoke(admin, theirs.id);
    expect([await names(agent), await names(person)]).toEqual([[], []]);
  });
});

describe('deleteApiKey', () => {
  it('stops new tokens, issued tokens and the key itself', async () => {
    const made = await aKey(person);
    const { body: token } = await exchangeKey(made.key);
    const program = createApi(service, token.access_token!);
    expect((await program.get('/me')).status).toBe(200);
    await revoke(person, made.id);
    expect(await exchangeKey(made.key)).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
    // The gateway has cached the authorizer's response, but not the consumer of the usage plan.
    const rejected = await program.get('/me');
    expectProblem(rejected, 401, 'unauthorized');
    expect(rejected.headers.get('www-authenticate')).toBe('Bearer');
    expectProblem(await createApi(service, made.key).get('/me'), 401, 'unauthorized');
    await service.advance('5m1s', []);
    expectProblem(await program.get('/me'), 401, 'unauthorized');
    expectProblem(await person.delete(`/api-keys/${made.id}`), 404, 'not_found');
  });

  it('returns 204 or 404 to concurrent requests for one key', async () => {
    const made = await aKey(person);
    const answers = await Promise.all(Array.from({ length: 12 }, () => person.delete(`/api-keys/${made.id}`)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses.has(204)).toBe(true);
    expect([...statuses].filter((status) => status !== 204 && status !== 404)).toEqual([]);
    expect((await exchangeKey(made.key)).status).toBe(400);
  });

  it('returns 404 for keys of other owners', async () => {
    const made = await aKey(person);
    expectProblem(await agent.delete(`/api-keys/${made.id}`), 404, 'not_found');
    expect((await exchangeKey(made.key)).status).toBe(200);
    await revoke(admin, made.id);
  });
});

describe('access to API keys', () => {
  it('requires a token', async () => {
    const unknown = `/api-keys/key_${'0'.repeat(26)}`;
    await expectAccess(service, [
      ['GET', '/api-keys'],
      ['POST', '/api-keys', { name: 'a' }],
      ['DELETE', unknown],
    ]);
    expectProblem(await agent.delete(unknown), 404, 'not_found');
    expectProblem(await agent.delete('/api-keys/1'), 404, 'not_found');
    expectProblem(await agent.get('/api-keys?colour=red'), 400, 'invalid_input');
  });

  it('requires a role', async () => {
    const nobody = createApi(service, await signIn(service, await createPerson(service, 'nobody@example.com')));
    expectProblem(await nobody.post('/api-keys', { name: 'a' }), 403, 'forbidden');
  });
});

function without<Body extends object>(body: Body, name: keyof Body): Partial<Body> {
  const { [name]: _, ...rest } = body;
  return rest as Partial<Body>;
}

describe('the deletion of the stack', () => {
  it('removes snapshots and the keys that callers created, but no other keys', async () => {
    await Promise.all([aKey(agent), aKey(person)]);
    const aws = { region: 'us-east-1', endpoint: service.awsUrl, credentials: service.awsCredentials };
    const gateway = new APIGatewayClient(aws);
    const s3 = new S3Client({ ...aws, forcePathStyle: true });
    const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
    const Bucket = Buckets.find(({ Name }) => Name?.includes('listsnapshots'))?.Name;
    await s3.send(new PutObjectCommand({ Bucket, Key: 'a/snapshot', Body: 'x' }));
    const foreign = { name: 'of somebody else', value: 'x'.repeat(30), tags: { 'usage-plan': 'other' } };
    await gateway.send(new CreateApiKeyCommand(foreign));
    const removed = await deleteStackData();
    expect(removed).toMatchObject({ Status: 'SUCCESS' });
    const { items = [] } = await gateway.send(new GetApiKeysCommand({}));
    expect(items.map(({ name }) => name)).toEqual([foreign.name]);
    expect((await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
  });
});

/** Invokes the function as CloudFormation does; the result is what it sends to CloudFormation. */
async function deleteStackData(): Promise<unknown> {
  let result: unknown;
  const server = createServer(async (request, response) => {
    result = await json(request);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Removal', ResourceProperties: {} };
  const event = { RequestType: 'Delete', ResponseURL: `http://127.0.0.1:${port}/`, ...ids };
  try {
    const path = '/2015-03-31/functions/incidents-local--remove-stack-data/invocations';
    const body = JSON.stringify(event);
    const headers = signAwsCall(service, 'lambda', '', body, path);
    expect((await fetch(`${service.awsUrl}${path}`, { method: 'POST', headers, body })).status).toBe(200);
    return result;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
