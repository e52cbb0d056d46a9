import { useCallback, useEffect, useRef, useState } from 'react';

export interface Loaded<T> {
  data: T | undefined;
  /** Why the latest attempt failed; earlier data stays. */
  problem: unknown;
  loading: boolean;
  reload(): void;
}

export interface Polling {
  intervalMs: number;
  /** Failures double the interval up to this. */
  maxIntervalMs: number;
  /** After so many answers without anybody asking, the page stops asking by itself. */
  maxPolls: number;
}

export interface Polled<T> extends Loaded<T> {
  /** Stopped until somebody asks again. */
  paused: boolean;
}

/** Loads once, and again when told or when `load` becomes another function. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const { paused: _, ...loaded } = usePolling(load);
  return loaded;
}

/** Loads again and again while the page is visible. */
export function usePolling<T>(load: (signal: AbortSignal) => Promise<T>, polling?: Polling): Polled<T> {
  const [state, setState] = useState({
    data: undefined as T | undefined,
    problem: undefined as unknown,
    loading: true,
  });
  const [round, setRound] = useState(0);
  const [paused, setPaused] = useState(false);
  const latest = useRef(polling);
  latest.current = polling;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is what starts the effect again.
  useEffect(() => {
    setPaused(false);
    return keepLoading(load, latest, setState, () => setPaused(true));
  }, [load, round]);

  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, paused, reload };
}

type Update<T> = (next: (before: Omit<Loaded<T>, 'reload'>) => Omit<Loaded<T>, 'reload'>) => void;

/** Returns how to stop it. */
function keepLoading<T>(
  load: (signal: AbortSignal) => Promise<T>,
  polling: { readonly current: Polling | undefined },
  update: Update<T>,
  onPause: () => void,
): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polls = 0;
  let failures = 0;
  let underWay = false;

  const next = async () => {
    if (underWay) return;
    underWay = true;
    clearTimeout(timer);
    update((before) => ({ ...before, loading: true }));
    const outcome = await attempted(load, stop.signal);
    underWay = false;
    if (stop.signal.aborted) return;
    failures = 'problem' in outcome ? failures + 1 : 0;
    polls += 1;
    update((before) => ({ data: before.data, problem: undefined, ...outcome, loading: false }));
    schedule();
  };
  const schedule = () => {
    if (!polling.current || document.hidden) return;
    const { intervalMs, maxIntervalMs, maxPolls } = polling.current;
    if (polls >= maxPolls) return onPause();
    timer = setTimeout(next, Math.min(intervalMs * 2 ** failures, maxIntervalMs));
  };
  const onVisibility = () => {
    clearTimeout(timer);
    if (polling.current && !document.hidden && polls < polling.current.maxPolls) next();
  };

  document.addEventListener('visibilitychange', onVisibility);
  next();
  return () => {
    stop.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

async function attempted<T>(load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) {
  try {
    return { data: await load(signal) };
  } catch (problem) {
    return { problem };
  }
}
