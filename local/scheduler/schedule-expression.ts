// rate(5 minutes), cron(0 12 * * ? *) and, for EventBridge Scheduler, at(2026-01-01T12:00:00).
import { readCron } from './cron.ts';

export interface ScheduleExpression {
  /** The first occurrence of a schedule that begins at `timeMs`. */
  first(timeMs: number): number | undefined;
  /** The occurrence that follows the one at `timeMs`. */
  next(timeMs: number): number | undefined;
  /** The latest occurrence up to `nowMs`, given one at `timeMs` that is not later. */
  latest(timeMs: number, nowMs: number): number;
}

const unitMs: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Throws when it cannot be honoured. */
export function readScheduleExpression(text: string): ScheduleExpression {
  const rate = /^rate\(\s*(\d+)\s+(minute|hour|day)(s?)\s*\)$/.exec(text);
  if (rate) return every(Number(rate[1]), rate[2]!, rate[3] === 's', text);
  const cron = /^cron\((.+)\)$/.exec(text)?.[1];
  if (cron !== undefined) return byCron(cron);
  const at = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(text)?.[1];
  if (at !== undefined) return once(Date.parse(`${at}Z`), text);
  throw new Error(`the schedule ${text} is not supported`);
}

function every(count: number, unit: string, plural: boolean, text: string): ScheduleExpression {
  if (count < 1 || plural !== count > 1) throw new Error(`the schedule ${text} is not valid`);
  const periodMs = count * unitMs[unit]!;
  return {
    first: (timeMs) => timeMs + periodMs,
    next: (timeMs) => timeMs + periodMs,
    latest: (timeMs, nowMs) => timeMs + Math.floor((nowMs - timeMs) / periodMs) * periodMs,
  };
}

function byCron(text: string): ScheduleExpression {
  const cron = readCron(text);
  return {
    first: (timeMs) => cron.after(timeMs),
    next: (timeMs) => cron.after(timeMs),
    latest(timeMs, nowMs) {
      let latest = timeMs;
      // A day of looking back finds the last of many; anything rarer takes few steps from the first.
      const near = cron.after(nowMs - 86_400_000);
      if (near !== undefined && near <= nowMs && near > latest) latest = near;
      for (let next = cron.after(latest); next !== undefined && next <= nowMs; next = cron.after(latest)) latest = next;
      return latest;
    },
  };
}

function once(timeMs: number, text: string): ScheduleExpression {
  if (Number.isNaN(timeMs)) throw new Error(`the schedule ${text} is not valid`);
  return { first: (nowMs) => (timeMs > nowMs ? timeMs : undefined), next: () => undefined, latest: () => timeMs };
}
