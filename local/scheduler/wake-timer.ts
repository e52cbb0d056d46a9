// One timer for many due times. The due times are stored in a table and the clock gets only the earliest one, so ten
// thousand waiting messages cost it no more than one.
import type { Clock, Timer } from '../clock/clock.ts';
import type { Log } from '../log.ts';

export interface WakeTimer {
  /** Calls back at `timeMs` or earlier; has no effect if an earlier time is already set. */
  wakeBy(timeMs: number): void;
  cancel(): void;
}

/** `onWake` handles everything that is due and sets the next due time. */
export function createWakeTimer(clock: Clock, log: Log, onWake: () => unknown): WakeTimer {
  let timer: Timer | undefined;
  let setForMs = Number.POSITIVE_INFINITY;

  const clear = () => {
    timer = undefined;
    setForMs = Number.POSITIVE_INFINITY;
  };

  const handleTimer = async () => {
    clear();
    try {
      await onWake();
    } catch (error) {
      log.error('Timer callback failed', { error: String(error) });
    }
  };

  return {
    cancel() {
      timer?.cancel();
      clear();
    },
    wakeBy(timeMs) {
      if (timeMs >= setForMs) return;
      timer?.cancel();
      setForMs = timeMs;
      timer = clock.at(timeMs, handleTimer);
    },
  };
}
