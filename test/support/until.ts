import { setTimeout as pause } from 'node:timers/promises';

/** A bound against hanging, below the bound of a test. Work in the background takes long on a busy machine. */
const boundMs = 120_000;

/** Reads until the value fits. The bound is in real time, so it does not depend on how often a test can read. */
export async function until<T>(
  read: (look: number) => T | Promise<T>,
  fits: (value: T) => boolean,
  between: () => Promise<unknown> = () => pause(50),
): Promise<T> {
  const untilMs = performance.now() + boundMs;
  for (let look = 0; ; look++) {
    const value = await read(look);
    if (fits(value)) return value;
    if (performance.now() > untilMs) throw new Error(`still ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await between();
  }
}
