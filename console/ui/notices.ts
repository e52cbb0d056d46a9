import type { ReactNode } from 'react';
import { createStore } from '../base/store.ts';

// Notices at the bottom of the window. They outlive the page that caused them, for example after a deletion.

export interface Notice {
  type: 'success' | 'error' | 'warning' | 'info' | 'in-progress';
  header?: string;
  content: ReactNode;
  /** Such as "Undo". The notice goes when it is chosen. */
  action?: { text: string; run(): void };
}

export interface ShownNotice extends Notice {
  id: string;
}

export const notices = createStore<readonly ShownNotice[]>([]);

const maxNotices = 5;

/** Success notices disappear by themselves. */
const successMs = 12_000;

let made = 0;

/** Shows a notice on top of the others and returns its id. */
export function notify(notice: Notice): string {
  made += 1;
  const id = `notice ${made}`;
  notices.set([{ ...notice, id }, ...notices.get()].slice(0, maxNotices));
  if (notice.type === 'success') setTimeout(() => dismissNotice(id), successMs);
  return id;
}

/** Does nothing when the user has dismissed the notice. */
export function changeNotice(id: string, notice: Notice): void {
  notices.set(notices.get().map((one) => (one.id === id ? { ...notice, id } : one)));
}

export function dismissNotice(id: string): void {
  notices.set(notices.get().filter((one) => one.id !== id));
}
