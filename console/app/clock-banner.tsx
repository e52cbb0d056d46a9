import { useEffect } from 'react';
import { callLocalClock, isOnLoopback, localClock } from '../base/local-clock.ts';
import { useStore } from '../base/store.ts';
import { PlainLink } from '../ui/plain-link.tsx';
import { formatDuration } from '../ui/time.ts';

const minShiftMs = 60_000;
const refreshEveryMs = 30_000;

/** While the clock of a service on one machine is shifted: times on every page differ from those of other programs. */
export function ClockBanner() {
  const clock = useStore(localClock);
  useEffect(() => {
    if (isOnLoopback()) void callLocalClock({}).catch(() => {});
  }, []);
  const isReturning = clock?.returns_at !== undefined;
  useEffect(() => {
    if (!isReturning) return;
    const timer = setInterval(() => void callLocalClock({}).catch(() => {}), refreshEveryMs);
    return () => clearInterval(timer);
  }, [isReturning]);
  if (!clock || (clock.offset_ms < minShiftMs && !clock.held)) return null;
  const shift = clock.offset_ms < minShiftMs ? 'stopped' : `${formatDuration(clock.offset_ms)} ahead`;
  return (
    <div className="clock-banner" role="status">
      The clock of this service is {shift}
      {isReturning && ' and runs at half speed until it shows the real time'}. Receivers on other machines may reject
      its timestamps. <PlainLink to="/developer">Clock</PlainLink>
    </div>
  );
}
