import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { type Command, type CommandInput, readText, UsageError } from './command.ts';
import { createLosses, type ImportedRecord, type Losses, type Row } from './convert-row.ts';
import { runImportJobs } from './import-jobs.ts';
import { importOthers } from './import-others.ts';
import { convertRows, joinRows, parseRows, readKind, readMapping, readOwnRows, unwrapRow } from './import-rows.ts';
import { importedKinds, replaceTexts } from './kinds.ts';
import { mappings } from './mappings.ts';
import { loadSettings } from './settings.ts';

// Imports incidents and problems with their dates, people, notes and history. The external id of a record makes repeats harmless, so an
// import that stopped is run again. Failed records go to `<file>.errors.ndjson`, which can be corrected and imported.

const maxPrinted = 20;

export const importCommands: Command[] = [
  {
    name: 'import',
    args: '[servicenow|jira|pagerduty|opsgenie|zammad|csv] <file>',
    minArgs: 1,
    argValues: [Object.keys(mappings)],
    summary:
      'Import incidents with their past, from an export of this service or of another tool; "-" is standard input',
    options: {
      'dry-run': { type: 'boolean', description: 'Check all records, show what would be lost and import nothing.' },
      mapping: { type: 'string', value: 'file', description: 'YAML or JSON file with fields, values and people.' },
      with: {
        type: 'string',
        value: 'file',
        multiple: true,
        description: 'Further table of ServiceNow: sys_journal_field (notes) or sys_audit (history).',
      },
      'emit-events': { type: 'boolean', description: 'Emit events, page and notify for the imported incidents.' },
    },
    async run(input) {
      const [first = '', second] = input.args;
      const file = second ?? first;
      const losses = createLosses();
      const rows = await readRows(file, input);
      const name = file === '-' ? 'import' : file.replace(/\.errors\.ndjson$/, '');
      const isOwn = second === undefined;
      const records = isOwn ? readOwnRows(rows, losses) : convertTool(first, rows, input, losses);
      const numbered = records.map((record, index) => ({ line: index + 1, record }));
      const others = isOwn ? await importRest(name, rows, losses, input) : undefined;
      const outcome: Outcome = { created: 0, alreadyThere: 0, failures: [], ...others };
      for (const { kind, operation } of importedKinds) {
        const some = numbered.filter(({ line }) => readKind((isOwn && rows[line - 1]) || {}) === kind);
        await importRecords(kind, operation, others ? followIds(some, others.ids) : some, outcome, input);
      }
      report(name, rows.length, outcome, losses, input);
    },
  },
];

interface Numbered {
  line: number;
  record: ImportedRecord;
}

const references = ['ci_id', 'change_id', 'change_ids'];

/** Imported records keep their ids; records that were created have new ones. */
function followIds(records: readonly Numbered[], ids: ReadonlyMap<string, string>): Numbered[] {
  const follow = (value: unknown) => replaceTexts(value, (text) => ids.get(text) ?? text);
  return records.map(({ line, record }) => {
    const given = references.filter((name) => record[name] !== undefined);
    const followed = given.map((name) => [name, follow(record[name])]);
    return { line, record: { ...record, ...Object.fromEntries(followed) } };
  });
}

/** The other records of an export. */
async function importRest(name: string, rows: readonly Row[], losses: Losses, input: CommandInput) {
  const { connect, options, signal, environment } = input;
  const isImported = (row: Row) => importedKinds.some(({ kind }) => kind === readKind(row));
  const others = rows.map((row) => (isImported(row) ? {} : unwrapRow(row)));
  if (!others.some(({ kind }) => kind !== undefined)) return undefined;
  const service = loadSettings(environment)?.baseUrl ?? '';
  const journal = `${name}.imported.ndjson`;
  const isDryRun = options['dry-run'] === true;
  return importOthers(others, { client: await connect(), losses, signal, service, journal, isDryRun });
}

function convertTool(tool: string, rows: readonly Row[], { options }: CommandInput, losses: Losses): ImportedRecord[] {
  const mapping = readMapping(tool, readText(options, 'mapping'));
  const tables = [options.with ?? []].flat().map((file) => parseFile(String(file)));
  return convertRows(joinRows(rows, tables, mapping), tool, mapping, losses);
}

async function readRows(file: string, { stdin }: CommandInput): Promise<Row[]> {
  if (file !== '-') return parseFile(file);
  const content = await readAll(stdin);
  return parseRows(content, file, !/^\s*[[{]/.test(content));
}

function parseFile(file: string): Row[] {
  try {
    return parseRows(readFileSync(file, 'utf8'), file, file.endsWith('.csv'));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

interface Failure {
  line: number;
  error: { detail: string };
  record: ImportedRecord;
}

interface Outcome {
  created: number;
  alreadyThere: number;
  failures: Failure[];
}

/** Adds to the outcome. */
async function importRecords(
  kind: string,
  operation: string,
  numbered: readonly Numbered[],
  outcome: Outcome,
  input: CommandInput,
): Promise<void> {
  const { connect, options, output, signal } = input;
  let done = 0;
  const records = numbered.map(({ record }) => record);
  const flags = { dry_run: options['dry-run'] === true, emit_events: options['emit-events'] === true };
  await runImportJobs(
    await connect(),
    operation,
    records,
    flags,
    signal,
    (index, { status, error, already_exists }) => {
      const problems = error?.errors?.map(({ field, message }) => `${field} ${message}`).join('; ');
      const detail = problems || error?.detail || '';
      const { line = 0, record = {} } = numbered[index] ?? {};
      if (status === 'failed') outcome.failures.push({ line, error: { detail }, record: { kind, ...record } });
      else outcome[already_exists ? 'alreadyThere' : 'created'] += 1;
      output.progress(++done, records.length);
    },
  );
  outcome.failures.sort((a, b) => a.line - b.line);
}

function report(
  file: string,
  total: number,
  { created, alreadyThere, failures }: Outcome,
  losses: Losses,
  { options, output, fail }: CommandInput,
): void {
  const isDryRun = options['dry-run'] === true;
  const errorFile = `${file}.errors.ndjson`;
  const isWritten = failures.length > 0 && !isDryRun;
  const lost = losses.list();
  output.result(`${created} new, ${alreadyThere} already there, ${failures.length} failed`, {
    total,
    new: created,
    already_there: alreadyThere,
    failed: failures.length,
    losses: lost,
    ...(isDryRun ? { dry_run: true } : {}),
    ...(isWritten ? { errors: errorFile } : {}),
  });
  const titles = {
    rejected: 'Values that are not mapped; their records fail',
    'left out': 'Left out',
    'in a note': 'Kept in a work note, because there is no field or value for it',
    set: 'Set by the import or the service',
  } as const;
  for (const [fate, title] of Object.entries(titles)) {
    const some = lost.filter((one) => one.fate === fate);
    if (some.length > 0) output.note(`${title}:`);
    for (const { name, value, count } of some.slice(0, maxPrinted))
      output.note(`  ${count} × ${name}${value === undefined ? '' : ` "${value}"`}`);
    if (some.length > maxPrinted) output.note(`  and ${some.length - maxPrinted} more (--json lists all)`);
  }
  for (const { line, error } of failures.slice(0, maxPrinted)) output.note(`line ${line}: ${error.detail}`);
  if (failures.length > 0) fail();
  if (isWritten) {
    writeFileSync(errorFile, failures.map((failure) => `${JSON.stringify(failure)}\n`).join(''), { mode: 0o600 });
    output.note(`Correct the records in ${errorFile} and import that file.`);
  } else if (!isDryRun) rmSync(errorFile, { force: true });
}
