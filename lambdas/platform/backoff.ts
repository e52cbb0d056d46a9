import { setTimeout as pause } from 'node:timers/promises';
import { randomBelow } from './ids.ts';

/** Waits before another attempt. Rivals that wait a random time each do not meet again at the end of it. */
export type Backoff = (attempt: number) => Promise<void>;

export const backoff: Backoff = async (attempt) => {
  await pause(randomBelow(Math.min(maxDelayMs, firstMs * 2 ** attempt)) + 1);
};

const firstMs = 4;
const maxDelayMs = 250;
