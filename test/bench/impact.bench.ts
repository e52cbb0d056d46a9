import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ciType } from '../../lambdas/cmdb/ci.ts';
import { ensureLocalBuild, stackName } from '../../tools/build/local-build.ts';
import { getToken } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { createCis, toCiId } from './many-cis.ts';
import { toItems } from './record-items.ts';
import { printTable } from './report.ts';
import { seed } from './seed.ts';

const usualCount = 10_000;
const runs = 31;

/** Impact analysis in a large cyclic graph: cold, warm, and directly after a change of the graph. */
export async function benchImpact(count = usualCount): Promise<void> {
  await ensureLocalBuild();
  const dataFolder = mkdtempSync(join(tmpdir(), 'impact-'));
  try {
    await seed(dataFolder, stackName, toItems(ciType, createCis(count)));
    const service = await startService({ dataFolder });
    try {
      printTable(`Impact among ${count} configuration items with circles`, await measure(service, count));
    } finally {
      await service.kill();
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function measure(service: Service, count: number): Promise<Record<string, string>[]> {
  const call = caller(service, await getToken(service, 'agent'));
  const bottom = `/cmdb/cis/${toCiId(0)}/impact?depth=20`;
  const first = await call('GET', bottom);
  const rows = [row('the first of an instance', [first.ms], first)];
  const leaf = `/cmdb/cis/${toCiId(count - 1)}`;
  rows.push(await measureRepeatedly('what everything rests on', () => call('GET', bottom)));
  rows.push(await measureRepeatedly('in the middle', () => call('GET', `/cmdb/cis/${toCiId(40)}/impact`)));
  rows.push(await measureRepeatedly('what nothing rests on', () => call('GET', `${leaf}/impact`)));
  let turn = 0;
  const afterChange = async () => {
    const status = turn++ % 2 === 0 ? 'degraded' : 'operational';
    await call('PATCH', leaf, { status });
    return call('GET', bottom);
  };
  rows.push(await measureRepeatedly('right after a change', afterChange));
  return rows;
}

interface Timed {
  ms: number;
  // biome-ignore lint/suspicious/noExplicitAny: the bench reads two fields of an answer it did not type.
  body: any;
}

function caller({ baseUrl }: Service, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (method: string, path: string, content?: object): Promise<Timed> => {
    const init = { method, headers, ...(content && { body: JSON.stringify(content) }) };
    const from = performance.now();
    const response = await fetch(`${baseUrl}/prod/api/v1${path}`, init);
    const body = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return { ms: performance.now() - from, body };
  };
}

async function measureRepeatedly(what: string, ask: () => Promise<Timed>): Promise<Record<string, string>> {
  const times: number[] = [];
  let last: Timed | undefined;
  for (let run = 0; run < runs; run++) {
    last = await ask();
    times.push(last.ms);
  }
  return row(what, times, last!);
}

function row(what: string, times: readonly number[], { body }: Timed): Record<string, string> {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    what,
    depend: String(body.affected_total),
    truncated: String(body.truncated.affected),
    'p50 ms': sorted[Math.floor(sorted.length / 2)]!.toFixed(1),
    'max ms': sorted.at(-1)!.toFixed(1),
  };
}
