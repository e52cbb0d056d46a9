// The schedules of a template, and the table with the next occurrence of each.

import { requireValue } from '../require-value.ts';
import type { Storage } from '../storage/storage.ts';
import type { Resource } from '../template/resource-type.ts';
import { assertSupported } from '../template/template.ts';

export interface Schedule {
  arn: string;
  name: string;
  expression: string;
  functionArn: string;
  roleArn: string;
  maxRetries: number;
  maxAgeSeconds: number;
}

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Parses rate expressions such as rate(5 minutes); throws for any other expression. */
export function parseRateMs(expression: string): number {
  const [, count, unit, plural] = /^rate\(\s*(\d+)\s+(minute|hour|day)(s?)\s*\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined) throw new Error(`the schedule ${expression} is not supported`);
  if (Number(count) < 1 || (plural === 's') !== Number(count) > 1) {
    throw new Error(`the schedule ${expression} is not valid`);
  }
  return Number(count) * requireValue(unitMs[unit]);
}

/** Throws an error that lists all unsupported features. */
export function readSchedules(resources: readonly Resource[]): Schedule[] {
  const problems: string[] = [];
  const declared = resources.filter(({ type }) => type === 'AWS::Scheduler::Schedule');
  const schedules = declared.map(({ logicalId, properties, physicalId, attributes }): Schedule => {
    const report = (problem: string) => problems.push(`${logicalId}: ${problem}`);
    const { ScheduleExpression: expression, FlexibleTimeWindow, Target = {} } = properties;
    if ((FlexibleTimeWindow?.Mode ?? 'OFF') !== 'OFF') report('flexible time windows are not supported');
    if (!String(Target.Arn).startsWith('arn:aws:lambda:')) report(`the target ${Target.Arn} is not supported`);
    try {
      parseRateMs(String(expression));
    } catch (error) {
      report((error as Error).message);
    }
    return {
      arn: requireValue(attributes.Arn),
      name: physicalId,
      expression: String(expression),
      functionArn: String(Target.Arn),
      roleArn: String(Target.RoleArn),
      maxRetries: Number(Target.RetryPolicy?.MaximumRetryAttempts ?? 185),
      maxAgeSeconds: Number(Target.RetryPolicy?.MaximumEventAgeInSeconds ?? 86_400),
    };
  });
  assertSupported('Scheduler', problems);
  return schedules;
}

/** Methods that change rows must run inside storage.write(). */
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

  findExpression(arn: string): string | undefined {
    const row = this.storage.prepare('SELECT expression FROM scheduler_schedules WHERE arn = ?').get([arn]);
    return row && String(row.expression);
  }

  put(arn: string, expression: string, nextMs: number): void {
    this.storage
      .prepare('INSERT OR REPLACE INTO scheduler_schedules (arn, expression, next_ms) VALUES (?, ?, ?)')
      .run([arn, expression, nextMs]);
  }

  deleteExcept(arns: readonly string[]): void {
    for (const { arn } of this.storage.prepare('SELECT arn FROM scheduler_schedules').all()) {
      if (arns.includes(String(arn))) continue;
      this.storage.prepare('DELETE FROM scheduler_schedules WHERE arn = ?').run([arn]);
    }
  }

  /** Earliest first. */
  listDue(nowMs: number): { arn: string; nextMs: number }[] {
    return this.storage
      .prepare('SELECT * FROM scheduler_schedules WHERE next_ms <= ? ORDER BY next_ms, arn')
      .all([nowMs])
      .map((row) => ({ arn: String(row.arn), nextMs: Number(row.next_ms) }));
  }

  findNextMs(): number | undefined {
    const nextMs = this.storage.prepare('SELECT MIN(next_ms) AS ms FROM scheduler_schedules').get()?.ms;
    return typeof nextMs === 'number' ? nextMs : undefined;
  }
}
