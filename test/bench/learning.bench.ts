import { setTimeout as pause } from 'node:timers/promises';
import { ensureLocalBuild } from '../../bin/local-build.ts';
import { type Service, startService } from '../support/service.ts';
import { manyTokens } from './callers.ts';
import { cpuMs } from './every-operation.ts';
import { type Load, load, type Shot } from './load.ts';
import { manyIncidents } from './many-incidents.ts';
import { resetUsage } from './usage.ts';

const defaultCount = 10_000;
const callers = 30;
const concurrency = 4;
const seconds = 5;
const maxWaitMs = 600_000;

/** Learning of imported incidents: how long it takes, and how much slower requests are meanwhile. */
export async function benchLearning(count = defaultCount): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  try {
    const tokens = await manyTokens(service, callers, 'itsm_agent');
    const bodies = [...manyIncidents(count)].map(({ document: { short_description, description, priority } }) =>
      JSON.stringify({ short_description, description, priority }),
    );
    const ids: string[] = [];
    const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
      url: `${service.baseUrl}/prod/api/v1${path}`,
      headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
      ...more,
    });
    const get = (index: number) => shot(`/incidents/${ids[(index * 31) % ids.length]}`, index);
    const onBody = (text: string) => ids.push(JSON.parse(text).id);
    await resetUsage(service);
    const startedAtMs = performance.now();
    await load((index) => shot('/incidents', index, { method: 'POST', body: bodies[index] ?? '', onBody }), {
      concurrency: 16,
      requests: count,
    });
    const importSeconds = (performance.now() - startedAtMs) / 1_000;
    await load(get, { concurrency, requests: 1_000 });
    const before = await countLearned(service);
    const during = await load(get, { concurrency, seconds });
    const isDuring = (await countLearned(service)) < count;
    const measured = { learned: await countLearned(service), cpuMs: cpuMs(service) };
    await waitForLearned(service, count);
    const learnSeconds = (performance.now() - startedAtMs) / 1_000;
    const eachMs = (cpuMs(service) - measured.cpuMs) / Math.max(1, count - measured.learned);
    const after = await load(get, { concurrency, seconds });
    console.log(`${count} incidents: imported in ${importSeconds.toFixed(0)} s, of them ${before} learned meanwhile`);
    console.log(`all learned ${learnSeconds.toFixed(0)} s after the start of the import (goal: 120 s for 10,000)`);
    console.log(`processor time of the server per learned incident: ${eachMs.toFixed(1)} ms (goal: 24 ms)`);
    if (isDuring) report(during, after);
    else console.log('learning was over before requests could be measured: use more incidents');
  } finally {
    await service.stop();
  }
}

function report(during: Load, after: Load): void {
  const slower = (100 * (during.p50Ms / after.p50Ms - 1)).toFixed(0);
  console.log(
    `get an incident, p50: ${during.p50Ms.toFixed(2)} ms while learning, ${after.p50Ms.toFixed(2)} ms after it`,
  );
  console.log(`requests are ${slower} % slower while learning (goal: 10 %)`);
}

async function waitForLearned(service: Service, count: number): Promise<void> {
  const endMs = performance.now() + maxWaitMs;
  while (performance.now() < endMs) {
    if ((await countLearned(service)) >= count) return;
    await pause(200);
  }
  throw new Error(`not all incidents were learned within ${maxWaitMs} ms`);
}

/** Every learned incident is one write of the function. */
async function countLearned(service: Service): Promise<number> {
  const response = await fetch(`${service.baseUrl}/_local/usage`);
  const { calls } = (await response.json()) as { calls: Record<string, number> };
  const [, count = 0] =
    Object.entries(calls).find(([name]) => /learn-from-records.*TransactWriteItems/.test(name)) ?? [];
  return count;
}
