// `npm run verify:template [-- --write]`: synthesizes every environment, which validates it with CloudFormation's rules and
// cdk-nag, runs all checks that need no AWS account, and prints or writes the report of docs/deploy.md. With --synthesized
// it runs the quick checks on the production template in cdk.out.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { replaceBlock } from '../generate/marked-block.ts';
import {
  type Check,
  checkAddresses,
  checkBundles,
  checkQuotas,
  checkResourceCount,
  checkWildcards,
  type Template,
} from './template-checks.ts';
import { type ColdStarts, checkVariables } from './variable-checks.ts';

const run = promisify(execFile);
const timeoutMs = 300_000;
const page = 'docs/deploy.md';
const functionsFolder = 'dist/functions';
const folders = [functionsFolder, `${functionsFolder}-with-model`, `${functionsFolder}-with-console`];
const environmentNames = ['local', 'dev', 'prod'] as const;
type EnvironmentName = (typeof environmentNames)[number];

const options = new Set(process.argv.slice(2));
if (options.has('--synthesized')) {
  reportProblems('prod', checkQuickly('prod', 'cdk.out'));
} else {
  const reports = await checkAll();
  const report = formatReport(reports);
  console.log(report);
  const hasProblems = reports.map(({ name, checks }) => reportProblems(name, checks)).includes(true);
  if (options.has('--write') && !hasProblems) {
    writeFileSync(page, replaceBlock(readFileSync(page, 'utf8'), 'template report', report));
  }
}

async function checkAll(): Promise<{ name: EnvironmentName; checks: Check[] }[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const synthesized = await Promise.all(environmentNames.map((name) => synthesize(name, join(outdir, name))));
    const known: ColdStarts = new Map();
    const reports = [];
    for (const { name, folder, file } of synthesized) {
      const variables = await checkVariables(readTemplate(file), folders, known);
      reports.push({ name, checks: [...checkQuickly(name, folder), variables] });
    }
    const linted = await Promise.all(synthesized.map(({ file }) => lint(file)));
    return reports.map(({ name, checks }, index) => ({ name, checks: [...checks, ...linted.slice(index, index + 1)] }));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

async function synthesize(name: EnvironmentName, folder: string) {
  const context = { env: name, ...(name === 'prod' && { alarmEmail: 'ops@acme.org' }) };
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) };
  await run(process.execPath, ['--import', 'tsx', 'bin/app.ts'], { env, timeout: timeoutMs });
  return { name, folder, file: toTemplateFile(name, folder) };
}

function checkQuickly(name: EnvironmentName, folder: string): Check[] {
  const template = readTemplate(toTemplateFile(name, folder));
  return [
    ...checkQuotas(template),
    checkWildcards(template),
    // On one machine, its own address is right.
    ...(name === 'local' ? [] : [checkResourceCount(template), checkAddresses(template)]),
    checkBundles(functionsFolder),
  ];
}

function toTemplateFile(name: EnvironmentName, folder: string): string {
  return join(folder, `incidents-${name}.template.json`);
}

function readTemplate(file: string): Template {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The CDK states dependencies that CloudFormation would also find itself (W3005); all other findings count. */
async function lint(file: string): Promise<Check> {
  const name = 'findings of cfn-lint';
  const args = [file, '--regions', 'us-east-1', '--ignore-checks', 'W3005', '--format', 'parseable'];
  try {
    await run('cfn-lint', args, { timeout: timeoutMs });
    return { name, measured: 0, problems: [] };
  } catch (error) {
    const { code, stdout = '', message } = error as Error & { code?: string | number; stdout?: string };
    if (code === 'ENOENT') return { name, measured: 'not installed', problems: [] };
    const found = stdout.split('\n').filter((line) => line.trim() !== '');
    const problems = found.length > 0 ? found : [message];
    return { name, measured: problems.length, problems };
  }
}

function formatReport(reports: readonly { name: EnvironmentName; checks: readonly Check[] }[]): string {
  const names = [...new Set(reports.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  const rows = names.map((name) => {
    const found = reports.map(({ checks }) => checks.find((check) => check.name === name));
    const max = found.find((check) => check?.max !== undefined)?.max;
    return [name, ...found.map((check) => check?.measured), max].map((cell) => formatCell(cell)).join(' | ');
  });
  return [
    `| | ${reports.map(({ name }) => `\`${name}\``).join(' | ')} | Limit |`,
    `|---|${'---|'.repeat(reports.length + 1)}`,
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

function formatCell(cell: string | number | undefined): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : (cell ?? '');
}

/** Returns whether there are problems; they fail the command. */
function reportProblems(name: EnvironmentName, checks: readonly Check[]): boolean {
  const maxShown = 10;
  const problems = checks.flatMap((check) => check.problems);
  console.log(`${name}: ${checks.length} checks of the template, ${problems.length} problems.`);
  for (const problem of problems.slice(0, maxShown)) console.error(`  ${problem}`);
  if (problems.length > maxShown) console.error(`  and ${problems.length - maxShown} more`);
  if (problems.length > 0) process.exitCode = 1;
  return problems.length > 0;
}
