import { createIdFinder, type IdKind, idPatterns } from '../../contract/ids.ts';

// Finds the page of a record by its id alone: texts and responses name records of every kind.

const lists = {
  incident: '/incidents',
  problem: '/problems',
  change: '/changes',
  request: '/requests',
  proposal: '/proposals',
  article: '/knowledge',
  ci: '/cis',
} as const satisfies Partial<Record<IdKind, string>>;

const kinds = Object.keys(lists) as (keyof typeof lists)[];

/** Finds the ids of records with a page in a text. */
export const recordIdFinder = createIdFinder(kinds);

/** Undefined when the text is not a record id. */
export function toRecordPath(id: string): string | undefined {
  const kind = kinds.find((one) => idPatterns[one].test(id));
  return kind && `${lists[kind]}/${id}`;
}

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;

export const serviceLevelsPath = '/service-levels';

export const toSlaPolicyPath = (id: string) => `${serviceLevelsPath}/policies/${id}/edit`;
