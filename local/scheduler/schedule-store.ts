// When each rule and schedule comes next.
import type { Storage } from '../storage/storage.ts';

export class ScheduleStore {
  private readonly storage: Storage;

  constructor(storage: Storage) {
    this.storage = storage;
    storage.exec(`
      CREATE TABLE IF NOT EXISTS scheduler_schedules (
        arn TEXT PRIMARY KEY,
        expression TEXT NOT NULL,
        next_ms INTEGER
      );
      CREATE INDEX IF NOT EXISTS scheduler_schedules_next ON scheduler_schedules (next_ms);
    `);
  }

  get(arn: string): { expression: string; nextMs: number | undefined } | undefined {
    const row = this.storage.prepare('SELECT * FROM scheduler_schedules WHERE arn = ?').get([arn]);
    return (
      row && { expression: String(row.expression), nextMs: row.next_ms === null ? undefined : Number(row.next_ms) }
    );
  }

  put(arn: string, expression: string, nextMs: number | undefined): void {
    this.storage
      .prepare('INSERT OR REPLACE INTO scheduler_schedules (arn, expression, next_ms) VALUES (?, ?, ?)')
      .run([arn, expression, nextMs ?? null]);
  }

  keepOnly(arns: readonly string[]): void {
    for (const row of this.storage.prepare('SELECT arn FROM scheduler_schedules').all()) {
      if (arns.includes(String(row.arn))) continue;
      this.storage.prepare('DELETE FROM scheduler_schedules WHERE arn = ?').run([row.arn]);
    }
  }

  /** Those whose time has come, in the order of their times. */
  due(nowMs: number): { arn: string; expression: string; nextMs: number }[] {
    return this.storage
      .prepare('SELECT * FROM scheduler_schedules WHERE next_ms <= ? ORDER BY next_ms, arn')
      .all([nowMs])
      .map((row) => ({ arn: String(row.arn), expression: String(row.expression), nextMs: Number(row.next_ms) }));
  }

  nextMs(): number | undefined {
    const next = this.storage.prepare('SELECT MIN(next_ms) AS ms FROM scheduler_schedules').get()?.ms;
    return typeof next === 'number' ? next : undefined;
  }
}
