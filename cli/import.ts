import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { incidentFields } from '../client/index.ts';
import { type Command, type CommandInput, UsageError } from './command.ts';
import { parseCsv } from './csv.ts';
import { foreignTools } from './foreign-records.ts';
import { type Conversion, createValidator, type Failure, importRecord, withKeys } from './import-record.ts';
import { loadSettings } from './settings.ts';

// Imports a file record by record. Every record is validated before anything is created and imported once: its key is its
// id in the other tool or a hash of its content, never its position. Failed records go to `<file>.errors.ndjson`, which can
// be corrected and imported. `<file>.imported.ndjson` maps keys to new ids and outlives the idempotency keys of the service.

type Row = Readonly<Record<string, unknown>>;

const concurrency = 8;
const maxPrintedFailures = 10;

const isImported: ReadonlySet<string> = new Set([...incidentFields, 'external_id', 'notes']);

export const importCommands: Command[] = [
  {
    name: 'import',
    args: '[servicenow|pagerduty] <file>',
    minArgs: 1,
    argValues: [Object.keys(foreignTools)],
    summary: 'Create incidents from NDJSON, JSON or CSV, or from an export of another tool; "-" is standard input',
    options: { 'dry-run': { type: 'boolean', description: 'Check all records and create nothing.' } },
    async run(input) {
      const [first = '', second] = input.args;
      const file = second ?? first;
      const convert = second === undefined ? toRecord : foreignTools[first];
      if (!convert) throw new UsageError(`"${first}" is not a tool to import from. Use servicenow or pagerduty.`);
      const content = file === '-' ? await readAll(input.stdin) : readFileSync(file, 'utf8');
      const isCsv = file === '-' ? !/^\s*[[{]/.test(content) : file.endsWith('.csv');
      const conversions = parseRows(content, file, isCsv).map(convert);
      const name = file === '-' ? 'import' : file.replace(/\.errors\.ndjson$/, '');
      const { failures, ...counts } = await importRecords(name, conversions, input);
      report(name, counts, failures, conversions, input);
    },
  },
];

/** Also reads the forms in which tools wrap their lists: `{"result": […]}` and `{"incidents": […]}`. */
function parseRows(text: string, file: string, isCsv: boolean): Row[] {
  try {
    if (isCsv) return parseCsv(text);
    if (!/^\s*(?:\[|\{\s*"(?:result|incidents|records|data)"\s*:\s*\[)/.test(text)) return parseLines(text);
    const document = JSON.parse(text);
    return Array.isArray(document)
      ? document
      : (document.result ?? document.incidents ?? document.records ?? document.data);
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseLines(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Accepts records, exports, whose id becomes the key, and lines of an error file. */
function toRecord(row: Row): Conversion {
  const given = typeof row.record === 'object' && row.record !== null ? (row.record as Row) : row;
  const { id, number: _, ...fields } = given;
  const entries = Object.entries(fields).filter(([, value]) => value !== '' && value !== null);
  const record = Object.fromEntries(entries.filter(([name]) => isImported.has(name)));
  if (typeof record.notes === 'string') record.notes = [{ body: record.notes, visibility: 'team' }];
  const dropped = entries.map(([name]) => name).filter((name) => !isImported.has(name));
  return {
    record: { short_description: '', ...(id ? { external_id: String(id) } : {}), ...record },
    inNotes: [],
    dropped,
  };
}

interface Counts {
  created: number;
  alreadyThere: number;
}

async function importRecords(
  file: string,
  conversions: readonly Conversion[],
  { connect, options, output, signal, environment }: CommandInput,
): Promise<Counts & { failures: Failure[] }> {
  const client = await connect();
  const validate = createValidator(await client.getApiDocument());
  const service = loadSettings(environment)?.baseUrl ?? '';
  const journal = `${file}.imported.ndjson`;
  const lines = existsSync(journal) ? parseLines(readFileSync(journal, 'utf8')) : [];
  const known = new Set(lines.filter((line) => line.service === service).map(({ key }) => key));
  const outcome: Counts & { failures: Failure[] } = { created: 0, alreadyThere: 0, failures: [] };
  const queue = withKeys(conversions.map(({ record }) => record)).entries();
  let done = 0;
  const work = async () => {
    for (const [index, { key, record }] of queue) {
      signal.throwIfAborted();
      const error = validate(record);
      if (error) outcome.failures.push({ line: index + 1, error, record });
      else if (known.has(key)) outcome.alreadyThere += 1;
      else if (options['dry-run']) outcome.created += 1;
      else {
        const result = await importRecord(client, key, record, signal);
        if ('error' in result) outcome.failures.push({ line: index + 1, error: result.error, record });
        else {
          outcome[result.isNew ? 'created' : 'alreadyThere'] += 1;
          appendFileSync(journal, `${JSON.stringify({ service, key, id: result.id })}\n`, { mode: 0o600 });
        }
      }
      output.progress(++done, conversions.length);
    }
  };
  // The workers share the iterator of the queue.
  await Promise.all(Array.from({ length: concurrency }, work));
  outcome.failures.sort((a, b) => a.line - b.line);
  return outcome;
}

function report(
  file: string,
  { created, alreadyThere }: Counts,
  failures: readonly Failure[],
  conversions: readonly Conversion[],
  { options, output, fail }: CommandInput,
): void {
  const isDryRun = options['dry-run'] === true;
  const errorFile = `${file}.errors.ndjson`;
  const inNotes = [...new Set(conversions.flatMap((one) => one.inNotes))];
  const dropped = [...new Set(conversions.flatMap((one) => one.dropped))].filter((name) => !inNotes.includes(name));
  const isWritten = failures.length > 0 && !isDryRun;
  output.result(`${created} new, ${alreadyThere} already there, ${failures.length} failed`, {
    total: conversions.length,
    new: created,
    already_there: alreadyThere,
    failed: failures.length,
    in_notes: inNotes,
    dropped_columns: dropped,
    ...(isDryRun ? { dry_run: true } : {}),
    ...(isWritten ? { errors: errorFile } : {}),
  });
  if (inNotes.length > 0) output.note(`Columns in work notes: ${inNotes.join(', ')}`);
  if (dropped.length > 0) output.note(`Columns not imported: ${dropped.join(', ')}`);
  for (const { line, error } of failures.slice(0, maxPrintedFailures)) output.note(`line ${line}: ${error.detail}`);
  if (failures.length > 0) fail();
  if (isWritten) {
    writeFileSync(errorFile, failures.map((failure) => `${JSON.stringify(failure)}\n`).join(''), { mode: 0o600 });
    output.note(`Correct the records in ${errorFile} and import that file.`);
  } else if (!isDryRun) rmSync(errorFile, { force: true });
}
