// Replaces the global Date by one that follows the runtime's clock. Used in the main thread (token lifetimes inside
// oidc-provider) and in every function's worker, so no code has to know that the clock can be moved.

const RealDate = Date;

/** The machine's own time, whatever was installed since. */
export const realNow = (): number => RealDate.now();

export function installShiftedDate(offset: Float64Array): void {
  installDate(() => offset[1] || Math.floor(RealDate.now() + offset[0]!));
}

export function installDate(now: () => number): void {
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
}
