import { readFileSync } from 'node:fs';
import pMap from 'p-map';
import { incidentListing } from '../../lambdas/incidents/incident-listing.ts';
import type { ListEngine, ListQuery, PageStart } from '../../lambdas/lists/list-engine.ts';
import { Replica } from '../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../lambdas/lists/replica-engine.ts';
import { createIndex, toListIndex, toListWrite, writeDocuments } from '../../lambdas/lists/search-documents.ts';
import { createSearchEngine } from '../../lambdas/lists/search-engine.ts';
import { connectSearch, type SearchClient } from '../../lambdas/platform/clients/opensearch.ts';
import { findObstacle, startNode } from '../opensearch/node.ts';
import {
  benchIncidentType,
  categories,
  createIncidents,
  groups,
  startMs,
  stepMs,
  vocabulary,
} from './many-incidents.ts';
import { printTable } from './report.ts';

const usualCount = 1_000_000;
const descriptionWords = 60;
const runs = 101;
const limit = 25;
const batchSize = 1_000;
const heapMb = 2_048;

/** Compares the engines of lists with the same incidents: queries, memory, the size of the index and its writing. */
export async function benchListEngines(count = usualCount): Promise<void> {
  const obstacle = findObstacle();
  if (obstacle) throw new Error(obstacle);
  const node = await startNode({ heapMb });
  try {
    const client = connectSearch(node.url, 'bench');
    const replica = await fill(client, count);
    printTable(`Lists of ${limit} with total, ${count} incidents, warm`, await compare(client, replica, count));
    const { indices } = await client.request('GET', '/_stats/store');
    const stored = (Object.values(indices) as { primaries: { store: { size_in_bytes: number } } }[])
      .map(({ primaries }) => primaries.store.size_in_bytes)
      .reduce((sum, bytes) => sum + bytes, 0);
    console.log(`\nreplica: ${toMb(replica.bytes)} of memory`);
    console.log(`OpenSearch: ${toMb(stored)} on disk, ${readMemory(node.pid)} of memory (heap ${heapMb} MB)`);
  } finally {
    await node.stop();
  }
}

async function fill(client: SearchClient, count: number): Promise<Replica> {
  const kind = toListIndex(incidentListing);
  const alias = client.toIndexName(kind.type);
  await createIndex(client, `${alias}-1`, kind);
  await client.request('POST', '/_aliases', { actions: [{ add: { index: `${alias}-1`, alias } }] });
  const replica = new Replica(incidentListing);
  let writingMs = 0;
  const batches = toBatches(count, replica);
  const startedMs = performance.now();
  await pMap(
    batches,
    async (writes) => {
      const fromMs = performance.now();
      const rejected = await writeDocuments(client, writes);
      if (rejected.length > 0) throw new Error(`${rejected.length} records were rejected: ${rejected[0]?.reason}`);
      writingMs += performance.now() - fromMs;
    },
    { concurrency: 2 },
  );
  await client.request('POST', '/_refresh', undefined, { timeoutMs: 60_000 });
  const seconds = (performance.now() - startedMs) / 1_000;
  console.log(
    `${count} incidents written to OpenSearch: ${seconds.toFixed(0)} s, ${Math.round(count / seconds)} a second`,
  );
  console.log(
    `  ${Math.round(writingMs / (count / batchSize))} ms per request with ${batchSize} documents, two at a time`,
  );
  return replica;
}

function* toBatches(count: number, replica: Replica) {
  let batch: ReturnType<typeof toListWrite>[] = [];
  for (const record of createIncidents(count, descriptionWords)) {
    const listing = benchIncidentType.listing(record);
    replica.applyEncoded(listing);
    batch.push(toListWrite(incidentListing, listing));
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Question {
  what: string;
  query?: Partial<ListQuery>;
  start?: PageStart;
}

function createQuestions(count: number): Question[] {
  const toTimeMs = (share: number) => startMs + Math.floor(count * share) * stepMs;
  const common = vocabulary[40] ?? '';
  return [
    { what: 'everything' },
    { what: 'oldest change first', query: { sort: 'updated_at', order: 'asc' } },
    { what: 'page 400', start: { skip: 399 * limit } },
    { what: 'two states, two priorities', query: { enums: { state: ['new', 'in_progress'], priority: ['P1', 'P2'] } } },
    {
      what: 'group and category',
      query: { strings: { assignment_group: groups[7] ?? '', category: categories[3] ?? '' } },
    },
    {
      what: 'a fifth of the time',
      query: { times: { created_at: { afterMs: toTimeMs(0.4), beforeMs: toTimeMs(0.6) } } },
    },
    { what: 'two words', query: { text: `${common} ${vocabulary[3_000]}` } },
    { what: 'two words, best first', query: { text: `${common} ${vocabulary[41]}`, sort: 'relevance' } },
  ];
}

async function compare(client: SearchClient, replica: Replica, count: number) {
  const engines: Record<string, ListEngine> = {
    replica: createReplicaEngine(incidentListing, { refresh: async () => replica }),
    OpenSearch: createSearchEngine(incidentListing, client),
  };
  const rows: Record<string, string>[] = [];
  for (const { what, query, start = { skip: 0 } } of createQuestions(count)) {
    const row: Record<string, string> = { what };
    const asked: ListQuery = {
      ...{ enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' },
      ...query,
    };
    const totals = new Set<number>();
    for (const [name, engine] of Object.entries(engines)) {
      const times: number[] = [];
      for (let run = 0; run <= runs; run++) {
        const fromMs = performance.now();
        totals.add((await engine.findPage(asked, start, limit)).total);
        if (run > 0) times.push(performance.now() - fromMs);
      }
      times.sort((a, b) => a - b);
      row[`${name} p50 ms`] = (times[Math.floor(runs / 2)] ?? 0).toFixed(1);
      row[`${name} p99 ms`] = (times.at(-2) ?? 0).toFixed(1);
    }
    if (totals.size > 1) throw new Error(`the engines differ: ${what} has ${[...totals].join(' and ')} incidents`);
    rows.push({ ...row, total: String([...totals][0]) });
  }
  return rows;
}

const toMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

function readMemory(pid: number): string {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return toMb(Number(kilobytes) * 1_024);
}
