// One timer for many due times. The due times are in a table; the clock only needs the earliest, so ten thousand waiting
// messages or executions cost it no more than one.
import type { Clock, Timer } from '../clock/clock.ts';
import type { Log } from '../log.ts';

export interface Alarm {
  /** Rings at `timeMs` or earlier; an earlier time that is already set stays. */
  by(timeMs: number): void;
  cancel(): void;
}

/** `ring` handles everything that is due and sets the alarm for the next due time. */
export function createAlarm(clock: Clock, log: Log, ring: () => unknown): Alarm {
  let timer: Timer | undefined;
  let setForMs = Number.POSITIVE_INFINITY;

  const clear = () => {
    timer = undefined;
    setForMs = Number.POSITIVE_INFINITY;
  };

  const handleTimer = async () => {
    clear();
    try {
      await ring();
    } catch (error) {
      log.error('a timer callback failed', { error: String(error) });
    }
  };

  return {
    cancel() {
      timer?.cancel();
      clear();
    },
    by(timeMs) {
      if (timeMs >= setForMs) return;
      timer?.cancel();
      setForMs = timeMs;
      timer = clock.at(timeMs, handleTimer);
    },
  };
}
