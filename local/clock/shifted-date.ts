// Replaces the global Date by one that follows the runtime's clock. Used in the main thread (token lifetimes inside
// oidc-provider) and in every function's worker, so no code has to know that the clock can be moved.

export function installShiftedDate(offset: Float64Array): void {
  const RealDate = (globalThis as { realDate?: DateConstructor }).realDate ?? Date;
  (globalThis as { realDate?: DateConstructor }).realDate = RealDate;
  const now = () => Math.floor(RealDate.now() + offset[0]!);

  const ShiftedDate = new Proxy(RealDate, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  });
  globalThis.Date = ShiftedDate;
}
