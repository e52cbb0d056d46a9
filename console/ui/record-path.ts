import { idPatterns } from '../../contract/ids.ts';

// Finds the page of a record by its id alone: texts and responses name records of every kind.

const places: readonly [pattern: RegExp, list: string][] = [
  [idPatterns.incident, '/incidents'],
  [idPatterns.change, '/changes'],
  [idPatterns.request, '/requests'],
  [idPatterns.article, '/knowledge'],
  [idPatterns.ci, '/cis'],
];

/** Undefined when the text is not a record id. */
export function toRecordPath(id: string): string | undefined {
  const place = places.find(([pattern]) => pattern.test(id));
  return place && `${place[1]}/${id}`;
}

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;
