// Replaces the global Date by one that follows the runtime's clock. Used in the main thread (token lifetimes inside
// oidc-provider) and in every function's worker, so no code has to know that the clock can be moved.

const RealDate = Date;

/** The machine's own time, whatever was installed since. */
export const realNow = (): number => RealDate.now();

export function installShiftedDate(offset: Float64Array): void {
  installDate(() => offset[1] || Math.floor(RealDate.now() + offset[0]!));
}

/** As many as there are; one stands for all forms. */
type DateValues = [number];

/**
 * A function with the prototype of the real one, so that the dates of either are dates to both. A proxy would be shorter,
 * and some ten times slower.
 */
export function installDate(now: () => number): void {
  function Shifted(this: unknown, ...values: DateValues): Date | string {
    if (!new.target) return new RealDate(now()).toString();
    if (new.target !== (Shifted as unknown)) return Reflect.construct(RealDate, orNow(values), new.target);
    return values.length === 1 ? new RealDate(values[0]) : new RealDate(...orNow(values));
  }
  const orNow = (values: DateValues): DateValues => ((values as unknown[]).length === 0 ? [now()] : values);
  Object.setPrototypeOf(Shifted, RealDate);
  Object.defineProperties(Shifted, {
    prototype: { value: RealDate.prototype },
    now: { value: now, writable: true, configurable: true },
    name: { value: RealDate.name },
    length: { value: RealDate.length },
  });
  Object.defineProperty(RealDate.prototype, 'constructor', { value: Shifted, writable: true, configurable: true });
  globalThis.Date = Shifted as unknown as DateConstructor;
}
