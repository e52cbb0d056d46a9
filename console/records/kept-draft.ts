import { useEffect, useState } from 'react';
import { currentPath } from '../base/router.ts';
import type { Draft } from './record-draft.ts';

// A half-written form survives a reload of its page, and a sign-in in between. Leaving the page discards it.

/** The fields that the user changed before the page was reloaded. */
export function useKeptFields(): Draft {
  const [kept] = useState(() => {
    const text = sessionStorage.getItem(toKey());
    return text === null ? {} : (JSON.parse(text) as Draft);
  });
  return kept;
}

/** Keeps the fields that differ from those of the empty form or the stored record. */
export function useKeepFields(draft: Draft, first: Draft): void {
  const [key] = useState(toKey);
  useEffect(() => {
    const changed = Object.entries(draft).filter(([name, value]) => value !== first[name]);
    if (changed.length > 0) sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(changed)));
  }, [draft, first, key]);
  // A reload does not unmount.
  useEffect(() => () => sessionStorage.removeItem(key), [key]);
}

function toKey(): string {
  return `draft ${currentPath()}`;
}
