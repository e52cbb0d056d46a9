import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { createTokens } from './callers.ts';
import { type Arrival, load, loadAtRate, type Shot } from './load.ts';
import { printTable } from './report.ts';

const callers = 30;
const records = 200;
const concurrency = 16;
const seconds = 10;
/** As few as one proxy would open, and as many as a fleet of clients. */
const connectionCounts = [32, 256];

type Kind = 'read' | 'list' | 'create' | 'update' | 'health';
const mix: readonly Kind[] = ['read', 'list', 'read', 'create', 'read', 'update', 'list', 'read', 'create', 'health'];
const urgent: readonly Kind[] = ['update', 'health'];

/** Three times the requests that the server can handle: how long admitted requests take, and how many are rejected. */
export async function benchOverload(): Promise<void> {
  await ensureLocalBuild();
  const service = await startService({ environment: { BURST_SECONDS: '' } });
  try {
    const tokens = await createTokens(service, callers, 'itsm_agent');
    const ids: string[] = [];
    const api = `${service.baseUrl}/prod/api/v1`;
    const pickId = (index: number) => ids[(index * 31) % ids.length]!;
    const parts: Record<Kind, (index: number) => { path: string } & Partial<Shot>> = {
      read: (index) => ({ path: `/incidents/${pickId(index)}` }),
      list: (index) => ({ path: `/incidents?priority=P${1 + (index % 4)}&limit=25` }),
      create: (index) => ({
        path: '/incidents',
        method: 'POST',
        body: JSON.stringify({ short_description: `Disk ${index} is full`, priority: `P${1 + (index % 4)}` }),
      }),
      update: (index) => ({
        path: `/incidents/${pickId(index)}`,
        method: 'PATCH',
        body: JSON.stringify({ subcategory: `s${index}` }),
      }),
      health: () => ({ path: '/health' }),
    };
    const shot = (kind: Kind, index: number): Shot => {
      const { path, ...more } = parts[kind](index);
      const headers = { authorization: `Bearer ${tokens[index % callers]}`, 'content-type': 'application/json' };
      return { url: `${api}${path}`, headers, ...more };
    };
    const toKind = (index: number) => mix[index % mix.length]!;
    const next = (index: number) => shot(toKind(index), index);
    const onBody = (text: string) => ids.push(JSON.parse(text).id);
    await load((index) => ({ ...shot('create', index), onBody }), { concurrency, requests: records });
    await load(next, { concurrency, seconds: 4 });
    const sustainable = await load(next, { concurrency, seconds: 6 });
    console.log(`Sustainable: ${sustainable.perSecond.toFixed(0)} requests/s, p99 ${sustainable.p99Ms.toFixed(0)} ms`);
    const perSecond = 3 * sustainable.perSecond;
    for (const connections of connectionCounts) {
      const arrivals = await loadAtRate(next, { perSecond, seconds, connections });
      const isUrgent = ({ index }: Arrival) => urgent.includes(toKind(index));
      printTable(`${perSecond.toFixed(0)} requests/s over ${connections} connections for ${seconds} s`, [
        row('health checks and incident updates', arrivals.filter(isUrgent)),
        row(
          'other requests',
          arrivals.filter((arrival) => !isUrgent(arrival)),
        ),
      ]);
    }
  } finally {
    await service.stop();
  }
}

function row(what: string, arrivals: readonly Arrival[]): Record<string, string> {
  const count = (isMatch: (status: number) => boolean) => arrivals.filter(({ status }) => isMatch(status)).length;
  const admitted = arrivals.filter(({ status }) => status < 300);
  const rejected = arrivals.filter(({ status }) => status === 503);
  return {
    what,
    'admitted per second': (admitted.length / seconds).toFixed(0),
    'p50 ms': at(admitted, 0.5).toFixed(0),
    'p99 ms': at(admitted, 0.99).toFixed(0),
    'rejected with 503': `${((100 * rejected.length) / arrivals.length).toFixed(1)} %`,
    'p99 ms of 503': at(rejected, 0.99).toFixed(0),
    others: String(count((status) => status >= 300 && status !== 503)),
  };
}

function at(arrivals: readonly Arrival[], share: number): number {
  const sorted = arrivals.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}
