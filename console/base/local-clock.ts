import { createStore } from './store.ts';

// A service on one machine has a clock that can be moved, at an address that a deployment does not have. The address
// accepts only requests from the machine itself.

const clockPath = '/_local/clock';
/** A day takes about ten seconds: everything that is due on the way runs. */
const timeoutMs = 120_000;

export interface LocalClock {
  now: string;
  offset_ms: number;
  held: boolean;
  /** When the clock agrees with the real time again, after a reset. */
  returns_at?: string;
}

/** Undefined on a deployment, and until it is read. */
export const localClock = createStore<LocalClock | undefined>(undefined);

export async function callLocalClock(request: RequestInit): Promise<void> {
  localClock.set((await callLocal(clockPath, request)) as LocalClock);
}

/** A deployment returns a page or an error here. */
export async function callLocal(path: string, request: RequestInit): Promise<unknown> {
  const response = await fetch(path, {
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...request,
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = isJson ? await response.json() : {};
  if (!response.ok || !isJson)
    throw new Error(body.message ?? `${path} is not available (HTTP status ${response.status}).`);
  return body;
}

/** Only a page of the machine itself can read the clock, so a deployment is never asked. */
export function isOnLoopback(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname);
}
