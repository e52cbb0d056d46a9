// Many due times live in a table; the clock only needs to know the earliest. An alarm is that one timer, so that ten
// thousand waiting messages or executions cost the clock no more than one does.
import type { Clock, Timer } from '../clock/clock.ts';
import type { Log } from '../log.ts';

export interface Alarm {
  /** Rings no later than `timeMs`; an earlier time that is already set stays. */
  by(timeMs: number): void;
  cancel(): void;
}

/** `ring` looks up what is due and sets the next time itself. */
export function createAlarm(clock: Clock, log: Log, ring: () => unknown): Alarm {
  let timer: Timer | undefined;
  let setForMs = Number.POSITIVE_INFINITY;

  const cancel = () => {
    timer?.cancel();
    timer = undefined;
    setForMs = Number.POSITIVE_INFINITY;
  };

  const rung = async () => {
    timer = undefined;
    setForMs = Number.POSITIVE_INFINITY;
    try {
      await ring();
    } catch (error) {
      log.error('what a timer started did not complete', { error: String(error) });
    }
  };

  return {
    cancel,
    by(timeMs) {
      if (timeMs >= setForMs) return;
      timer?.cancel();
      setForMs = timeMs;
      timer = clock.at(timeMs, rung);
    },
  };
}
