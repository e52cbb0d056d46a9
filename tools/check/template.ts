// `npm run verify:template [-- --write]`: synthesizes every environment, and production with OpenSearch, which validates them with CloudFormation's rules and
// cdk-nag, runs all checks that need no AWS account, and prints or writes the report of docs/deploy.md. With --synthesized
// it runs the quick checks on the production templates in cdk.out.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { linkStacks, readStacks, type SynthesizedStack } from '../../local/template/link.ts';
import { toStackNames } from '../build/local-build.ts';
import { replaceBlock } from '../generate/marked-block.ts';
import {
  type Check,
  checkAddresses,
  checkBundles,
  checkCycles,
  checkFunctions,
  checkPackages,
  checkQuotas,
  checkWildcards,
  type Template,
  toShortName,
} from './template-checks.ts';
import { type ColdStarts, checkVariables } from './variable-checks.ts';

const ignoredFindings = ['W3005', 'W6001'];

/**
 * On one machine, the settings of single sign-on are parameters, which both stacks have (W2001, W8001), and the console's client depends
 * on providers that exist only with these settings (E3005). CloudFormation ignores a dependency on a resource that is not created.
 */
const ignoredOnOneMachine = ['W2001', 'W8001', 'E3005'];

const run = promisify(execFile);
const timeoutMs = 300_000;
const page = 'docs/deploy.md';
const functionsFolder = 'dist/functions';
const folders = [functionsFolder, `${functionsFolder}-with-model`, `${functionsFolder}-with-console`];
const production = { env: 'prod', alarmEmail: 'ops@acme.org' };
/** The context of each synthesis. */
const contexts = {
  local: { env: 'local' },
  dev: { env: 'dev' },
  prod: production,
  'prod with OpenSearch': { ...production, search: 'opensearch' },
};
type SynthesisName = keyof typeof contexts;

interface Report {
  name: SynthesisName;
  /** By stack. */
  stacks: Readonly<Record<string, readonly Check[]>>;
  checks: readonly Check[];
}

interface Synthesized {
  name: SynthesisName;
  folder: string;
  stacks: readonly SynthesizedStack[];
  linked: Template;
}

const options = new Set(process.argv.slice(2));
if (options.has('--synthesized')) {
  const report = checkQuickly(readAssembly('prod', 'cdk.out'));
  // Packages are the same in all environments, so they are no part of the report.
  reportProblems({
    ...report,
    checks: [...report.checks, checkPackages(functionsFolder, `${functionsFolder}-with-model`)],
  });
} else {
  const reports = await checkAll();
  const report = [formatStacks(reports), formatChecks(reports)].join('\n\n');
  console.log(report);
  const hasProblems = reports.map(reportProblems).includes(true);
  if (options.has('--write') && !hasProblems) {
    writeFileSync(page, replaceBlock(readFileSync(page, 'utf8'), 'template report', report));
  }
}

async function checkAll(): Promise<Report[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'templates-'));
  try {
    const names = Object.keys(contexts) as SynthesisName[];
    const synthesized = await Promise.all(names.map((name) => synthesize(name, join(outdir, name))));
    const known: ColdStarts = new Map();
    const reports: Report[] = [];
    for (const each of synthesized) {
      const report = checkQuickly(each);
      const variables = await checkVariables(each.linked, folders, known);
      const lint = await lintAll(
        each.stacks.map(({ file }) => join(each.folder, file)),
        each.name === 'local' ? [...ignoredFindings, ...ignoredOnOneMachine] : ignoredFindings,
      );
      reports.push({ ...report, checks: [...report.checks, variables, lint] });
    }
    return reports;
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

async function synthesize(name: SynthesisName, folder: string): Promise<Synthesized> {
  const env = { ...process.env, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(contexts[name]) };
  await run(process.execPath, ['--import', 'tsx', 'bin/app.ts'], { env, timeout: timeoutMs });
  return readAssembly(name, folder);
}

function readAssembly(name: SynthesisName, folder: string): Synthesized {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const names = toStackNames(`incidents-${contexts[name].env}`);
  return { name, folder, stacks: readStacks(names, read), linked: linkStacks(names, read) };
}

function checkQuickly({ name, stacks, linked }: Synthesized): Report {
  return {
    name,
    stacks: Object.fromEntries(
      stacks.map(({ stackName, template }) => [
        name + toShortName(stackName).slice(contexts[name].env.length),
        checkQuotas(template, linked),
      ]),
    ),
    checks: [
      checkFunctions(linked),
      checkWildcards(linked),
      { name: 'circular references', ...checkAllCycles(stacks) },
      // On one machine, its own address is right.
      ...(name === 'local' ? [] : [checkAddresses(linked)]),
      checkBundles(functionsFolder),
    ],
  };
}

function checkAllCycles(stacks: readonly SynthesizedStack[]): Pick<Check, 'measured' | 'problems'> {
  const problems = stacks.flatMap(({ template }) => checkCycles(template));
  return { measured: problems.length, problems };
}

/**
 * The CDK states dependencies that CloudFormation would also find itself (W3005), and the service's outputs repeat ids of the
 * data, so that people find all of them in one place (W6001). All other findings count.
 */
async function lintAll(files: readonly string[], ignored: readonly string[]): Promise<Check> {
  const name = 'findings of cfn-lint';
  const args = [...files, '--regions', 'us-east-1', '--ignore-checks', ...ignored, '--format', 'parseable'];
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

function formatStacks(reports: readonly Report[]): string {
  const stacks = reports.flatMap((report) => Object.entries(report.stacks));
  const [[, checks = []] = []] = stacks;
  return formatTable(
    ['Stack', ...checks.map(({ name }) => name)],
    [
      ...stacks.map(([name, own]) => [`\`${name}\``, ...own.map(({ measured }) => measured)]),
      ['Limit', ...checks.map(({ max }) => max)],
    ],
  );
}

function formatChecks(reports: readonly Report[]): string {
  const names = [...new Set(reports.flatMap(({ checks }) => checks.map(({ name }) => name)))];
  return formatTable(
    ['', ...reports.map(({ name }) => `\`${name}\``), 'Limit'],
    names.map((name) => {
      const found = reports.map(({ checks }) => checks.find((check) => check.name === name));
      const max = found.find((check) => check?.max !== undefined)?.max;
      return [name, ...found.map((check) => check?.measured), max];
    }),
  );
}

function formatTable(head: readonly string[], rows: readonly (readonly (string | number | undefined)[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(formatCell).join(' | ')} |`).join('\n');
}

function formatCell(cell: string | number | undefined): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : (cell ?? '');
}

/** Returns whether there are problems; they fail the command. */
function reportProblems({ name, stacks, checks }: Report): boolean {
  const maxShown = 10;
  const ofStacks = Object.entries(stacks).flatMap(([stack, own]) =>
    own.flatMap((check) => check.problems.map((problem) => `${stack}: ${problem}`)),
  );
  const problems = [...ofStacks, ...checks.flatMap((check) => check.problems)];
  console.log(`${name}: ${Object.keys(stacks).length} stacks, ${problems.length} problems.`);
  for (const problem of problems.slice(0, maxShown)) console.error(`  ${problem}`);
  if (problems.length > maxShown) console.error(`  and ${problems.length - maxShown} more`);
  if (problems.length > 0) process.exitCode = 1;
  return problems.length > 0;
}
