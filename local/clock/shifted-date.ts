// Replaces the global Date with one that follows the runtime's clock, in the main thread (token lifetimes inside
// oidc-provider) and in every worker, so no code needs to know that the clock can move.

const RealDate = Date;

/** The time of the system clock, independent of the installed Date. */
export const systemNow = (): number => RealDate.now();

/** performance.now() starts at zero in every thread, so add the thread's start on the clock that all threads share. */
const threadStartMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** Milliseconds that never go back, equal in all threads. */
export const monotonicNow = (): number => threadStartMs + performance.now();

/**
 * The time by the buffer of a Clock: [milliseconds added to monotonic time, the time it is held at (0: running), when it
 * began to run at half speed, for how many milliseconds].
 */
export function readTime(shared: Float64Array, monotonicMs: number): number {
  // Without destructuring, which would create an iterator for every Date.now().
  const heldAtMs = shared[1] ?? 0;
  if (heldAtMs !== 0) return heldAtMs;
  const lostMs = Math.min(monotonicMs - (shared[2] ?? 0), shared[3] ?? 0) / 2;
  return Math.floor(monotonicMs + (shared[0] ?? 0) - lostMs);
}

export function installShiftedDate(shared: Float64Array): void {
  installDate(() => readTime(shared, monotonicNow()));
}

/** Date has several constructor signatures; TypeScript needs one of them to forward the values. */
type DateValues = [number];

/**
 * A function with the real prototype, so instanceof works for both. A proxy would be shorter but about ten times slower.
 */
export function installDate(now: () => number): void {
  function Shifted(this: unknown, ...values: DateValues): Date | string {
    if (!new.target) return new RealDate(now()).toString();
    if (new.target !== (Shifted as unknown)) return Reflect.construct(RealDate, withDefault(values), new.target);
    return values.length === 1 ? new RealDate(values[0]) : new RealDate(...withDefault(values));
  }
  const withDefault = (values: DateValues): DateValues => ((values as unknown[]).length === 0 ? [now()] : values);
  Object.setPrototypeOf(Shifted, RealDate);
  Object.defineProperties(Shifted, {
    prototype: { value: RealDate.prototype },
    now: { value: now, writable: true, configurable: true },
    name: { value: RealDate.name },
    length: { value: RealDate.length },
  });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: Shifted, writable: true, configurable: true });
  Object.assign(globalThis, { Date: Shifted });
}
