// The time of the service, for countdowns: the user's clock may be wrong, and that of a local service may have been moved.
// Every response says when the caller's rate limit window ends, at most a minute from now; a larger difference is the
// difference between the clocks.

const toleranceMs = 120_000;

let differenceMs = 0;

export function serverNow(): number {
  return Date.now() + differenceMs;
}

export function syncServerClock(rateWindowEndsAt: Date): void {
  const ahead = rateWindowEndsAt.getTime() - Date.now();
  differenceMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
}
