import { useEffect, useRef } from 'react';

export type Shortcuts = Readonly<Record<string, () => void>>;

/** Single keys for the page; not while somebody types, and not together with keys that belong to the browser. */
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

const typing = 'input:not([type=checkbox], [type=radio]), textarea, select, [role=dialog], [role=listbox]';

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest(typing) !== null;
}
