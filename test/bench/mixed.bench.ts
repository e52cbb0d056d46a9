import { setTimeout as sleep } from 'node:timers/promises';
import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { createTokens } from './callers.ts';
import { measureResidentMb, operationCount, requestOperation } from './every-operation.ts';
import { type Load, load } from './load.ts';
import { printTable } from './report.ts';

const callers = 20;
const concurrency = 16;
const alone = { concurrency, requests: 48 };
const settleMs = 3_000;

/** All operations in turn with a concurrency of 16, compared with each operation alone, and the memory when all are warm. */
export async function benchMixed(): Promise<void> {
  await ensureLocalBuild();
  const service = await startService();
  try {
    await sleep(settleMs);
    const idleMb = measureResidentMb(service);
    const tokens = await createTokens(service, callers, 'itsm_manager');
    const shot = (index: number, operation = index) =>
      requestOperation(service, operation, tokens[index % tokens.length]!);
    const first = await load(shot, { concurrency, requests: operationCount });
    const calledMb = measureResidentMb(service);
    await load(shot, { concurrency, requests: operationCount * 30 });
    const single = [];
    for (let operation = 0; operation < operationCount; operation++) {
      single.push(await load((index) => shot(index, operation), alone));
    }
    const mixed = await load(shot, { concurrency, seconds: 10 });
    const averageMs = single.reduce((sum, { p50Ms }) => sum + p50Ms, 0) / single.length;
    printTable(`All ${operationCount} operations in turn, ${concurrency} at once`, [
      row('the first call of each', first, averageMs),
      row('all in turn, warm', mixed, averageMs),
    ]);
    console.log(`  ${averageMs.toFixed(1)} ms  each operation by itself, ${concurrency} at once: average of the p50`);
    console.log('Resident memory of the server');
    console.log(`  ${idleMb} MB  idle`);
    console.log(`  ${calledMb} MB  after every operation was called once`);
    console.log(`  ${measureResidentMb(service)} MB  after the load`);
  } finally {
    await service.stop();
  }
}

function row(what: string, figures: Load, aloneMs: number): Record<string, string> {
  const failed = Object.entries(figures.statuses).filter(([status]) => Number(status) >= 500);
  return {
    what,
    'per second': figures.perSecond.toFixed(0),
    'p50 ms': figures.p50Ms.toFixed(1),
    'p99 ms': figures.p99Ms.toFixed(1),
    'times by itself': (figures.p50Ms / aloneMs).toFixed(2),
    '5xx': failed.map(([status, count]) => `${count} × ${status}`).join(', ') || '-',
  };
}
