import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Service, startService } from '../support/service.ts';
import { createTokens } from './callers.ts';
import { load } from './load.ts';
import { buildPhases } from './phases.ts';
import { printTable } from './report.ts';

const callers = 30;
const concurrency = 16;
const records = 2_000;
const requests = 3_000;

interface Profile {
  title: string;
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number };
    children?: readonly number[];
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Which part of the service uses the processor, by profiles of all its threads. */
export async function benchShares(): Promise<void> {
  const preload = new URL('profile-threads.js', import.meta.url).href;
  const service = await startService({ environment: { NODE_OPTIONS: `--import ${preload}` } });
  try {
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const phases = buildPhases(service, tokens);
    await load(phases.create!, { concurrency, requests: records });
    const shares = new Map<string, Map<string, number>>();
    for (const [name, next] of Object.entries(phases)) {
      await load((index) => next(1_000_000 + index), { concurrency, requests: records });
      const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
      await tell(service, { profile: 'start' });
      const figures = await load(next, { concurrency, requests });
      await tell(service, { profile: 'stop', folder });
      shares.set(name, addUp(readProfiles(folder), figures.requests));
      rmSync(folder, { recursive: true });
    }
    print(shares);
  } finally {
    await service.stop();
  }
}

function tell({ process: child }: Service, message: object): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send(message);
  });
}

function readProfiles(folder: string): Profile[] {
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

/** Microseconds per request of each part, without the time that a thread waits. */
function addUp(profiles: readonly Profile[], count: number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { title, nodes, samples, timeDeltas } of profiles) {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
    const parts = new Map<number, string | undefined>();
    const findPart = (id: number): string | undefined => {
      if (parts.has(id)) return parts.get(id);
      const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
      const parent = parents.get(id);
      const part =
        states[functionName] ?? nameSource(url, lineNumber) ?? (parent === undefined ? undefined : findPart(parent));
      parts.set(id, part);
      return part;
    };
    const thread = title.replace(/^\[worker \d+\] (?:[a-z-]+--)?/, '').replace(/ \d+$/, '');
    for (const [index, id] of samples.entries()) {
      const part = findPart(id) ?? 'Node.js';
      if (part === 'waits') continue;
      const name = thread === 'main' || part === 'garbage collection' ? part : `${part} (${thread})`;
      sums.set(name, (sums.get(name) ?? 0) + timeDeltas[index]! / count);
    }
  }
  return sums;
}

const states: Readonly<Record<string, string>> = {
  '(idle)': 'waits',
  '(garbage collector)': 'garbage collection',
  fdatasync: 'waits',
};

const bundles = new Map<string, string[]>();

/** The bundle of the server names the source of each part; chunks of functions are named by their source maps. */
function nameSource(url: string, line: number): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  if (url.includes('/libsql/')) return 'storage';
  const path = fileURLToPath(url);
  if (path.endsWith('/serve.mjs')) {
    if (!bundles.has(path)) bundles.set(path, nameLines(readFileSync(path, 'utf8')));
    return nameFolder(bundles.get(path)![line] ?? '');
  }
  return existsSync(`${path}.map`) ? nameChunk(path) : undefined;
}

function nameLines(text: string): string[] {
  let source = '';
  return text.split('\n').map((line) => {
    source = /^\/\/ (\S+\.[jt]s)$/.exec(line)?.[1] ?? source;
    return source;
  });
}

const chunks = new Map<string, string>();

function nameChunk(path: string): string {
  const known = chunks.get(path);
  if (known) return known;
  const { sources, sourcesContent = [] } = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as {
    sources: string[];
    sourcesContent?: string[];
  };
  const sizes = new Map<string, number>();
  for (const [index, source] of sources.entries()) {
    const name = nameFolder(source);
    sizes.set(name, (sizes.get(name) ?? 0) + (sourcesContent[index]?.length ?? 1));
  }
  const [[name] = ['handlers']] = [...sizes].sort((a, b) => b[1] - a[1]);
  chunks.set(path, name);
  return name;
}

/** From the special to the general. */
const folders: readonly (readonly [RegExp, string])[] = [
  [/node_modules\/(?:@aws-sdk|@smithy)/, 'AWS SDK'],
  [/powertools|\/log/, 'logging'],
  [/node_modules\/zod|contract\//, 'schemas'],
  [/local\/lambda\/event-sources/, 'streams and queues'],
  [/local\/lambda/, 'starting functions'],
  [/local\/api-gateway|local\/http/, 'gateway'],
  [/local\/(?:iam|aws|kms|cognito)/, 'AWS endpoint and permissions'],
  [/local\/dynamodb/, 'DynamoDB'],
  [/local\/storage/, 'storage'],
  [/local\//, 'other emulation'],
  [/lambdas\/platform|middy/, 'pipeline'],
  [/lambdas\//, 'handlers'],
];

function nameFolder(source: string): string {
  return folders.find(([pattern]) => pattern.test(source))?.[1] ?? 'Node.js';
}

function print(shares: ReadonlyMap<string, ReadonlyMap<string, number>>): void {
  const totals = [...shares.values()].map((parts) => [...parts.values()].reduce((sum, one) => sum + one, 0));
  const names = [...new Set([...shares.values()].flatMap((parts) => [...parts.keys()]))];
  const weigh = (name: string) => Math.max(...[...shares.values()].map((parts) => parts.get(name) ?? 0));
  const rows = names
    .sort((a, b) => weigh(b) - weigh(a))
    .slice(0, 24)
    .map((name) => ({
      part: name,
      ...Object.fromEntries(
        [...shares].map(([phase, parts], index) => [
          phase,
          `${((100 * (parts.get(name) ?? 0)) / totals[index]!).toFixed(0)} %`,
        ]),
      ),
    }));
  printTable('Shares of the processor time, from profiles of all threads', rows);
}
