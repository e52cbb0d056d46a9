// The baseline for lists: the same records in SQLite, in the same process, with an index for each filter and a full-text
// index.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { ManyIncidents } from './many-incidents.ts';

export interface SqliteQuery {
  where: string;
  values: readonly unknown[];
  orderBy: string;
  /** All of these words must occur. */
  match?: string;
}

export class SqliteLists {
  private readonly database: Database.Database;

  constructor(folder: string) {
    const path = join(folder, 'yardstick.db');
    rmSync(path, { force: true });
    this.database = new Database(path);
    this.database.pragma('journal_mode = OFF');
    this.database.pragma('synchronous = OFF');
    this.database.pragma('cache_size = -262144');
    this.database.exec(
      `CREATE TABLE incidents (row INTEGER PRIMARY KEY, id TEXT, created_at TEXT, updated_at TEXT, state TEXT,
        priority TEXT, assignment_group TEXT, assigned_to TEXT, category TEXT, document TEXT);
       CREATE VIRTUAL TABLE words USING fts5(text, content='')`,
    );
  }

  fill(incidents: ManyIncidents): void {
    const insert = this.database.prepare('INSERT INTO incidents VALUES (?,?,?,?,?,?,?,?,?,?)');
    const index = this.database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
    let row = 0;
    this.database.exec('BEGIN');
    for (const { id, created_at, updated_at, document } of incidents) {
      const { state, priority, assignment_group, assigned_to, category, short_description, description } = document;
      const filters = [state, priority, assignment_group, assigned_to, category];
      insert.run([++row, id, created_at, updated_at, ...filters, JSON.stringify(document)]);
      index.run([row, `${short_description} ${category} ${description}`]);
    }
    this.database.exec(
      `COMMIT;
       CREATE INDEX by_creation ON incidents (created_at, id);
       CREATE INDEX by_change ON incidents (updated_at, id);
       CREATE INDEX by_priority ON incidents (priority, id);
       CREATE INDEX by_state ON incidents (state, priority, created_at, id);
       CREATE INDEX by_group ON incidents (assignment_group, state, created_at, id);
       CREATE INDEX by_category ON incidents (category, priority, created_at, id);
       ANALYZE`,
    );
  }

  /** A page with its total: two statements. */
  list({ where, values, orderBy, match }: SqliteQuery, limit: number): { total: number; rows: number } {
    const matching = match === undefined ? '' : ' AND row IN (SELECT rowid FROM words WHERE words MATCH ?)';
    const all = match === undefined ? values : [...values, match];
    const page = this.database.prepare(
      `SELECT document FROM incidents WHERE ${where}${matching} ORDER BY ${orderBy} LIMIT ${limit}`,
    );
    const count = this.database.prepare(`SELECT count(*) AS total FROM incidents WHERE ${where}${matching}`);
    const { total } = count.get([...all]) as { total: number };
    return { total, rows: page.all([...all]).length };
  }

  close(): void {
    this.database.close();
  }
}
