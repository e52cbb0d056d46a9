import { setImmediate as turn } from 'node:timers/promises';

/**
 * Runs of the same work that callers share. A caller gets a run that starts after its call, so it sees everything that
 * happened before; callers that come while one is running all get the next. Afterwards they go on one after the other, so
 * that the first is answered while the last still waits for its turn.
 */
export function sharedRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  const start = (): Promise<Result> => {
    next = undefined;
    const run = work().finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  };
  return async () => {
    if (running) next ??= running.then(start, start);
    const result = await (next ?? start());
    await turn();
    return result;
  };
}
