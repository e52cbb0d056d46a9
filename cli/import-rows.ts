import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { UsageError } from './command.ts';
import { convertRow, type ImportedRecord, type Losses, type Row, readText } from './convert-row.ts';
import { parseCsv } from './csv.ts';
import { importedKinds } from './kinds.ts';
import { type Mapping, mappings, mergeMapping } from './mappings.ts';

// From files to records of the operation `import`.

/** Also reads the forms in which tools wrap their lists: `{"result": […]}`, `{"startAt": 0, "issues": […]}`. */
export function parseRows(text: string, file: string, isCsv: boolean): Row[] {
  try {
    if (isCsv) return parseCsv(text);
    const document = parseDocument(text);
    if (Array.isArray(document)) return document;
    const list = document && wrappers.map((name) => document[name]).find(Array.isArray);
    return list ?? parseLines(text);
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

const wrappers = ['result', 'incidents', 'records', 'data', 'issues', 'alerts', 'tickets'];

/** Undefined for JSON lines. */
function parseDocument(text: string): Row | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseLines(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

export function readMapping(tool: string, file: string | undefined): Mapping {
  const base = mappings[tool];
  if (!base) throw new UsageError(`"${tool}" is not a tool to import from. Use ${Object.keys(mappings).join(', ')}.`);
  if (file === undefined) return base;
  const given = parseDocumentFile(file);
  try {
    return mergeMapping(base, given);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}.`);
  }
}

/** YAML, which includes JSON. */
export function parseDocumentFile(file: string): unknown {
  try {
    return parseYaml(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Adds the rows of other tables to the rows that they belong to. */
export function joinRows(rows: readonly Row[], tables: readonly Row[][], { joins }: Mapping): Row[] {
  const joined = tables.map((table) => {
    const found = Object.entries(joins).find(([, { key }]) => table.some((row) => key in row));
    if (!found)
      throw new UsageError(`A file of --with has none of the columns ${Object.values(joins).map(({ key }) => key)}.`);
    const [name, { key, on }] = found;
    return { name, on, groups: groupRows(table, key) };
  });
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(joined.map(({ name, on, groups }) => [name, groups.get(readText(row, on)) ?? []])),
  }));
}

function groupRows(table: readonly Row[], key: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of table) {
    const id = readText(row, key);
    const group = groups.get(id);
    if (group) group.push(row);
    else groups.set(id, [row]);
  }
  return groups;
}

export function convertRows(rows: readonly Row[], tool: string, mapping: Mapping, losses: Losses): ImportedRecord[] {
  return withKeys(rows.map((row) => convertRow(row, mapping, tool, losses))).map((record) =>
    completeDates(record, losses),
  );
}

/** Fields that the service computes. */
const computed = [
  'number',
  'sla_breach_at',
  'sla_breached_at',
  'work_notes_count',
  'ai_suggested_resolution',
  'deleted',
  'kind',
];

const taken = [...Object.keys(mappings.csv?.fields ?? {}), ...['id', 'notes', 'history']];

/** The record of a line of an error file; other lines are records. */
export function unwrapRow(row: Row): Row {
  return typeof row.record === 'object' && row.record !== null ? (row.record as Row) : row;
}

/** Lines of `export --all` name their kind; all others are incidents. */
export function readKind(row: Row): string {
  return String(row.kind ?? unwrapRow(row).kind ?? 'incident');
}

/** Reads records, exports and lines of an error file. */
export function readOwnRows(rows: readonly Row[], losses: Losses): ImportedRecord[] {
  const records = rows.map((row) => {
    const kind = readKind(row);
    if (!importedKinds.some((imported) => imported.kind === kind)) return {};
    const entries = Object.entries(unwrapRow(row)).filter(([, value]) => value !== '' && value !== null);
    const given = entries.filter(([name]) => !computed.includes(name));
    // Incidents may come from anywhere, other kinds only from an export of this service.
    const isTaken = (name: string) => kind !== 'incident' || taken.includes(name);
    for (const [name] of given) if (!isTaken(name)) losses.add('left out', name);
    const record: Record<string, unknown> = Object.fromEntries(given.filter(([name]) => isTaken(name)));
    if (typeof record.notes === 'string') record.notes = [{ body: record.notes, visibility: 'team' }];
    if (Array.isArray(record.notes)) record.notes = record.notes.map((note: Row) => readNote(note, losses));
    if (Array.isArray(record.history))
      record.history = record.history.map(({ at, actor, changes }: Row) => ({ at, actor, changes }));
    if (typeof record.reopen_count === 'string') record.reopen_count = Number(record.reopen_count);
    return record;
  });
  return withKeys(records).map((record) => completeDates(record, losses));
}

/** An export names uploaded files, but does not contain them. */
function readNote({ incident_id, record_id, ...note }: Row, losses: Losses): Row {
  if (!Array.isArray(note.attachments)) return note;
  const linked = note.attachments.filter(({ id }: Row) => id === undefined);
  for (let left = note.attachments.length - linked.length; left > 0; left--)
    losses.add('left out', 'notes.attachments');
  return { ...note, attachments: linked };
}

/** A record without an id gets a hash of its content as external id. Equal records are numbered, so that each is imported. */
function withKeys(records: readonly ImportedRecord[]): ImportedRecord[] {
  const seen = new Map<string, number>();
  return records.map((record) => {
    if (record.external_id !== undefined || record.id !== undefined || Object.keys(record).length === 0) return record;
    const hash = hashText(JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 32);
    const nth = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, nth);
    return { ...record, external_id: `import ${hash} ${nth}` };
  });
}

/** Clocks differ, and the service rejects times of the future. */
const marginMs = 60_000;

/** Sets the dates that a state needs and removes those that it must not have. */
function completeDates(given: ImportedRecord, losses: Losses): ImportedRecord {
  const record: Record<string, unknown> = { ...given };
  const set = (name: string, value: unknown) => {
    losses.add('set', name);
    record[name] = value;
  };
  const remove = (name: string) => {
    if (record[name] === undefined) return;
    losses.add('left out', `${name} in the state ${record.state}`);
    delete record[name];
  };
  const now = new Date(Date.now() - marginMs).toISOString();
  const isResolved = record.state === 'resolved' || record.state === 'closed';
  if (isResolved && record.resolved_at === undefined) set('resolved_at', record.closed_at ?? record.updated_at ?? now);
  if (record.state === 'closed' && record.closed_at === undefined) set('closed_at', record.resolved_at);
  if (!isResolved) remove('resolved_at');
  if (!isResolved && record.state !== 'cancelled' && !Number(record.reopen_count)) remove('closed_at');
  if (record.state === 'resolved' && !Number(record.reopen_count)) remove('closed_at');
  if (isResolved && record.created_at === undefined) set('created_at', record.resolved_at);
  if (record.acknowledged_at === undefined || record.acknowledged_by === undefined) {
    remove('acknowledged_at');
    remove('acknowledged_by');
  }
  return record;
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
