// Wrong passwords cost time: after five in a row an account waits a second, and twice as long after each further one,
// up to a quarter of an hour, as in Cognito.
import type { Clock } from '../clock/clock.ts';

const freeAttempts = 5;
const longestWaitMs = 15 * 60_000;
const accountLimit = 10_000;

export class Attempts {
  private readonly clock: Clock;
  private readonly failures = new Map<string, { count: number; blockedUntilMs: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  isBlocked(account: string): boolean {
    return (this.failures.get(account)?.blockedUntilMs ?? 0) > this.clock.now();
  }

  failed(account: string): void {
    if (this.failures.size >= accountLimit) this.failures.clear();
    const count = (this.failures.get(account)?.count ?? 0) + 1;
    const waitMs = count < freeAttempts ? 0 : Math.min(1000 * 2 ** (count - freeAttempts), longestWaitMs);
    this.failures.set(account, { count, blockedUntilMs: this.clock.now() + waitMs });
  }

  succeeded(account: string): void {
    this.failures.delete(account);
  }
}
