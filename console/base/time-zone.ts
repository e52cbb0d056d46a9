import { createStore } from './store.ts';

export const browserTimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of all times in the console. */
export const timeZone = createStore(browserTimeZone);
