import { readFileSync, rmSync } from 'node:fs';
import { root } from '../../bin/local-build.ts';
import { operations } from '../../contract/routes.ts';
import { tokenOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

/** From nothing to the first answer, from an earlier build to the first answer, and what stays in memory. */
export async function benchStart(): Promise<void> {
  rmSync(`${root}/dist`, { recursive: true, force: true });
  const first = await timed(() => startService());
  await first.value.kill();
  const second = await timed(() => startService({ dataFolder: first.value.dataFolder }));
  const service = second.value;
  console.log('\nStart to first answer');
  console.log(`  ${first.seconds.toFixed(1)} s  nothing built yet`);
  console.log(`  ${second.seconds.toFixed(1)} s  the second time`);
  console.log('Resident memory of the server');
  console.log(`  ${residentMb(service)} MB  idle`);
  await callEveryRoute(service);
  console.log(`  ${residentMb(service)} MB  after all ${operations.length} operations were called`);
  await service.stop();
}

async function timed(start: () => Promise<Service>): Promise<{ seconds: number; value: Service }> {
  const from = performance.now();
  const value = await start();
  const response = await fetch(`${value.baseUrl}/prod/api/v1/health`, {
    headers: { authorization: `Bearer ${await tokenOf(value, 'viewer')}` },
  });
  if (!response.ok) throw new Error(`the first answer is ${response.status}`);
  return { seconds: (performance.now() - from) / 1000, value };
}

/** Whatever they answer: what counts is that each has a worker. */
async function callEveryRoute(service: Service): Promise<void> {
  const token = await tokenOf(service, 'admin');
  for (const { method, path } of operations) {
    const url = `${service.baseUrl}/prod/api/v1${path.replaceAll(/\{[^}]+\}/g, 'none')}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
  }
}

function residentMb({ process: { pid } }: Service): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}
