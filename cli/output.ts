import type { Writable } from 'node:stream';
import { formatCsvRow } from './csv.ts';

// Tables for people; JSON, CSV or single fields for programs. Everything but the result goes to standard error, so that pipes stay clean.

export interface Format {
  isJson: boolean;
  isCsv: boolean;
  /** Dotted paths of the fields to print, such as `id` or `opened_by.email`. */
  fields?: readonly string[] | undefined;
}

export interface Output {
  /** Whether single fields are printed: the caller passes the records of a list, not the list. */
  readonly isTabular: boolean;
  /** One record. */
  record(value: object): void;
  /** Records as a table with the given columns, or one JSON document per line. */
  table(rows: readonly object[], columns: readonly string[]): void;
  /** The result of a command: text for people, an object for programs. */
  result(text: string, value: object): void;
  note(text: string): void;
  progress(done: number, total: number): void;
}

const barWidth = 30;
const maxColumnWidth = 60;

export function createOutput(stdout: Writable, stderr: Writable & { isTTY?: boolean }, format: Format): Output {
  const { isJson, isCsv, fields } = format;
  const isForPeople = !isJson && !isCsv && !fields;
  const print = (text: string) => stdout.write(`${text}\n`);
  let hasHeading = false;
  let startedMs: number | undefined;
  const printHeading = (columns: readonly string[]) => {
    if (isCsv && !hasHeading) print(formatCsvRow(columns));
    hasHeading = true;
  };
  const printForPrograms = (value: object, columns: readonly string[]) => {
    const names = fields ?? columns;
    const cells = names.map((name) => (fields ? pick(value, name.split('.')) : pick(value, [name])));
    printHeading(names);
    if (isCsv) print(formatCsvRow(cells));
    else if (!isJson) print(cells.map(formatLine).join('\t'));
    else print(JSON.stringify(fields ? Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null])) : value));
  };
  return {
    isTabular: isCsv || fields !== undefined,
    record(value) {
      if (!isForPeople) return printForPrograms(value, Object.keys(value));
      const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
      const width = Math.max(...entries.map(([name]) => name.length));
      for (const [name, field] of entries) print(`${name.padEnd(width)}  ${formatCell(field)}`);
    },
    table(rows, columns) {
      if (isForPeople) for (const line of formatTable(rows, columns)) print(line);
      else if (rows.length === 0) printHeading(fields ?? columns);
      else for (const row of rows) printForPrograms(row, columns);
    },
    result: (text, value) => (isForPeople ? void print(text) : printForPrograms(value, Object.keys(value))),
    note: (text) => void stderr.write(`${text}\n`),
    progress(done, total) {
      if (!stderr.isTTY) return;
      const filled = total === 0 ? barWidth : Math.round((barWidth * done) / total);
      const bar = '█'.repeat(filled).padEnd(barWidth, '░');
      startedMs ??= Date.now();
      const leftMs = done === 0 ? 0 : ((Date.now() - startedMs) / done) * (total - done);
      const end = done === total ? '\n' : ` ${formatLeft(leftMs)}  `;
      stderr.write(`\r${bar} ${done}/${total}${end}`);
    },
  };
}

function formatLeft(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}

/** The value at a path. A name that follows a list selects the field of each entry. */
function pick(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value) && !/^\d+$/.test(name)) return value.map((entry) => pick(entry, [name, ...rest]));
  return Object.hasOwn(Object(value), name) ? pick((value as Record<string, unknown>)[name], rest) : undefined;
}

function formatTable(rows: readonly object[], columns: readonly string[]): string[] {
  const cells = rows.map((row) => columns.map((name) => formatCell((row as Record<string, unknown>)[name])));
  const heads = columns.map((name) => name.toUpperCase());
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const formatRow = (line: readonly string[]) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [formatRow(heads), ...cells.map(formatRow)];
}

function formatCell(value: unknown): string {
  const line = formatLine(value);
  return line.length > maxColumnWidth && typeof value !== 'object' ? `${line.slice(0, maxColumnWidth - 1)}…` : line;
}

/** Without control characters, which a terminal would execute. */
function formatLine(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}+/gu, ' ');
}
