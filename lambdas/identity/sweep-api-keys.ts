import type { Clock } from '../platform/clock.ts';
import { errorFields, type Log } from '../platform/log.ts';
import type { ApiKey } from './api-key.ts';
import { finishRevocation, type RevocationTools } from './delete-api-key.ts';

// Finishes what stopped half-way: keys that were never given to anybody, and revocations that did not come to an end.

export interface SweepTools extends RevocationTools {
  clock: Clock;
  log: Log;
}

/** Longer than any function that makes a key may run. */
const patienceMs = 5 * 60_000;

export async function sweepApiKeys(tools: SweepTools): Promise<void> {
  const { keys, clock, log } = tools;
  const left = (await keys.all()).map(({ key }) => key).filter((key) => isLeft(key, clock.now()));
  let failures = 0;
  for (const key of left) {
    await finishRevocation(tools, key, clock).catch((error: unknown) => {
      failures++;
      log('error', 'an API key could not be taken back', { key: key.id, ...errorFields(error) });
    });
  }
  if (left.length > 0) log('warn', 'API keys taken back', { found: left.length, failures });
  if (failures > 0) throw new Error(`${failures} API keys could not be taken back`);
}

function isLeft({ state, created_at }: ApiKey, nowMs: number): boolean {
  return state === 'revoking' || (state === 'making' && Date.parse(created_at) + patienceMs < nowMs);
}
