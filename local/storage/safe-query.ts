// libsql ends the process when it reads a text that is not valid UTF-8, which a damaged page can contain. So queries return
// texts as bytes that are checked and decoded here: damage is an error of the request that reads it.
import { isUtf8 } from 'node:buffer';
import type Database from 'libsql';

export type Row = Record<string, unknown>;

/** A prepared statement. Pass positional values as one array: a single Buffer argument would crash libsql. */
export interface Statement {
  run(values?: readonly unknown[]): { changes: number; lastInsertRowid: number | bigint };
  get(values?: readonly unknown[]): Row | undefined;
  all(values?: readonly unknown[]): Row[];
}

export interface ListStatement {
  get(values: readonly unknown[]): readonly unknown[] | undefined;
}

const casts: Readonly<Record<string, (column: string) => string>> = {
  BLOB: (column) => `CAST(${column} AS BLOB)`,
  TEXT: (column) => `CAST(${column} AS BLOB)`,
  INTEGER: (column) => `CAST(${column} AS NUMERIC)`,
  REAL: (column) => `CAST(${column} AS NUMERIC)`,
};
const castExpression = (column: string) =>
  `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`;

interface SafeQuery {
  sql: string;
  /** Columns that contain text. */
  texts: { name: string; index: number }[];
}

/** Casts each column to its declared type, because a damaged row can contain any type. SQLite flattens the subquery. */
function toSafeQuery(database: Database.Database, sql: string): SafeQuery {
  const columns = database.prepare(sql).columns();
  const names = columns.map((_, index) => `c${index}`);
  const results = columns.map(({ name, type }, index) => {
    const cast = (type && casts[type]) || castExpression;
    return `${cast(`c${index}`)} AS "${name.replaceAll('"', '""')}"`;
  });
  const isText = ({ type }: { type: string | null }) => type === 'TEXT' || type === null;
  const texts = columns.flatMap((column, index) => (isText(column) ? [{ name: column.name, index }] : []));
  return { sql: `WITH q(${names}) AS (${sql}) SELECT ${results} FROM q`, texts };
}

export function prepareRows(database: Database.Database, sql: string): Statement {
  const { sql: safeSql, texts } = toSafeQuery(database, sql);
  const statement = database.prepare(safeSql);
  // After all(), libsql ignores the values of the next get() of the same statement.
  let list: Database.Statement | undefined;
  const decodeRow = (row: Row): Row => {
    for (const { name } of texts) row[name] = decode(row[name]);
    return row;
  };
  return {
    run: (values = []) => statement.run(values),
    get(values = []) {
      const row = statement.get(values) as Row | undefined;
      return row && decodeRow(row);
    },
    all(values = []) {
      list ??= database.prepare(safeSql);
      return (list.all(values) as Row[]).map(decodeRow);
    },
  };
}

export function prepareLists(database: Database.Database, sql: string): ListStatement {
  const { sql: safeSql, texts } = toSafeQuery(database, sql);
  const statement = database.prepare(safeSql).raw();
  return {
    get(values) {
      const row = statement.get(values) as unknown[] | undefined;
      if (row) for (const { index } of texts) row[index] = decode(row[index]);
      return row;
    },
  };
}

/** libsql returns bytes as a Buffer from get() and as an ArrayBuffer from all(). */
function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value as ArrayBuffer);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw Object.assign(new Error('a text of the database is damaged'), { code: 'SQLITE_CORRUPT' });
}
