import { openStates } from '../incident-words.ts';
import { type ListFilters, type ListView, queryOf } from './list-view.ts';

// The questions that are asked of the list again and again.

export interface QuickView {
  id: string;
  text: string;
  filters: ListFilters;
}

export function quickViews(email: string | undefined): QuickView[] {
  const open = { state: openStates, priority: [] };
  return [
    { id: 'all', text: 'All', filters: { state: [], priority: [] } },
    { id: 'open', text: 'Open', filters: open },
    { id: 'urgent', text: 'Open P1 and P2', filters: { ...open, priority: ['P1', 'P2'] } },
    ...(email ? [{ id: 'mine', text: 'Assigned to me', filters: { ...open, assigned_to: email } }] : []),
  ];
}

/** The view that the filters are exactly those of; null when they are the reader's own. */
export function quickViewOf(view: ListView, views: readonly QuickView[]): string | null {
  if (view.created) return null;
  return views.find(({ filters }) => queryOf({ ...view, filters }) === queryOf(view))?.id ?? null;
}
