import type { CiStatus } from '../../../contract/ci-parts.ts';
import { ciStatuses } from './ci-words.ts';

// What the list shows, as the address tells it.

export interface CiView {
  q: string;
  status: CiStatus | '';
  class: string;
  environment: string;
  page: number;
}

const everything: CiView = { q: '', status: '', class: '', environment: '', page: 1 };

export const pageSize = 25;

export function viewOf(query: string): CiView {
  const given = new URLSearchParams(query);
  return {
    q: given.get('q') ?? '',
    status: ciStatuses.find((status) => status === given.get('status')) ?? '',
    class: given.get('class') ?? '',
    environment: given.get('environment') ?? '',
    page: Math.max(1, Math.floor(Number(given.get('page')) || 1)),
  };
}

/** Only what differs from the plain list. */
export function queryOf(view: CiView): string {
  const differing = Object.entries(view).filter(([name, value]) => value !== everything[name as keyof CiView]);
  return new URLSearchParams(differing.map(([name, value]) => [name, String(value)])).toString();
}

export function requestOf({ q, status, class: kind, environment, page }: CiView) {
  return {
    limit: pageSize,
    page,
    sort: 'updated_at' as const,
    // Without a letter or a digit there is nothing to look for.
    ...(/[\p{L}\p{N}]/u.test(q) ? { q } : {}),
    ...(status ? { status } : {}),
    ...(kind ? { class: kind } : {}),
    ...(environment ? { environment } : {}),
  };
}
