// Rejects regular expressions that take more than linear time on some text: `npm run regexes`. `-- --update` analyses new
// patterns and adds their verdicts to tools/check/known-regexes.json. Without it, the check only looks verdicts up: an analysis takes
// up to seconds, so its result would depend on the speed of the machine. A pattern that is not linear needs a reason in that
// file, written by hand.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { type Node, parseSync } from '@swc/core';
import { root } from '../build/local-build.ts';

/** The version for browsers is pure JavaScript, so it runs on every platform without Java. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

const folders = ['client', 'console', 'contract', 'lambdas', 'local', 'mcp', 'model/built-in'];

const verdictsFile = join(root, 'tools/check/known-regexes.json');

/** A pattern with its flags → `linear`, or why it may take longer. */
type Verdicts = Record<string, string>;

interface Found {
  pattern: string;
  flags: string;
  file: string;
}

const verdicts: Verdicts = JSON.parse(readFileSync(verdictsFile, 'utf8'));
const found = folders.flatMap((folder) => listSources(join(root, folder))).flatMap(findRegexes);
const isUpdating = process.argv.includes('--update');
const problems: string[] = [];
const used = new Set<string>();

for (const { pattern, flags, file } of found) {
  const key = `/${pattern}/${flags}`;
  used.add(key);
  if (verdicts[key] !== undefined) continue;
  if (!isUpdating) {
    problems.push(`${file}: ${key} was not analysed yet. Run npm run regexes -- --update`);
    continue;
  }
  const analysis = checkSync(pattern, flags, { timeout: 60_000 });
  if (analysis.status === 'safe') verdicts[key] = 'linear';
  else
    problems.push(`${file}: ${key} is ${analysis.status === 'vulnerable' ? analysis.complexity.summary : 'undecided'}`);
}

if (isUpdating) {
  const kept = Object.entries(verdicts).filter(([key]) => used.has(key));
  const sorted = kept.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(verdictsFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(
    `\n${problems.length} patterns are not known to be linear. Rewrite them, or give a reason in tools/check/known-regexes.json.`,
  );
  process.exitCode = 1;
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!dist|node_modules).*\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function findRegexes(path: string): Found[] {
  const text = readFileSync(path, 'utf8');
  const file = relative(root, path);
  const literals: Found[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node & Record<string, unknown>;
    if (node.type === 'RegExpLiteral') {
      literals.push({ pattern: String(node.pattern), flags: String(node.flags), file });
    }
    for (const child of Object.values(value)) visit(child);
  };
  visit(parseSync(text, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'es2022' }));
  return literals;
}
