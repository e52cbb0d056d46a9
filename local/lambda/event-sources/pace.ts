// How often a source is looked at. The first look after a pause is at once; under load there are some looks a second, as
// Lambda's own pollers make them, so that what arrives comes together in batches. A move of the clock does not wait.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock/clock.ts';

/** Real time between two looks; Lambda's pollers take longer. */
const lookEveryMs = 40;

export class Pace {
  private readonly clock: Clock;
  private nextMs = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async turn(): Promise<void> {
    const waitMs = this.nextMs - performance.now();
    if (waitMs > 0 && !this.clock.isMoving) await pause(waitMs);
    this.nextMs = performance.now() + lookEveryMs;
  }
}
