import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncidentUpdate, JobResult, ServiceClient } from '../client/index.ts';
import { type Command, type CommandInput, UsageError } from './command.ts';
import { parseCsv } from './csv.ts';
import { type ForeignTool, foreignTools, type ImportedIncident } from './foreign-records.ts';

// Imports files through bulk jobs of 100 records. Failed records go to `<file>.errors.ndjson`, which can be corrected and
// imported. The idempotency key of a batch is a hash of its content, so a second run within 24 hours continues where the
// first one stopped.

type Row = Readonly<Record<string, unknown>>;

interface Failure {
  line: number;
  error: JobResult['error'] | { detail: string };
  record: Row;
}

const batchSize = 100;

/** The fields that callers may set. Exports contain them, too. */
export const importedFields = [
  'short_description',
  'description',
  'priority',
  'state',
  'category',
  'subcategory',
  'impact',
  'urgency',
  'assignment_group',
  'assigned_to',
  'ci_id',
  'parent_problem_id',
  'change_id',
  'resolution',
] as const;

const isImported: ReadonlySet<string> = new Set(importedFields);

export const importCommands: Command[] = [
  {
    name: 'import',
    args: '[servicenow|pagerduty] <file>',
    minArgs: 1,
    summary: 'Create incidents from NDJSON, JSON or CSV, or from an export of another tool',
    async run(input) {
      const [first = '', second] = input.args;
      const tool = second === undefined ? undefined : toTool(first);
      const file = second ?? first;
      const rows = readRows(file);
      const records = tool ? rows.map((row) => foreignTools[tool](row)) : rows.map(toIncident);
      const failures = await importRecords(records, input);
      reportFailures(file, failures, records.length, input);
    },
  },
];

function toTool(name: string): ForeignTool {
  if (name === 'servicenow' || name === 'pagerduty') return name;
  throw new UsageError(`"${name}" is not a tool to import from. Use servicenow or pagerduty.`);
}

/** Also reads the forms in which tools wrap their lists: `{"result": […]}` and `{"incidents": […]}`. */
export function readRows(file: string): Row[] {
  const text = readFileSync(file, 'utf8');
  try {
    if (file.endsWith('.csv')) return parseCsv(text);
    if (!/^\s*(?:\[|\{\s*"(?:result|incidents|records|data)"\s*:\s*\[)/.test(text)) {
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line));
    }
    const document = JSON.parse(text);
    return Array.isArray(document)
      ? document
      : (document.result ?? document.incidents ?? document.records ?? document.data);
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Drops the fields that the service sets, which an export has, and the fields of an error file. */
function toIncident(row: Row): ImportedIncident {
  const record = typeof row.record === 'object' && row.record !== null ? (row.record as Row) : row;
  const entries = Object.entries(record).filter(
    ([name, value]) => isImported.has(name) && value !== '' && value !== null,
  );
  return { short_description: '', ...Object.fromEntries(entries) };
}

async function importRecords(records: readonly ImportedIncident[], input: CommandInput): Promise<Failure[]> {
  const client = await input.connect();
  const failures: Failure[] = [];
  input.output.progress(0, records.length);
  for (let start = 0; start < records.length; start += batchSize) {
    const batch = records.slice(start, start + batchSize);
    const results = await createBatch(client, batch, start, input, records.length);
    const created = results.flatMap(({ index, id, error }) => {
      const record = batch[index] ?? {};
      if (error) failures.push({ line: start + index + 1, error, record });
      return id && batch[index] ? [{ id, line: start + index + 1, record: batch[index] }] : [];
    });
    failures.push(...(await moveToStates(client, created)));
  }
  return failures;
}

async function createBatch(
  client: ServiceClient,
  batch: readonly ImportedIncident[],
  start: number,
  { output, signal }: CommandInput,
  total: number,
): Promise<JobResult[]> {
  const records = batch.map(({ state: _, ...fields }) => fields);
  const idempotencyKey = createHash('sha256')
    .update(JSON.stringify([start, batch]))
    .digest('hex');
  const { job_id } = await client.bulkIncidents({ operation: 'create', records }, { idempotencyKey, signal });
  const job = await client.jobs.wait(job_id, {
    signal,
    onProgress: ({ processed }) => output.progress(start + processed, total),
  });
  return job.results;
}

interface Created {
  id: string;
  line: number;
  record: ImportedIncident;
}

/** The transitions from `new` to each state. */
const steps: readonly { state: NonNullable<IncidentUpdate['state']>; of: readonly string[] }[] = [
  { state: 'in_progress', of: ['in_progress', 'on_hold', 'resolved', 'closed'] },
  { state: 'cancelled', of: ['cancelled'] },
  { state: 'on_hold', of: ['on_hold'] },
  { state: 'resolved', of: ['resolved', 'closed'] },
  { state: 'closed', of: ['closed'] },
];

async function moveToStates(client: ServiceClient, created: readonly Created[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  const known = new Set(['new', undefined, ...steps.map(({ state }) => state)]);
  for (const { line, record } of created) {
    if (!known.has(record.state)) failures.push({ line, record, error: { detail: `Unknown state ${record.state}.` } });
  }
  for (const { state, of } of steps) {
    const moved = created.filter(({ record }) => of.includes(record.state ?? 'new'));
    if (moved.length === 0) continue;
    const ids = moved.map(({ id }) => id);
    const { job_id } = await client.bulkIncidents({ operation: 'update', ids, fields: { state } });
    const { results } = await client.jobs.wait(job_id);
    for (const { index, error } of results) {
      const one = moved[index];
      // A second run finds incidents that already have the state.
      if (error && error.code !== 'invalid_transition' && one)
        failures.push({ line: one.line, error, record: one.record });
    }
  }
  return failures;
}

function reportFailures(
  file: string,
  failures: readonly Failure[],
  total: number,
  { output, fail }: CommandInput,
): void {
  const errorFile = `${file.replace(/\.errors\.ndjson$/, '')}.errors.ndjson`;
  const succeeded = total - new Set(failures.map(({ line }) => line)).size;
  const summary = { total, succeeded, failed: total - succeeded };
  if (failures.length === 0) {
    rmSync(errorFile, { force: true });
    output.result(`Imported ${total} incidents`, summary);
    return;
  }
  writeFileSync(errorFile, failures.map((failure) => `${JSON.stringify(failure)}\n`).join(''));
  output.result(`Imported ${succeeded} of ${total} incidents`, { ...summary, errors: errorFile });
  output.note(`Correct the records in ${errorFile} and import that file.`);
  fail();
}
