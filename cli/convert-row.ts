import { incidentStates, priorities } from '../client/index.ts';
import type { HistorySource, Mapping, NoteSource } from './mappings.ts';
import { parseTime } from './times.ts';

// Converts rows of another tool by a mapping. A value without a counterpart goes into a work note and is counted, so that a
// dry run lists it.

export type Row = Readonly<Record<string, unknown>>;

export interface ImportedNote {
  body: string;
  visibility: 'team' | 'public';
  author?: string;
  created_at?: string;
}

export interface ImportedRecord {
  [field: string]: unknown;
  notes?: readonly object[];
}

/** `in a note`: nothing is lost. `rejected`: the record fails. `set`: the import chooses the value. */
export type Fate = 'in a note' | 'rejected' | 'left out' | 'set';

/** Counts what has no exact counterpart. */
export interface Losses {
  add(fate: Fate, name: string, value?: string): void;
  list(): { fate: Fate; name: string; value?: string; count: number }[];
}

const maxLosses = 1_000;

export function createLosses(): Losses {
  const counted = new Map<string, ReturnType<Losses['list']>[number]>();
  return {
    add(fate, name, value) {
      const key = JSON.stringify([fate, name, value]);
      const known = counted.get(key);
      if (known) known.count += 1;
      else if (counted.size < maxLosses)
        counted.set(key, { fate, name, ...(value === undefined ? {} : { value: value.slice(0, 60) }), count: 1 });
    },
    list: () => [...counted.values()].sort((a, b) => b.count - a.count),
  };
}

const enums: Readonly<Record<string, readonly string[]>> = {
  state: incidentStates,
  priority: priorities,
  impact: ['high', 'medium', 'low'],
  urgency: ['high', 'medium', 'low'],
};

const lengths: Readonly<Record<string, number>> = {
  short_description: 255,
  category: 100,
  subcategory: 100,
  assignment_group: 100,
  external_id: 200,
};

const maxEntries = 500;

/** `prefix` names the tool in the external id, so that two tools may have the same numbers. */
export function convertRow(given: Row, mapping: Mapping, prefix: string, losses: Losses): ImportedRecord {
  const row = flattenRow(given, mapping);
  const left = new Set(Object.keys(row));
  const markUsed = (column: string): boolean =>
    left.delete(column) || (column.includes('.') && markUsed(column.slice(0, column.lastIndexOf('.'))));
  const record: Record<string, unknown> = { ...mapping.defaults };
  for (const [field, columns] of Object.entries(mapping.fields)) {
    for (const column of [columns].flat()) {
      const text = readText(row, column);
      const value = text === '' ? undefined : convertValue(field, text, mapping);
      if (text !== '' && value === undefined) losses.add('in a note', field, text);
      if (field === 'state' && value !== undefined && !incidentStates.includes(value as 'new'))
        losses.add('rejected', field, text);
      if (value === undefined) continue;
      record[field] = value;
      if (!isShortened(field, text)) markUsed(column);
      break;
    }
  }
  const history = mapping.history ? convertHistory(row, mapping.history, mapping) : [];
  const notes = mapping.notes.flatMap((source) => convertNotes(row, source, mapping, markUsed));
  if (mapping.history) markUsed(mapping.history.from);
  for (const column of mapping.ignore) if (left.delete(column)) losses.add('left out', column);
  const rest = listRest(row, left);
  for (const { name } of rest) losses.add('in a note', name);
  const restNote = rest.map(({ name, text }) => `${name}: ${text}`).join('\n');
  if (record.external_id !== undefined) record.external_id = `${prefix} ${record.external_id}`;
  const byTime = notes.sort((a, b) => ((a.created_at ?? '') < (b.created_at ?? '') ? -1 : 1));
  const all = [...byTime, ...(restNote === '' ? [] : [{ body: restNote, visibility: 'team' as const }])].flatMap(
    splitNote,
  );
  if (all.length > maxEntries) losses.add('left out', `notes beyond ${maxEntries}`);
  if (history.length > maxEntries) losses.add('left out', `changes beyond ${maxEntries}`);
  return {
    ...record,
    ...(all.length > 0 && { notes: all.slice(-maxEntries) }),
    ...(history.length > 0 && { history: history.slice(-maxEntries) }),
  };
}

