import { useState } from 'react';

export interface Action {
  busy: boolean;
  problem: unknown;
  /** Resolves to true on success; otherwise `problem` says why. */
  run(work: () => Promise<void>): Promise<boolean>;
  forget(): void;
}

/** Runs the action of a button and tracks its state. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: unknown }>({ busy: false });
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    setState({ busy: true });
    try {
      await work();
      setState({ busy: false });
      return true;
    } catch (problem) {
      setState({ busy: false, problem });
      return false;
    }
  };
  return { busy: state.busy, problem: state.problem, run, forget: () => setState({ busy: false }) };
}
