import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureLocalBuild, stackName } from '../../tools/build/local-build.ts';
import { getToken } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import {
  benchIncidentType,
  categories,
  createIncidents,
  groups,
  startMs,
  stepMs,
  vocabulary,
} from './many-incidents.ts';
import { toItems } from './record-items.ts';
import { printTable } from './report.ts';
import { seed } from './seed.ts';
import { SqliteLists, type SqliteQuery } from './sqlite-lists.ts';

const usualCount = 1_000_000;
const runs = 31;
const limit = 25;
const maxWaitMs = 600_000;

interface Question {
  what: string;
  query: string;
  sqlite: SqliteQuery;
}

/** Compares lists with exact totals over many incidents, warm and cold, with the same queries in SQLite. */
export async function benchLists(count = usualCount): Promise<void> {
  await ensureLocalBuild();
  const dataFolder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    await measureTime(`${count} incidents written through the local DynamoDB`, () =>
      seed(dataFolder, stackName, toItems(benchIncidentType, createIncidents(count))),
    );
    const sqlite = new SqliteLists(dataFolder);
    await measureTime('the same incidents written to SQLite, with indexes', async () =>
      sqlite.fill(createIncidents(count)),
    );
    await withService(dataFolder, async (service) => {
      await measureColdStart(service, 'first list, without a snapshot');
      await measureTime('snapshot written', () => snapshot(service));
    });
    await withService(dataFolder, async (service) => {
      await measureColdStart(service, 'first list, with the snapshot');
      printTable(`Lists of ${limit} with total, ${count} incidents, warm`, await compare(service, sqlite, count));
    });
    sqlite.close();
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

export async function withService(dataFolder: string, work: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService({ dataFolder });
  try {
    await work(service);
  } finally {
    await service.kill();
  }
}

export async function measureTime(what: string, work: () => Promise<void>): Promise<void> {
  const from = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/** The first list of a new instance. If loading takes longer than a request may, the next request continues it. */
async function measureColdStart(service: Service, what: string): Promise<void> {
  const token = await getToken(service, 'viewer');
  const from = performance.now();
  const known = logLines(service, 'loaded a list replica').length;
  for (let request = 1; ; request++) {
    const { status } = await fetch(`${service.baseUrl}/prod/api/v1/incidents`, authorize(token));
    if (status === 200) {
      console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s, ${request} request(s)`);
      break;
    }
    if (performance.now() - from > maxWaitMs) throw new Error(`the list answers ${status} for too long`);
    await pause(500);
  }
  const loaded = await waitForLine(service, 'loaded a list replica', known);
  console.log(`  ${loaded.rows} rows in ${Number(loaded.bytes) / 1e6} MB; loaded in ${loaded.duration_ms} ms`);
}

async function snapshot(service: Service): Promise<void> {
  const known = logLines(service, 'wrote a snapshot').length;
  // Moving the clock times out before everything is loaded, so the log shows when the snapshot is written.
  await service.advance('6m').catch(() => {});
  await waitForLine(service, 'wrote a snapshot', known);
}

export async function waitForLine(service: Service, message: string, known: number): Promise<Record<string, unknown>> {
  const endsAt = performance.now() + maxWaitMs;
  while (performance.now() < endsAt) {
    const lines = logLines(service, message);
    if (lines.length > known) return lines.at(-1)!;
    await pause(200);
  }
  throw new Error(`"${message}" is not in the log`);
}

function logLines({ dataFolder }: Service, message: string): Record<string, unknown>[] {
  return readFileSync(join(dataFolder, 'server.log'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"message":"${message}"`))
    .map((line) => JSON.parse(line));
}

function authorize(token: string): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } };
}

function createQuestions(count: number): Question[] {
  const from = new Date(startMs + Math.floor(count * 0.4) * stepMs).toISOString();
  const to = new Date(startMs + Math.floor(count * 0.6) * stepMs).toISOString();
  const [group, category] = [groups[7]!, categories[3]!];
  const [common, rare] = [vocabulary[40]!, vocabulary[3_000]!];
  const all = '1 = 1';
  const newest = 'created_at DESC, id DESC';
  return [
    { what: 'everything', query: '', sqlite: { where: all, values: [], orderBy: newest } },
    {
      what: 'oldest change first',
      query: 'sort=updated_at&order=asc',
      sqlite: { where: all, values: [], orderBy: 'updated_at, id' },
    },
    {
      what: 'most urgent first',
      query: 'sort=priority&order=asc',
      sqlite: { where: all, values: [], orderBy: 'priority, id' },
    },
    {
      what: 'page 5000',
      query: 'page=5000',
      sqlite: { where: all, values: [], orderBy: newest },
    },
    {
      what: 'two states, two priorities',
      query: 'state=new,in_progress&priority=P1,P2',
      sqlite: {
        where: "state IN ('new','in_progress') AND priority IN ('P1','P2')",
        values: [],
        orderBy: newest,
      },
    },
    {
      what: 'group, state, by priority',
      query: `assignment_group=${group}&state=closed&sort=priority&order=asc`,
      sqlite: { where: 'assignment_group = ? AND state = ?', values: [group, 'closed'], orderBy: 'priority, id' },
    },
    {
      what: 'category, priority and a fifth of the time',
      query: `category=${category}&priority=P2,P3&created_after=${from}&created_before=${to}`,
      sqlite: {
        where: "category = ? AND priority IN ('P2','P3') AND created_at > ? AND created_at < ?",
        values: [category, from, to],
        orderBy: newest,
      },
    },
    { what: 'a common word', query: `q=${common}`, sqlite: { where: all, values: [], orderBy: newest, match: common } },
    { what: 'a rare word', query: `q=${rare}`, sqlite: { where: all, values: [], orderBy: newest, match: rare } },
    {
      what: 'two words, open, newest change first',
      query: `q=${common}%20${rare}&state=new,in_progress,on_hold&sort=updated_at`,
      sqlite: {
        where: "state IN ('new','in_progress','on_hold')",
        values: [],
        orderBy: 'updated_at DESC, id DESC',
        match: `${common} ${rare}`,
      },
    },
  ];
}

async function compare(service: Service, sqlite: SqliteLists, count: number): Promise<Record<string, string>[]> {
  const token = await getToken(service, 'viewer');
  const rows: Record<string, string>[] = [];
  for (const { what, query, sqlite: same } of createQuestions(count)) {
    const ours: number[] = [];
    const theirs: number[] = [];
    let total = -1;
    for (let run = 0; run < runs; run++) {
      const from = performance.now();
      const answer = await fetch(`${service.baseUrl}/prod/api/v1/incidents?limit=${limit}&${query}`, authorize(token));
      const body = (await answer.json()) as { total: number };
      ours.push(performance.now() - from);
      total = body.total;
    }
    for (let run = 0; run < Math.min(runs, 5); run++) {
      const from = performance.now();
      const answer = sqlite.list(same, limit);
      theirs.push(performance.now() - from);
      if (answer.total !== total) throw new Error(`${what}: the service counts ${total}, SQLite ${answer.total}`);
    }
    rows.push({
      what,
      total: String(total),
      'p50 ms': percentile(ours, 0.5),
      'p95 ms': percentile(ours, 0.95),
      'SQLite p50 ms': percentile(theirs, 0.5),
    });
  }
  return rows;
}

function percentile(values: number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
}
