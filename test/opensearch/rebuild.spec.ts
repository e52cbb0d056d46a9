import type { SQSEvent } from 'aws-lambda';
import { incidentListing } from '../../lambdas/incidents/incident-listing.ts';
import { createIndexRebuilder, type RebuildTools } from '../../lambdas/list-index/rebuild-index.ts';
import type { FeedEntry } from '../../lambdas/lists/feed-store.ts';
import type { ListQuery } from '../../lambdas/lists/list-engine.ts';
import { encodeListing, formatRecordId } from '../../lambdas/lists/listing.ts';
import { toListWrite, writeDocuments } from '../../lambdas/lists/search-documents.ts';
import { createSearchEngine } from '../../lambdas/lists/search-engine.ts';
import { connectSearch, type Json, type SearchClient } from '../../lambdas/platform/clients/opensearch.ts';
import { findObstacle, type OpenSearchNode, startNode } from './node.ts';

// The steps of the state machine, with a feed in memory. Messages arrive once, twice or again after an interruption.

const describeIf = findObstacle() ? describe.skip : describe;
const startMs = Date.UTC(2026, 2, 1);
const everything: ListQuery = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'asc' };

type Sent = Parameters<RebuildTools['sendLater']>[0];

describeIf('a rebuild of an index', () => {
  let node: OpenSearchNode;
  let client: SearchClient;
  let entries: FeedEntry[] = [];
  let nowMs = startMs;
  const reported: ({ output: Json } | { problem: string })[] = [];
  const later: Sent[] = [];

  beforeAll(async () => {
    node = await startNode();
    client = connectSearch(node.url, 'rebuild');
  });

  afterAll(() => node?.stop());

  /** As the stream does: to the feed and to the live index. */
  const save = (number: number, atMs: number, isDeleted = false) => {
    const [created_at, updated_at] = [new Date(startMs).toISOString(), new Date(atMs).toISOString()];
    const id = formatRecordId(number, incidentListing.idPrefix);
    const record = { id, created_at, updated_at, priority: 'P1', state: 'new', deleted: isDeleted };
    const listing = encodeListing(incidentListing, record);
    const key = `${updated_at}#${id}`;
    entries = [...entries.filter((entry) => !entry.key.endsWith(id)), { key, listing }];
    entries.sort((a, b) => (a.key < b.key ? -1 : 1));
    return toListWrite(incidentListing, listing);
  };

  const send = async (message: object, overrides: Partial<RebuildTools> = {}): Promise<Json> => {
    const tools: RebuildTools = {
      client,
      createFeed: () => ({
        shards: 2,
        async *pages(shard, after) {
          yield entries.filter(({ key }) => key > after && key.charCodeAt(key.length - 1) % 2 === shard);
        },
      }),
      reports: {
        succeed: async (_, output) => void reported.push({ output }),
        fail: async (_, { message: problem }) => void reported.push({ problem }),
      },
      sendLater: async (each) => void later.push(each),
      clock: { now: () => nowMs } as RebuildTools['clock'],
      log: () => {},
      ...overrides,
    };
    const body = JSON.stringify({ token: 't', ...message });
    await createIndexRebuilder(tools)({ Records: [{ body }] } as unknown as SQSEvent);
    return reported.at(-1);
  };

  const count = async () => {
    await client.request('POST', '/_refresh');
    return (await createSearchEngine(incidentListing, client).findPage(everything, { skip: 0 }, 1)).total;
  };

  const copyAll = async (copies: readonly object[]) => {
    const results: object[] = [];
    for (const copy of copies) results.push((await send({ step: 'copy', copy })).output);
    return results;
  };

  const rebuild = async (build: number) => {
    const { output } = await send({ step: 'create', build, types: ['incident'] });
    const caughtUp = await copyAll(await copyAll(output.copies));
    const switched = (await send({ step: 'switch', copies: caughtUp })).output;
    return (await send({ step: 'finish', copies: await copyAll(switched.copies) })).output;
  };

  it('has all records, with every message delivered twice', async () => {
    for (let number = 0; number < 40; number++) save(number, startMs + number);
    save(7, startMs + 100, true);
    const create = { step: 'create', build: startMs, types: ['incident'] };
    await send(create);
    const { copies } = (await send(create)).output;
    expect(copies).toHaveLength(2);
    const copied = await copyAll([...copies, ...copies]);
    for (let time = 0; time < 2; time++) await send({ step: 'switch', copies: copied.slice(0, 2) });
    for (let time = 0; time < 2; time++) await send({ step: 'finish', copies: copied.slice(0, 2) });
    expect(reported.at(-1)).toEqual({ output: { 'rebuild-incident': 39 } });
    expect(await count()).toBe(39);
  });

  it('serves lists from the live index meanwhile, and contains what is written during the rebuild', async () => {
    nowMs = startMs + 3_600_000;
    const { output } = await send({ step: 'create', build: nowMs, types: ['incident'] });
    const copied = await copyAll(output.copies);
    // The stream writes to the live index only.
    expect(await writeDocuments(client, [save(50, nowMs + 1), save(8, nowMs + 2, true)])).toEqual([]);
    expect(await count()).toBe(39);
    const caughtUp = await copyAll(copied);
    const late = save(51, nowMs + 3);
    expect(await writeDocuments(client, [late])).toEqual([]);
    const switched = (await send({ step: 'switch', copies: caughtUp })).output;
    await send({ step: 'finish', copies: await copyAll(switched.copies) });
    expect(await count()).toBe(40);
    expect(Object.keys(await client.request('GET', '/rebuild-incident-*'))).toEqual([`rebuild-incident-${nowMs}`]);
  });

  it('continues a long copy with another message, from its last entry', async () => {
    nowMs += 3_600_000;
    const { output } = await send({ step: 'create', build: nowMs, types: ['incident'] });
    const before = reported.length;
    let calls = 0;
    // The first call computes the end of the run, and the next one is after it.
    const clock = { now: () => nowMs + 100_000 * Math.max(0, calls++ - 1) } as RebuildTools['clock'];
    await send({ step: 'copy', copy: output.copies[0] }, { clock });
    expect(reported).toHaveLength(before);
    expect(later).toHaveLength(1);
    expect(later[0]).toMatchObject({ step: 'copy', copy: output.copies[0], started_ms: nowMs });
    const { output: copied } = await send(later[0]!);
    expect(copied).toEqual({ ...output.copies[0], since_ms: nowMs - 120_000 });
  });

  it('does nothing more when a later rebuild has ended', async () => {
    nowMs += 3_600_000;
    const { output } = await send({ step: 'create', build: nowMs, types: ['incident'] });
    const total = await count();
    await rebuild(nowMs + 1);
    const copied = await copyAll(output.copies);
    const switched = (await send({ step: 'switch', copies: copied })).output;
    await send({ step: 'finish', copies: switched.copies });
    expect(Object.keys(await client.request('GET', '/_alias/rebuild-incident'))).toEqual([
      `rebuild-incident-${nowMs + 1}`,
    ]);
    expect(await count()).toBe(total);
  });

  it('does not switch to an index with another mapping', async () => {
    nowMs += 3_600_000;
    const total = await count();
    const { output } = await send({ step: 'create', build: nowMs, types: ['incident'] });
    await client.request('DELETE', `/rebuild-incident-${nowMs}`);
    const copied = await copyAll(output.copies);
    expect(await send({ step: 'switch', copies: copied })).toEqual({
      problem: expect.stringContaining('has the mapping of another release'),
    });
    expect(await count()).toBe(total);
  });

  it('reports in one sentence why it cannot run', async () => {
    const create = { step: 'create', build: nowMs + 1, types: ['incident'] };
    expect(await send(create, { client: undefined })).toEqual({
      problem: 'SEARCH_ENDPOINT is not set, so there are no indexes to rebuild.',
    });
    expect(await send(create, { client: connectSearch('http://127.0.0.1:1', 'x') })).toEqual({
      problem: 'The search engine of SEARCH_ENDPOINT cannot be reached.',
    });
  });
});
