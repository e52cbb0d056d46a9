import { setTimeout as pause } from 'node:timers/promises';

const boundMs = 30_000;

/** Waits for an asynchronous effect of a write, such as a notification; fails with the last value. */
export async function becomes(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const untilMs = Date.now() + boundMs;
  let value = await read();
  while (JSON.stringify(value) !== JSON.stringify(wanted) && Date.now() < untilMs) {
    await pause(50);
    value = await read();
  }
  expect(value).toEqual(wanted);
}
