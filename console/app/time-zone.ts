import { browserTimeZone, timeZone } from '../base/time-zone.ts';

// The time zone is a preference of the user, which the browser caches for the first frame.

const storageKey = 'console.timeZone';

timeZone.set(localStorage.getItem(storageKey) ?? browserTimeZone);

/** Null for the time zone of the browser. */
export function applyTimeZone(preference: string | null): void {
  if (preference === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, preference);
  timeZone.set(preference ?? browserTimeZone);
}
