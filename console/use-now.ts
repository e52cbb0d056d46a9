import { useEffect, useReducer } from 'react';
import { serverNow } from './server-clock.ts';

/** The time of the service, again and again while the page is visible: for texts that count. */
export function useNow(intervalMs: number): number {
  const [, drawAgain] = useReducer((rounds: number) => rounds + 1, 0);
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) drawAgain();
    };
    const timer = setInterval(tick, intervalMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [intervalMs]);
  return serverNow();
}
