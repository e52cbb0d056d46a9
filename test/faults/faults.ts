// npm run test:faults [-- --seed 1 --cases 400 --only emit-events]: each AWS call of each function fails once.
import { parseArgs } from 'node:util';
import { ensureLocalBuild } from '../../tools/build/local-build.ts';
import { startService } from '../support/service.ts';
import { injectFaults } from './inject-faults.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { seed: text, cases: text, only: text } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const maxCases = values.cases === undefined ? Number.POSITIVE_INFINITY : Number(values.cases);

console.log(`Faults with seed ${seed}`);
await ensureLocalBuild();
const service = await startService();
try {
  const report = await injectFaults(service, { seed, maxCases, only: values.only ?? '', onProgress: console.log });
  for (const finding of report.findings) console.log(`\n${finding}`);
  for (const fault of report.missed) console.log(`not made: ${fault}`);
  console.log(
    `${report.faults - report.missed.length} of ${report.faults} faults hit, ${report.findings.length} findings, seed ${seed}`,
  );
  process.exitCode = report.findings.length > 0 ? 1 : 0;
} finally {
  await service.stop();
}
