import type { Bench } from './bench-ground.ts';
import { createTokens } from './callers.ts';
import { measureCpuMs } from './every-operation.ts';
import { type Load, load } from './load.ts';
import { buildPhases } from './phases.ts';
import { printTable } from './report.ts';
import { measureUsagePerRequest, resetUsage } from './usage.ts';

const callers = 30;
const incidents = 10_000;
const concurrency = 16;
const seconds = 6;

/** Enough calls for V8 to compile and optimize the code. */
const warmUpRequests = 3_000;
/** Start numbers apart from the measured ones, so that every update changes its record. */
const warmUpFrom = 1_000_000;

/** Requests a second of two other systems for the same work, measured on this kind of machine with 10,000 records. */
const peers: Record<string, { redmine: number; requestTracker: number }> = {
  create: { redmine: 23, requestTracker: 6 },
  get: { redmine: 58, requestTracker: 44 },
  'list 25, filtered': { redmine: 19, requestTracker: 47 },
  update: { redmine: 24, requestTracker: 55 },
  search: { redmine: 9, requestTracker: 49 },
};

/** The most frequent operations, 16 concurrently, by many callers, because each is limited to 100 requests per second. */
export async function benchIncidents({ service }: Bench): Promise<void> {
  const tokens = await createTokens(service, callers, 'itsm_agent');
  const phases = buildPhases(service, tokens);
  await load(phases.create!, { concurrency, requests: incidents / 10 });
  const rows = [];
  for (const [name, next] of Object.entries(phases)) {
    if (name !== 'create') await load((index) => next(warmUpFrom + index), { concurrency, requests: warmUpRequests });
    await resetUsage(service);
    const cpuBeforeMs = measureCpuMs(service);
    const figures = await load(
      next,
      name === 'create' ? { concurrency, requests: incidents - incidents / 10 } : { concurrency, seconds },
    );
    rows.push(row(name, figures, (measureCpuMs(service) - cpuBeforeMs) / figures.requests));
    console.log(`\n${name}\n${await measureUsagePerRequest(service, figures.requests)}`);
  }
  printTable(`Incidents: ${incidents} records, ${concurrency} at once, ${callers} callers`, rows);
}

function row(name: string, figures: Load, cpuMs: number): Record<string, string> {
  const { redmine, requestTracker } = peers[name]!;
  const best = Math.max(redmine, requestTracker);
  const failed = Object.entries(figures.statuses).filter(([status]) => Number(status) >= 400);
  return {
    what: name,
    'per second': figures.perSecond.toFixed(0),
    'p50 ms': figures.p50Ms.toFixed(1),
    'p99 ms': figures.p99Ms.toFixed(1),
    'CPU ms': cpuMs.toFixed(2),
    Redmine: String(redmine),
    'Request Tracker': String(requestTracker),
    'times the better': (figures.perSecond / best).toFixed(1),
    'not 2xx': failed.map(([status, count]) => `${count} × ${status}`).join(', ') || '-',
  };
}
