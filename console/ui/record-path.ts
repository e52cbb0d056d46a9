// Finds the page of a record by its id alone: texts and responses name records of every kind.

const places: readonly [form: RegExp, list: string][] = [
  [/^INC[0-9A-HJKMNP-TV-Z]{7}$/, '/incidents'],
  [/^CHG[0-9A-HJKMNP-TV-Z]{7}$/, '/changes'],
  [/^REQ[0-9A-HJKMNP-TV-Z]{7}$/, '/requests'],
  [/^KB[0-9A-HJKMNP-TV-Z]{7}$/, '/knowledge'],
  [/^CI\d{7}$/, '/cis'],
];

/** Undefined when the text is not a record id. */
export function toRecordPath(id: string): string | undefined {
  const place = places.find(([form]) => form.test(id));
  return place && `${place[1]}/${id}`;
}

export const jobPath = (id: string) => `/jobs/${encodeURIComponent(id)}`;
