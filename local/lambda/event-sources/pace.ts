// How often a source is looked at. The first look after a pause is at once; under load there are some looks a second, as
// Lambda's own pollers make them, so that what arrives comes together in batches. A move of the clock does not wait.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock/clock.ts';

export class Pace {
  private readonly clock: Clock;
  private readonly lookEveryMs: number;
  private nextMs = 0;

  /** `lookEveryMs`: real time between two looks. */
  constructor(clock: Clock, lookEveryMs: number) {
    this.clock = clock;
    this.lookEveryMs = lookEveryMs;
  }

  async turn(): Promise<void> {
    const waitMs = this.nextMs - performance.now();
    if (waitMs > 0 && !this.clock.isMoving) await pause(waitMs);
    this.nextMs = performance.now() + this.lookEveryMs;
  }
}
