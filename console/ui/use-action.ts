import { useRef, useState } from 'react';

export interface Action {
  busy: boolean;
  problem: unknown;
  /** Resolves to true on success; otherwise `problem` says why. */
  run(work: () => Promise<void>): Promise<boolean>;
  /** Drops the problem, and the result of an action that still runs. */
  forget(): void;
}

/** Runs the action of a button and tracks its state. */
export function useAction(): Action {
  const [state, setState] = useState<{ busy: boolean; problem?: unknown }>({ busy: false });
  const latestRun = useRef(0);
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    latestRun.current += 1;
    const number = latestRun.current;
    const settle = (problem?: unknown) => {
      if (number === latestRun.current) setState({ busy: false, problem });
    };
    setState({ busy: true });
    try {
      await work();
      settle();
      return true;
    } catch (problem) {
      settle(problem);
      return false;
    }
  };
  const forget = () => {
    latestRun.current += 1;
    setState({ busy: false });
  };
  return { busy: state.busy, problem: state.problem, run, forget };
}
