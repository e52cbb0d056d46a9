// npm run check: everything that can be checked without running the service. Two steps run at a time, because most of them use
// one core. The output of a step appears when the step ends.
import { spawn } from 'node:child_process';
import pMap from 'p-map';

// The longest first, so that the last one does not run alone.
const steps = [
  'npm run --silent synth && tsx tools/check/template.ts --synthesized',
  'npm run --silent arrows',
  'npm run --silent types',
  'npm run --silent unused',
  'npm run --silent regexes',
  'npm run --silent lint',
  'npm run --silent audit',
];

const failed = (await pMap(steps, run, { concurrency: 2 })).filter((step) => step !== undefined);
for (const step of failed) console.error(`Failed: ${step}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Resolves with the step if it failed. */
function run(step: string): Promise<string | undefined> {
  const startedAt = performance.now();
  const child = spawn('sh', ['-c', step], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      console.log(`${code === 0 ? '✓' : '✗'} ${step} (${seconds} s)\n${output}`);
      resolve(code === 0 ? undefined : step);
    }),
  );
}
