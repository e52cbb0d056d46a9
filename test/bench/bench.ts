// `npm run bench [-- name … [count]]`: compares every figure with the same work on a bare server in the same run.
// `npm run bench -- lists --engine opensearch [count]` compares the two engines of lists.
import { type ChildProcess, fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensureLocalBuild, root } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { benchAnswers } from './answers.bench.ts';
import type { Bench } from './bench-ground.ts';
import { benchCold } from './cold.bench.ts';
import { benchConsole } from './console.bench.ts';
import { benchDynamoDb } from './dynamodb.bench.ts';
import { benchHealth } from './health.bench.ts';
import { benchImpact } from './impact.bench.ts';
import { benchIncidents } from './incidents.bench.ts';
import { benchLearnedIndex } from './learned-index.bench.ts';
import { benchLearning } from './learning.bench.ts';
import { benchListEngines } from './list-engines.bench.ts';
import { benchLists } from './lists.bench.ts';
import { benchMemory } from './memory.bench.ts';
import { benchMixed } from './mixed.bench.ts';
import { benchOverload } from './overload.bench.ts';
import { benchPages } from './pages.bench.ts';
import { benchShares } from './shares.bench.ts';
import { benchStart } from './start.bench.ts';
import { benchVectors } from './vectors.bench.ts';
import { benchWebhooks } from './webhooks.bench.ts';

const {
  positionals: names,
  values: { engine },
} = parseArgs({ allowPositionals: true, options: { engine: { type: 'string' } } });
if (engine !== undefined && engine !== 'opensearch') {
  console.error(`There is no engine ${engine}; there is opensearch, which is compared with the replica.`);
  process.exit(1);
}

/** Benches of a running service, which they share. */
const benches: Record<string, (bench: Bench) => Promise<void>> = {
  health: benchHealth,
  dynamodb: benchDynamoDb,
  incidents: benchIncidents,
  webhooks: benchWebhooks,
};
/** Benches that start their own services. They run first, while the machine is idle. */
const ownGround: Record<string, (count?: number) => Promise<void>> = {
  start: () => benchStart(),
  shares: () => benchShares(),
  cold: () => benchCold(),
  memory: benchMemory,
  mixed: () => benchMixed(),
  overload: () => benchOverload(),
  lists: engine ? benchListEngines : benchLists,
  impact: benchImpact,
  pages: benchPages,
  vectors: () => benchVectors(),
  'learned-index': benchLearnedIndex,
  learning: benchLearning,
  answers: benchAnswers,
  console: () => benchConsole(),
};

const isCount = (argument: string) => /^\d+$/.test(argument);
const wanted = names.filter((argument) => !isCount(argument));
/** The number of records, for benches that create them. */
const count = names.filter(isCount).map(Number)[0];
const known = [...Object.keys(ownGround), ...Object.keys(benches)];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(1);
}

const isWanted = ([name]: [string, unknown]) => wanted.length === 0 || wanted.includes(name);
for (const [, run] of Object.entries(ownGround).filter(isWanted)) await run(count);
const shared = Object.entries(benches).filter(isWanted);
if (shared.length > 0) await runOnSharedGround(shared.map(([, run]) => run));

async function runOnSharedGround(runs: readonly ((bench: Bench) => Promise<void>)[]): Promise<void> {
  await ensureLocalBuild();
  const [service, bare] = await Promise.all([startService(), startBare()]);
  try {
    for (const run of runs) await run({ service, bareUrl: bare.url });
  } finally {
    bare.process.disconnect();
    await service.stop();
  }
}

function startBare(): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(`${root}/test/bench/bare-server.ts`, { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ url: `http://127.0.0.1:${port}`, process: child }));
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
}
