import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, checkAddresses, checkQuotas, checkVariables, checkWildcards } from './template-checks.ts';

// `npm run verify:template`: all checks of the production template that need no AWS account. Synthesis has already
// validated it with CloudFormation's rules and cdk-nag.

const maxShown = 10;
const folder = 'cdk.out';
const [file] = readdirSync(folder)
  .filter((name) => name.endsWith('.template.json'))
  .map((name) => join(folder, name));
if (file === undefined) throw new Error('There is no template in cdk.out. Run npm run synth first.');
const template = JSON.parse(readFileSync(file, 'utf8'));

const checks = [
  ...checkQuotas(template),
  checkAddresses(template),
  checkWildcards(template),
  checkVariables(template, ['dist/functions', 'dist/functions-with-model', 'dist/functions-with-console']),
  runCfnLint(file),
];
for (const { name, measured, problems } of checks) {
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}: ${measured}`);
  for (const problem of problems.slice(0, maxShown)) console.log(`       ${problem}`);
  if (problems.length > maxShown) console.log(`       and ${problems.length - maxShown} more`);
}
process.exitCode = checks.some(({ problems }) => problems.length > 0) ? 1 : 0;

/** The CDK states dependencies that CloudFormation would also find itself (W3005); all other findings count. */
function runCfnLint(path: string): Check {
  const name = 'cfn-lint';
  const run = spawnSync(
    'cfn-lint',
    [path, '--regions', 'us-east-1', '--ignore-checks', 'W3005', '--format', 'parseable'],
    {
      encoding: 'utf8',
      timeout: 300_000,
    },
  );
  if (run.error)
    return { name, measured: 'skipped, because cfn-lint is not installed (pip install cfn-lint)', problems: [] };
  const problems = run.stdout.split('\n').filter((line) => line.trim() !== '');
  return { name, measured: run.status === 0 ? 'clean' : `exit status ${run.status}`, problems };
}
