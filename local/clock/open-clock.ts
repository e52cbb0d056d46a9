// The clock of a data folder. Its offset and its last known time are stored, so that a restart never moves time back.
import { formatError, type Log } from '../log.ts';
import { alwaysExpendable, type Storage } from '../storage/storage.ts';
import { Clock, type ClockOptions } from './clock.ts';
import { systemNow } from './shifted-date.ts';

const saveEveryMs = 60_000;

export function openClock(
  storage: Storage,
  log: Log,
  options: Pick<ClockOptions, 'systemNow' | 'monotonicNow'> = {},
): Clock {
  storage.exec(`
    CREATE TABLE IF NOT EXISTS clock (id INTEGER PRIMARY KEY CHECK (id = 1), offset_ms REAL NOT NULL);
    CREATE TABLE IF NOT EXISTS clock_last (id INTEGER PRIMARY KEY CHECK (id = 1), time_ms REAL NOT NULL, max_ms REAL NOT NULL);
  `);
  const saveOffset = storage.prepare('INSERT OR REPLACE INTO clock VALUES (1, ?)');
  const saveTime = storage.prepare('INSERT OR REPLACE INTO clock_last VALUES (1, ?, ?)');
  const offsetMs = Number(storage.prepare('SELECT offset_ms FROM clock').get()?.offset_ms ?? 0);
  const last = storage.prepare('SELECT time_ms, max_ms FROM clock_last').get();
  const behindMs = Number(last?.time_ms ?? 0) - (options.systemNow ?? systemNow)() - offsetMs;
  const clock = new Clock({
    ...options,
    offsetMs,
    ...(behindMs > 0 && { minTimeMs: Number(last?.max_ms) }),
    onMove: (offset) =>
      storage
        .write(() => saveOffset.run([offset]))
        .catch((error: unknown) => {
          // Report the error to the caller, and retry until the disk works again.
          storage.writeWithRetry(() => saveOffset.run([clock.offsetMs])).catch(() => {});
          throw error;
        }),
    onError: (error) => log.error('Timer callback failed', { error: formatError(error) }),
    onJump: (jumpMs) => log.warn(describeJump(jumpMs, clock)),
    onStop: () => {
      clearInterval(saving);
      if (!clock.isHeld) storage.writeUnflushed(() => saveTime.run([clock.now(), clock.now()]));
    },
  });
  if (behindMs >= 1_000) log.warn(describeJump(-behindMs, clock));
  const save = () => {
    if (clock.isHeld) return;
    // Time can reach the second value before the next save, or before a crash. A later save replaces one that fails.
    storage.write(() => saveTime.run([clock.now(), clock.now() + saveEveryMs]), alwaysExpendable).catch(() => {});
  };
  save();
  const saving = setInterval(save, saveEveryMs).unref();
  return clock;
}

function describeJump(jumpMs: number, clock: Clock): string {
  const seconds = Math.round(Math.abs(jumpMs) / 1000);
  const now = new Date(clock.now()).toISOString();
  return jumpMs > 0
    ? `The system clock went forward by ${seconds} s. The service follows it: it is ${now}.`
    : `The system clock went back by ${seconds} s. The service does not: its time continues at ${now}, so waits and schedules run on time.`;
}
