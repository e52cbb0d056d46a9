import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { incidentListing } from '../../lambdas/incidents/incident-listing.ts';
import { prepareSearch } from '../../lambdas/list-index/handlers.ts';
import { indexRecords, retryRecords } from '../../lambdas/list-index/index-records.ts';
import { encodeListing } from '../../lambdas/lists/listing.ts';
import { connectSearch } from '../../lambdas/platform/clients/opensearch.ts';
import { becomes } from '../support/becomes.ts';
import { call, getToken } from '../support/http.ts';
import { launch, type Service, startService, waitForExit } from '../support/service.ts';
import { findObstacle, type OpenSearchNode, startNode } from './node.ts';

const obstacle = findObstacle();
const describeIf = obstacle ? describe.skip : describe;

describeIf('the service with OpenSearch', () => {
  let node: OpenSearchNode;
  let service: Service;
  let token: string;

  const send = (method: string, path: string, body?: object) =>
    call(service, path, {
      method,
      token,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const create = async (short_description: string) => {
    const { status, body } = await send('POST', '/v1/incidents', { short_description, category: 'network' });
    expect(status).toBe(201);
    return String(body.id);
  };
  const count = async (query: string) => (await send('GET', `/v1/incidents?${query}`)).body.total;

  beforeAll(async () => {
    node = await startNode();
    service = await startService({ args: ['--empty', '--search', node.url] });
    token = await getToken(service, 'admin');
  });

  afterAll(async () => {
    await service?.stop();
    await node?.stop();
  });

  it('lists, counts and measures records that the stream indexed, without deleted ones', async () => {
    expect(await count('')).toBe(0);
    const ids = [await create('mail server down'), await create('mail client slow'), await create('printer jam')];
    await becomes(() => count('q=mail'), 2);
    expect((await send('GET', '/v1/incidents?q=MAIL%20down')).body.data[0].id).toBe(ids[0]);
    expect((await send('GET', '/v1/incidents/statistics?group_by=category')).body).toMatchObject({
      count: 3,
      groups: [{ values: { category: 'network' }, count: 3 }],
    });
    const first = (await send('GET', '/v1/incidents?limit=2')).body;
    const second = (await send('GET', `/v1/incidents?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect((await send('DELETE', `/v1/incidents/${ids[1]}`)).status).toBe(204);
    await becomes(() => count('q=mail'), 1);
  });

  it('finds similar incidents and answers in OpenSearch, without drafts and deleted records', async () => {
    const exemplars = async (description: string) => {
      const { body } = await send('POST', '/v1/ai/exemplars', { description });
      return body.exemplars.map(({ incident_id }: { incident_id: string }) => incident_id);
    };
    const before = await count('');
    const id = await create('Outlook cannot send mail with error 0x8004010F');
    const resolution = { state: 'resolved', resolution: 'Rebuilt the offline address book' };
    for (const patch of [{ state: 'in_progress' }, resolution])
      expect((await send('PATCH', `/v1/incidents/${id}`, patch)).status).toBe(200);
    await becomes(() => exemplars('mail cannot be sent, error 0x8004010F'), [id]);
    const article = {
      title: 'Reset the VPN token',
      body: 'Open the portal and select New token.',
      category: 'network',
    };
    const draft = (await send('POST', '/v1/knowledge/articles', article)).body.id;
    const search = async () => {
      const { body } = await send('POST', '/v1/ai/ask', { question: 'How do I reset my VPN token?' });
      return [...new Set([...body.citations, ...body.related].map(({ article_id }) => article_id))];
    };
    expect(await search()).toEqual([]);
    expect((await send('PATCH', `/v1/knowledge/articles/${draft}`, { state: 'published' })).status).toBe(200);
    await becomes(search, [draft]);
    expect((await send('DELETE', `/v1/incidents/${id}`)).status).toBe(204);
    await becomes(() => exemplars('mail cannot be sent with error 0x8004010F'), []);
    await becomes(() => count(''), before);
  });

  it('is rebuilt by `npm run reindex` while records are written, and says in one line what is wrong', async () => {
    const before = await count('');
    const [rebuilt, id] = await Promise.all([reindex('incidents-local'), create('during the rebuild')]);
    expect(rebuilt).toEqual({ status: 0, text: expect.stringContaining('incidents-local-incident: ') });
    await becomes(() => count(''), before + 1);
    expect((await send('GET', '/v1/incidents?limit=1')).body.data[0].id).toBe(id);
    expect(await reindex('incidents-other')).toEqual({
      status: 1,
      text: expect.stringMatching(/^There is no state machine incidents-other-reindex: .*\n$/),
    });
    expect((await reindex('incidents-local', 'bogus')).text).toMatch(/^There is no index of bogus\./);
  });

  const reindex = async (...args: string[]) => {
    const child = spawn('npm', ['run', '--silent', 'reindex', '--', ...args], {
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        npm_config_loglevel: 'silent',
        AWS_ENDPOINT_URL: service.awsUrl,
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: service.awsCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: service.awsCredentials.secretAccessKey,
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    return { status: await waitForExit(child), text };
  };

  it('reports how far lists are behind the table', async () => {
    const health = async () => (await send('GET', '/v1/health?search=true')).body.search;
    const id = await create('soon in the index');
    await becomes(health, { engine: 'opensearch', lag_seconds: 0 });
    // A change that the index lost, and a deleted record that it still has.
    const client = connectSearch(node.url, 'incidents-local');
    await client.request('DELETE', `/incidents-local-incident/_doc/${id}`);
    await client.request('POST', '/_refresh');
    expect((await health()).lag_seconds).toBeGreaterThan(0);
    expect((await send('DELETE', `/v1/incidents/${id}`)).status).toBe(204);
    await becomes(health, { engine: 'opensearch', lag_seconds: 0 });
    expect((await send('GET', '/v1/health')).body.search).toBeUndefined();
    expect((await send('GET', '/v1/health?search=perhaps')).status).toBe(400);
  });

  it('answers 503 while the node is down, serves records by id, and misses nothing afterwards', async () => {
    const before = await count('');
    const known = await create('before the crash');
    await node.kill();
    const during = await create('during the crash');
    const list = await send('GET', '/v1/incidents');
    expect([list.status, list.headers.get('retry-after')]).toEqual([503, '5']);
    expect((await send('GET', '/v1/incidents/statistics')).status).toBe(503);
    expect((await send('GET', '/v1/health?search=true')).body.search).toEqual({
      engine: 'opensearch',
      lag_seconds: null,
      problem: 'The search engine of SEARCH_ENDPOINT cannot be reached.',
    });
    expect((await send('GET', `/v1/incidents/${known}`)).status).toBe(200);
    expect((await send('PATCH', `/v1/incidents/${during}`, { category: 'crash' })).status).toBe(200);
    await becomes(async () => (await send('GET', `/v1/events?record_id=${during}`)).status, 200);
    await node.start();
    // The queue hides failed messages for a while.
    await service.advance('5m', []);
    await becomes(() => count(''), before + 2);
    expect(await count('category=crash')).toBe(1);
  });

  it('builds missing indexes, and those of another release, from the table on the next start', async () => {
    const all = await count('');
    await service.end();
    const client = connectSearch(node.url, 'incidents-local');
    await client.request('PUT', '/incidents-local-incident/_mapping', { _meta: { schema: 'other' } });
    await client.request('DELETE', '/incidents-local-change-*');
    service = await startService({ dataFolder: service.dataFolder, args: ['--empty', '--search', node.url] });
    token = await getToken(service, 'admin');
    expect(await count('')).toBe(all);
    expect((await send('GET', '/v1/changes')).body.total).toBe(0);
  });

  it('answers 503 instead of an empty list when an index is missing', async () => {
    const client = connectSearch(node.url, 'incidents-local');
    await client.request('DELETE', '/incidents-local-change-*');
    const { status, body } = await send('GET', '/v1/changes');
    expect([status, body.detail]).toEqual([503, 'An index of SEARCH_ENDPOINT is missing. Run `npm run reindex`.']);
  });
});

describe('npm start -- --search', () => {
  it.each([
    ['an unreachable server', () => 'http://127.0.0.1:1', /--search .* cannot be reached/],
    ['a server that is too old', () => old.url, /--search .* is elasticsearch 7\.10\.2; OpenSearch 2 is required/],
    [
      'a server that does not permit requests',
      () => closed.url,
      /--search .* SEARCH_ENDPOINT does not permit the request/,
    ],
    ['an address without a scheme', () => 'localhost', /--search needs the address of OpenSearch/],
  ])('rejects %s in one sentence', async (_, getUrl, sentence) => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'search-'));
    const { child, output } = launch({ dataFolder, args: ['--empty', '--search', getUrl()] });
    expect(await waitForExit(child)).toBe(1);
    expect(output()).toMatch(sentence);
    expect(output().trim().split('\n').length).toBeLessThan(3);
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const old = serve(() => ({ body: { version: { number: '7.10.2', distribution: 'elasticsearch' } } }));
  const closed = serve(() => ({ status: 403, body: { message: 'no' } }));

  it.each([
    ['cannot be reached', () => 'http://127.0.0.1:1', 'The search engine of SEARCH_ENDPOINT cannot be reached.'],
    ['is too old', () => old.url, 'SEARCH_ENDPOINT is elasticsearch 7.10.2; OpenSearch 2 is required.'],
    ['does not permit requests', () => closed.url, 'SEARCH_ENDPOINT does not permit the request.'],
  ])('fails a deployment whose domain %s, with the reason', async (_, getUrl, Reason) => {
    const REINDEX_MACHINE = 'arn:aws:states:us-east-1:123456789012:stateMachine:x-reindex';
    Object.assign(process.env, { SEARCH_ENDPOINT: getUrl(), SEARCH_PREFIX: 'x', REINDEX_MACHINE });
    results.length = 0;
    const ids = { StackId: 's', RequestId: 'r', LogicalResourceId: 'l', ResourceProperties: {} };
    await prepareSearch()({ RequestType: 'Create', ResponseURL: cloudFormation.url, ...ids });
    expect(results.map((text) => JSON.parse(text))).toEqual([expect.objectContaining({ Status: 'FAILED', Reason })]);
  });

  const results: string[] = [];
  const cloudFormation = serve(() => ({ body: {} }), results);
});

describe('indexing', () => {
  const record = (number: number) => ({
    id: `INC000000${number}`,
    created_at: '2026-03-01T00:00:00.000Z',
    updated_at: '2026-03-01T00:00:00.000Z',
    priority: 'P1',
    state: 'new',
  });
  const items = [1, 2, 3].map((number) => ({
    pk: { S: record(number).id },
    sk: { S: '#' },
    feed_pk: { S: 'incident#1' },
    feed_sk: { S: `${record(number).updated_at}#${record(number).id}` },
    listing: { B: encodeListing(incidentListing, record(number)) },
  }));
  const messages = items.map(({ pk, sk }) => ({ pk: pk.S, sk: sk.S }));
  const statuses = [201, 429, 400];
  const server = serve(() => ({
    body: {
      errors: true,
      items: statuses.map((status) => ({ index: { status, ...(status > 300 && { error: { reason: 'no' } }) } })),
    },
  }));
  const log = () => {};

  it('queues rejected items of a bulk request, and sends those that can never succeed to the dead-letter queue', async () => {
    const client = connectSearch(server.url, 'x');
    const queued: unknown[] = [];
    const entries = items.map(({ pk, sk, listing, ...image }) => ({
      dynamodb: {
        Keys: { pk, sk },
        NewImage: { ...image, listing: { B: Buffer.from(listing.B).toString('base64') } },
      },
    })) as DynamoDBRecord[];
    await indexRecords(entries, { client, log, sendToRetryQueue: async (message) => void queued.push(message) });
    expect(queued).toEqual(messages.slice(1));
    const dead: unknown[] = [];
    const store = { get: async (id: string) => items.find(({ pk }) => pk.S === id) };
    const event = {
      Records: messages.map((message, id) => ({ messageId: String(id), body: JSON.stringify(message) })),
    };
    const sendToDeadLetterQueue = async (message: unknown) => void dead.push(message);
    const result = await retryRecords(event as unknown as SQSEvent, { client, log, store, sendToDeadLetterQueue });
    expect(result.batchItemFailures).toEqual([{ itemIdentifier: '1' }]);
    expect(dead).toEqual([messages[2]]);
  });

  it('limits the time of every request', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const client = connectSearch(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, 'x');
    await expect(client.request('GET', '/', undefined, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    silent.close();
  });
});

/** A server that answers every request with the same JSON. Adds the bodies of requests to the list. */
function serve(answer: () => { status?: number; body: object }, received: string[] = []): { url: string } {
  let server: Server;
  const served = { url: '' };
  beforeAll(async () => {
    server = createHttpServer((request, response) => {
      let sent = '';
      request.on('data', (chunk) => (sent += chunk));
      request.on('end', () => {
        const { status = 200, body } = answer();
        received.push(sent);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    served.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return served;
}
