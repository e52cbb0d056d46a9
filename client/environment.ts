/** The dependencies of the client on its platform. Programs can replace them to control time and transport. */
export interface Environment {
  fetch: typeof fetch;
  now(): number;
  random(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export function createEnvironment(given: Partial<Environment> = {}): Environment {
  return {
    // Browsers require that fetch is called on the global object.
    fetch: (...args) => globalThis.fetch(...args),
    now: () => Date.now(),
    random: () => Math.random(),
    pause,
    ...given,
  };
}

/** The signal of the client and the one of a call. */
export function combineSignals(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** Stops waiting for the promise when the signal fires. The work behind it continues for other callers. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await raceAbort(elapsed, signal).finally(() => clearTimeout(timer));
}
