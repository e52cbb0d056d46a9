import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react';
import { serverNow } from '../base/server-clock.ts';

/** Below this, pages are laid out for phones. */
const narrow = '(max-width: 688px)';

export function useNarrowScreen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(narrow).matches,
    () => matchMedia(narrow).matches,
  );
}

export type Shortcuts = Readonly<Record<string, () => void>>;

/** Keyboard shortcuts of the page, ignored while the user types or holds a modifier key. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, dialog, [popover], [role=listbox]';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest(typing) !== null;
}

/** The value once it has not changed for a while, to load data that depends on what the user types. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

/** The time of the service, updated while the page is visible. */
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
