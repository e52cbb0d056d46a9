import type { ReactNode } from 'react';
import { createStore } from './store.ts';

// What the console tells beside the page: it outlives the page that caused it, such as a deletion that leads elsewhere.

export interface Notice {
  type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  header?: string;
  content: ReactNode;
}

export interface ShownNotice extends Notice {
  id: string;
}

export const notices = createStore<readonly ShownNotice[]>([]);

const maxNotices = 5;

/** What went well needs no answer, so it goes by itself. */
const successMs = 12_000;

let made = 0;

/** Shows a notice, the newest on top; the id is for changing or removing it. */
export function notify(notice: Notice): string {
  made += 1;
  const id = `notice ${made}`;
  notices.set([{ ...notice, id }, ...notices.get()].slice(0, maxNotices));
  if (notice.type === 'success') setTimeout(() => dismissNotice(id), successMs);
  return id;
}

/** A notice that the reader has dismissed stays away. */
export function changeNotice(id: string, notice: Notice): void {
  notices.set(notices.get().map((one) => (one.id === id ? { ...notice, id } : one)));
}

export function dismissNotice(id: string): void {
  notices.set(notices.get().filter((one) => one.id !== id));
}
