import { until } from './until.ts';

/** Waits for an asynchronous effect of a write, such as a notification; fails with the last value. */
export async function becomes(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  const text = JSON.stringify(wanted);
  let last: unknown;
  await until(read, (value) => {
    last = value;
    return JSON.stringify(value) === text;
  }).catch(() => expect(last).toEqual(wanted));
}
