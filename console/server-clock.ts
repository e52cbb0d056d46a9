// The time as the service has it. What counts down must count from there: the clock of a reader's machine may be wrong,
// and that of a service on one machine may have been moved. Every answer tells when the caller's rate window ends, which
// is at most a minute after now; a difference beyond that is one of the clocks.

const toleranceMs = 120_000;

let differenceMs = 0;

export function serverNow(): number {
  return Date.now() + differenceMs;
}

export function noteServerTime(rateWindowEndsAt: Date): void {
  const ahead = rateWindowEndsAt.getTime() - Date.now();
  differenceMs = Math.abs(ahead) > toleranceMs ? ahead : 0;
}
