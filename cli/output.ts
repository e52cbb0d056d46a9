import type { Writable } from 'node:stream';

// Tables for people, JSON for programs. Everything but the result goes to standard error, so that pipes stay clean.

export interface Output {
  readonly isJson: boolean;
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

export function createOutput(stdout: Writable, stderr: Writable & { isTTY?: boolean }, isJson: boolean): Output {
  const print = (text: string) => stdout.write(`${text}\n`);
  return {
    isJson,
    record(value) {
      if (isJson) return void print(JSON.stringify(value));
      const entries = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
      const width = Math.max(...entries.map(([name]) => name.length));
      for (const [name, field] of entries) print(`${name.padEnd(width)}  ${formatCell(field)}`);
    },
    table(rows, columns) {
      if (isJson) for (const row of rows) print(JSON.stringify(row));
      else for (const line of formatTable(rows, columns)) print(line);
    },
    result: (text, value) => void print(isJson ? JSON.stringify(value) : text),
    note: (text) => void stderr.write(`${text}\n`),
    progress(done, total) {
      if (!stderr.isTTY) return;
      const filled = total === 0 ? barWidth : Math.round((barWidth * done) / total);
      const bar = '█'.repeat(filled).padEnd(barWidth, '░');
      stderr.write(`\r${bar} ${done}/${total}${done === total ? '\n' : ''}`);
    },
  };
}

function formatTable(rows: readonly object[], columns: readonly string[]): string[] {
  const cells = rows.map((row) => columns.map((name) => formatCell((row as Record<string, unknown>)[name])));
  const heads = columns.map((name) => name.toUpperCase());
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map((line) => line[at]?.length ?? 0)));
  const formatLine = (line: readonly string[]) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [formatLine(heads), ...cells.map(formatLine)];
}

/** Without control characters, which a terminal would execute. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const line = text.replace(/\p{Cc}+/gu, ' ');
  return line.length > maxColumnWidth && typeof value !== 'object' ? `${line.slice(0, maxColumnWidth - 1)}…` : line;
}
