// npm run test:hostile [-- --requests 20000 --seed 1]
import { parseArgs } from 'node:util';
import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 20_000);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));

console.log(`${requests} hostile requests with seed ${seed}`);
await ensureLocalBuild();
const service = await startService();
const startedAt = performance.now();
try {
  const report = await fuzz(service, {
    requests,
    seed,
    onProgress: (done) => done % 2_000 === 0 && console.log(`${done} requests`),
  });
  for (const finding of report.findings) console.log(`\n${finding}`);
  const shallow = Object.entries(report.deep).filter(([, count]) => count < requests / 2_000);
  console.log(`\nstatuses ${JSON.stringify(report.statuses)}`);
  console.log(`operations that fewer than one in 2,000 requests got into: ${JSON.stringify(shallow)}`);
  console.log(
    `${report.findings.length} findings in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, seed ${seed}`,
  );
  process.exitCode = report.findings.length > 0 ? 1 : 0;
} finally {
  await service.stop();
}
