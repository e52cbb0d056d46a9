// `npm run test:crash -- --rounds 200 --seed 7`: more crashes than `npm test` has time for.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '10' }, seed: { type: 'string' } },
});
const env = { ...process.env, CRASH_ROUNDS: values.rounds, ...(values.seed && { CRASH_SEED: values.seed }) };
const { status } = spawnSync(
  'npm',
  ['run', 'jest', '--', 'test/journeys/crash.test.ts', 'test/journeys/page-crash.test.ts'],
  { env, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
