// `npm run bench [-- name …]`: every figure stands beside the same work on a bare server, measured in the same run.
import { type ChildProcess, fork } from 'node:child_process';
import { ensureLocalBuild, root } from '../../bin/local-build.ts';
import { startService } from '../support/service.ts';
import type { Bench } from './bench-ground.ts';
import { benchDynamoDb } from './dynamodb.bench.ts';
import { benchHealth } from './health.bench.ts';

const benches: Record<string, (bench: Bench) => Promise<void>> = { health: benchHealth, dynamodb: benchDynamoDb };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches[name]);
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

await ensureLocalBuild();
const [service, bare] = await Promise.all([startService(), startBare()]);
try {
  for (const [name, run] of Object.entries(benches)) {
    if (wanted.length === 0 || wanted.includes(name)) await run({ service, bareUrl: bare.url });
  }
} finally {
  bare.process.disconnect();
  await service.stop();
}

function startBare(): Promise<{ url: string; process: ChildProcess }> {
  const child = fork(`${root}/test/bench/bare-server.ts`, { execArgv: ['--import', 'tsx'] });
  return new Promise((resolve, reject) => {
    child.once('message', (port) => resolve({ url: `http://127.0.0.1:${port}`, process: child }));
    child.once('exit', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
}
