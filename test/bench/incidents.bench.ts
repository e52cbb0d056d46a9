import type { Bench } from './bench-ground.ts';
import { createTokens } from './callers.ts';
import { type Load, load, type Shot } from './load.ts';
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

const groups = ['network', 'database', 'desktop', 'platform', 'security'];
const words = ['printer', 'router', 'latency', 'certificate', 'login', 'backup', 'disk', 'mail', 'queue', 'payment'];

/** The most frequent operations, 16 concurrently, by many callers, because each is limited to 100 requests per second. */
export async function benchIncidents({ service }: Bench): Promise<void> {
  const tokens = await createTokens(service, callers, 'itsm_agent');
  const api = `${service.baseUrl}/prod/api/v1`;
  const ids: string[] = [];
  const shot = (path: string, index: number, more: Partial<Shot> = {}): Shot => ({
    url: `${api}${path}`,
    headers: { authorization: `Bearer ${tokens[index % tokens.length]}`, 'content-type': 'application/json' },
    ...more,
  });
  const createBody = (index: number) =>
    JSON.stringify({
      short_description: `${pick(words, index)} ${pick(words, index * 7 + 3)} fails for team ${index % 97}`,
      description: `Seen by user ${index}. ${words.slice(index % 5).join(' ')}`,
      priority: `P${1 + (index % 4)}`,
      assignment_group: pick(groups, index),
      category: pick(words, index * 3),
    });
  const remember = (text: string) => ids.push(JSON.parse(text).id);
  const phases: Record<string, (index: number) => Shot> = {
    create: (index) => shot('/incidents', index, { method: 'POST', body: createBody(index), onBody: remember }),
    get: (index) => shot(`/incidents/${pick(ids, index * 31)}`, index),
    'list 25, filtered': (index) =>
      shot(`/incidents?priority=P1,P2&assignment_group=${pick(groups, index)}&limit=25`, index),
    update: (index) =>
      shot(`/incidents/${pick(ids, index * 17)}`, index, {
        method: 'PATCH',
        body: JSON.stringify({ subcategory: `s${index}` }),
      }),
    search: (index) => shot(`/incidents?q=${pick(words, index)}%20team&limit=25`, index),
  };
  await load(phases.create!, { concurrency, requests: incidents / 10 });
  const rows = [];
  for (const [name, next] of Object.entries(phases)) {
    if (name !== 'create') await load((index) => next(warmUpFrom + index), { concurrency, requests: warmUpRequests });
    await resetUsage(service);
    const figures = await load(
      next,
      name === 'create' ? { concurrency, requests: incidents - ids.length } : { concurrency, seconds },
    );
    rows.push(row(name, figures));
    console.log(`\n${name}\n${await measureUsagePerRequest(service, figures.requests)}`);
  }
  printTable(`Incidents: ${ids.length} records, ${concurrency} at once, ${callers} callers`, rows);
}

function row(name: string, figures: Load): Record<string, string> {
  const { redmine, requestTracker } = peers[name]!;
  const best = Math.max(redmine, requestTracker);
  const failed = Object.entries(figures.statuses).filter(([status]) => Number(status) >= 400);
  return {
    what: name,
    'per second': figures.perSecond.toFixed(0),
    'p50 ms': figures.p50Ms.toFixed(1),
    'p99 ms': figures.p99Ms.toFixed(1),
    Redmine: String(redmine),
    'Request Tracker': String(requestTracker),
    'times the better': (figures.perSecond / best).toFixed(1),
    'not 2xx': failed.map(([status, count]) => `${count} × ${status}`).join(', ') || '-',
  };
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length]!;
}