/** Makes the members of an object columns, so that those without a counterpart are counted and kept in a note. */
function flattenRow(row: Row, { nested }: Mapping): Row {
  const { [nested ?? '']: members, ...rest } = row;
  if (nested === undefined || typeof members !== 'object' || members === null) return row;
  return {
    ...rest,
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [`${nested}.${name}`, value])),
  };
}

function convertValue(field: string, text: string, mapping: Mapping): unknown {
  const allowed = enums[field];
  if (allowed) {
    const word = text.toLowerCase();
    const table = mapping.values[field] ?? {};
    const found =
      table[word] ??
      table[word.replace(/^\d+ (?:- )?/, '')] ??
      table[/^\d+/.exec(word)?.[0] ?? ''] ??
      (allowed.includes(text) ? text : undefined);
    // An unknown state must not be guessed; the service rejects it.
    return found ?? (field === 'state' ? text : undefined);
  }
  const mapped = mapping.values[field]?.[text.toLowerCase()];
  if (mapped !== undefined) return mapped;
  if (field.endsWith('_at')) return parseTime(text, mapping);
  if (/^(?:opened_by|assigned_to|acknowledged_by)$/.test(field)) return toAddress(text, mapping);
  if (field === 'reopen_count') return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
  const maxLength = lengths[field];
  if (maxLength === undefined) return text.length <= (field === 'resolution' ? 8_000 : 32_000) ? text : undefined;
  const line = text.replace(/\s+/g, ' ');
  if (line.length <= maxLength) return line;
  return field === 'short_description' ? `${line.slice(0, maxLength - 1)}…` : undefined;
}

/** The note has all of a summary that is too long. */
function isShortened(field: string, text: string): boolean {
  return field === 'short_description' && text.replace(/\s+/g, ' ').length > (lengths[field] ?? 0);
}

function toAddress(name: string, { people, email_domain: domain }: Mapping): string | undefined {
  const known = people[name];
  if (known !== undefined) return known;
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name)) return name;
  const words = name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}. -]/gu, '')
    .trim()
    .toLowerCase();
  return domain && /[\p{L}\p{N}]/u.test(words) ? `${words.replace(/ +/g, '.')}@${domain}` : undefined;
}

function convertNotes(
  row: Row,
  source: NoteSource,
  mapping: Mapping,
  markUsed: (column: string) => unknown,
): ImportedNote[] {
  const { from, format, visibility = 'team' } = source;
  const toNote = (body: string, author: string, at: string, isPublic: boolean): ImportedNote[] => {
    if (body === '') return [];
    const address = author === '' ? undefined : toAddress(author, mapping);
    const time = at === '' ? undefined : parseTime(at, mapping);
    const unknown = [...(address ? [] : [author]), ...(time ? [] : [at])].filter((part) => part !== '').join(', ');
    return [
      {
        body: unknown === '' ? body : `**${unknown}**\n\n${body}`,
        visibility: isPublic ? 'public' : visibility,
        ...(address && { author: address }),
        ...(time && { created_at: time }),
      },
    ];
  };
  if (format === 'journal') {
    const entries = parseJournal(readText(row, from));
    markUsed(from);
    return entries.flatMap(({ at, author, kind, body }) => toNote(body, author, at, /comment/i.test(kind)));
  }
  if (format === 'semicolons') {
    const columns = Object.keys(row).filter((name) => name === from || name.startsWith(`${from}_`));
    return columns.flatMap((column) => {
      const [at = '', author = '', ...body] = readText(row, column).split(';');
      markUsed(column);
      return body.length > 0
        ? toNote(body.join(';').trim(), author.trim(), at.trim(), false)
        : toNote(at, '', '', false);
    });
  }
  const list = readPath(row, from);
  if (typeof list === 'string') {
    markUsed(from);
    return toNote(list.trim(), '', '', false);
  }
  if (!isRows(list)) return [];
  markUsed(from);
  const [column = '', value = ''] = source.public ?? [];
  return list.flatMap((entry) => {
    const read = (name: string | undefined) => (name === undefined ? '' : readText(entry, name));
    const isPublic = column !== '' && readText(entry, column) === value;
    return toNote(read(source.body), read(source.author), read(source.at), isPublic);
  });
}

interface ImportedChange {
  at: string;
  actor: string;
  changes: Record<string, { from: unknown; to: unknown }>;
}

