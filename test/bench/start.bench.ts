import { rmSync } from 'node:fs';
import { root } from '../../tools/build/local-build.ts';
import { getToken } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { measureResidentMb, operationCount, requestOperation } from './every-operation.ts';

/** Time to the first response with and without an earlier build, and the memory afterwards. */
export async function benchStart(): Promise<void> {
  rmSync(`${root}/dist`, { recursive: true, force: true });
  const first = await measureTime(() => startService());
  await first.value.kill();
  const second = await measureTime(() => startService({ dataFolder: first.value.dataFolder }));
  const service = second.value;
  console.log('\nStart to first response');
  console.log(`  ${first.seconds.toFixed(1)} s  nothing built yet`);
  console.log(`  ${second.seconds.toFixed(1)} s  the second time`);
  console.log('Resident memory of the server');
  console.log(`  ${measureResidentMb(service)} MB  idle`);
  await callEveryRoute(service);
  console.log(`  ${measureResidentMb(service)} MB  after all ${operationCount} operations were called`);
  await service.stop();
  await benchFirstAnswer();
}

/** The service learns the demo articles after it has started. */
async function benchFirstAnswer(): Promise<void> {
  const demo = await measureTime(() => startService({ args: [] }));
  const from = performance.now();
  const token = await getToken(demo.value, 'viewer');
  for (let look = 0; ; look++) {
    const response = await fetch(`${demo.value.baseUrl}/prod/api/v1/ai/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ question: `What does error 809 of the VPN client mean? (${look})` }),
    });
    const { citations } = (await response.json()) as { citations?: unknown[] };
    if (citations && citations.length > 0) break;
    if (performance.now() - from > 60_000) throw new Error('the demo is not known after a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  console.log('First start with the demo');
  console.log(`  ${demo.seconds.toFixed(1)} s  to the first answer`);
  console.log(`  ${((performance.now() - from) / 1000).toFixed(1)} s  more until the AI layer knows its articles`);
  await demo.value.stop();
}

async function measureTime(start: () => Promise<Service>): Promise<{ seconds: number; value: Service }> {
  const from = performance.now();
  const value = await start();
  const response = await fetch(`${value.baseUrl}/prod/api/v1/health`, {
    headers: { authorization: `Bearer ${await getToken(value, 'viewer')}` },
  });
  if (!response.ok) throw new Error(`the first answer is ${response.status}`);
  return { seconds: (performance.now() - from) / 1000, value };
}

async function callEveryRoute(service: Service): Promise<void> {
  const token = await getToken(service, 'admin');
  for (let index = 0; index < operationCount; index++) {
    const { url, ...request } = requestOperation(service, index, token);
    await fetch(url, request);
  }
}