/** Changes of one person at one time are one entry. */
function convertHistory(row: Row, source: HistorySource, mapping: Mapping): ImportedChange[] {
  const list = readPath(row, source.from);
  const entries: ImportedChange[] = [];
  for (const entry of isRows(list) ? list : []) {
    const at = parseTime(readText(entry, source.at), mapping);
    if (at === undefined) continue;
    const author = readText(entry, source.author);
    const actor = (toAddress(author, mapping) ?? (author || 'unknown')).slice(0, 254);
    const items = source.items ? readPath(entry, source.items) : [entry];
    const known = entries.find((one) => one.at === at && one.actor === actor);
    const same = known ?? { at, actor, changes: {} };
    if (!known) entries.push(same);
    for (const item of isRows(items) ? items : []) {
      const name = toFieldName(readText(item, source.field), mapping);
      const read = (column: string) => {
        const text = readText(item, column);
        return text === '' ? null : enums[name] ? (convertValue(name, text, mapping) ?? text) : text;
      };
      if (name !== '') same.changes[name] = { from: read(source.before), to: read(source.after) };
    }
  }
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** The field whose column has this name, such as `status` of `fields.status`. */
function toFieldName(column: string, { fields }: Mapping): string {
  const isColumn = (name: string) => name === column || name === `fields.${column}`;
  const found = Object.entries(fields).find(([, columns]) => [columns].flat().some(isColumn));
  return (found?.[0] ?? column).slice(0, 100);
}

const maxNoteLength = 15_000;

/** Notes are limited to 32,000 characters. */
function splitNote(note: ImportedNote): ImportedNote[] {
  const count = Math.ceil(note.body.length / maxNoteLength);
  return Array.from({ length: count }, (_, at) => ({
    ...note,
    body: note.body.slice(at * maxNoteLength, (at + 1) * maxNoteLength),
  }));
}

/** The entries of a ServiceNow journal: a line with time, author and kind, then the text; newest first. */
function parseJournal(text: string) {
  const entries: { at: string; author: string; kind: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, at = '', author = '', kind = ''] =
      /^(\d[\d/.:APM -]{9,24}) - ([^()]{1,100}) \(([^()]{1,60})\)$/.exec(line) ?? [];
    if (at !== '') entries.push({ at, author, kind, lines: [] });
    else if (entries.length > 0) entries.at(-1)?.lines.push(line);
    else if (line.trim() !== '') entries.push({ at: '', author: '', kind: '', lines: [line] });
  }
  return entries.reverse().map(({ lines, ...entry }) => ({ ...entry, body: lines.join('\n').trim() }));
}

/** The columns that nothing used, and what references hold besides their name. */
function listRest(row: Row, left: ReadonlySet<string>): { name: string; text: string }[] {
  return [...left]
    .map((name) => ({ name, text: readText(row, name) }))
    .concat(Object.keys(row).flatMap((name) => listReferenceMembers(row, name)))
    .filter(({ text }) => text !== '');
}

function listReferenceMembers(row: Row, name: string): { name: string; text: string }[] {
  const value = row[name];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const reference = value as Row;
  const shown = readName(reference);
  if (shown === undefined || !('link' in reference || 'id' in reference)) return [];
  const others = Object.keys(reference).filter((member) => reference[member] !== shown);
  return others.map((member) => ({ name: `${name}.${member}`, text: readText(reference, member) }));
}

/** Reference fields are objects with a name. Other objects and lists are JSON. Removes control characters. */
export function readText(row: Row, name: string): string {
  const found = readPath(row, name);
  const isObject = typeof found === 'object' && found !== null;
  const value = isObject ? (readName(found as Row) ?? (isEmpty(found) ? '' : JSON.stringify(found))) : found;
  return value === null || value === undefined
    ? ''
    : String(value)
        .replace(/[^\P{Cc}\t\n\r]/gu, '')
        .trim();
}

function readPath(row: Row, name: string): unknown {
  const at = name.lastIndexOf('.');
  return Object.hasOwn(row, name) || at < 0
    ? readMember(row, name)
    : readMember(readPath(row, name.slice(0, at)), name.slice(at + 1));
}

function readMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Row)[name] : undefined;
}

function readName(value: Row): unknown {
  return value.display_value ?? value.summary ?? value.name ?? value.displayName ?? value.value;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null);
}
