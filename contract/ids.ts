// Formats of all ids: a prefix and random characters. Free of zod, so that the browser can import them.

/** Crockford base 32, in ASCII order: ids sort like the numbers they encode. */
export const idAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export const idFormats = {
  incident: { prefix: 'INC', length: 7 },
  change: { prefix: 'CHG', length: 7 },
  request: { prefix: 'REQ', length: 7 },
  problem: { prefix: 'PRB', length: 7 },
  /** Derived from the version of the incident that pages, so it needs more characters than a random id. */
  page: { prefix: 'PAG', length: 12 },
  proposal: { prefix: 'PRP', length: 7 },
  schedule: { prefix: 'SCH', length: 7 },
  escalationPolicy: { prefix: 'ESC', length: 7 },
  calendar: { prefix: 'CAL', length: 7 },
  slaPolicy: { prefix: 'SLA', length: 7 },
  article: { prefix: 'KB', length: 7 },
  ci: { prefix: 'CI', length: 7, digits: true },
  note: { prefix: 'note_', length: 26 },
  attachment: { prefix: 'att_', length: 26 },
  override: { prefix: 'ovr_', length: 26 },
  job: { prefix: 'job_', length: 26 },
  inboundWebhook: { prefix: 'wh_in_', length: 26 },
  inboundEvent: { prefix: 'evt_in_', length: 26 },
  outboundWebhook: { prefix: 'wh_out_', length: 26 },
  delivery: { prefix: 'dlv_', length: 26 },
  event: { prefix: 'evt_', length: 26 },
  notification: { prefix: 'ntf_', length: 26 },
  message: { prefix: 'msg_', length: 26 },
  contactMethod: { prefix: 'con_', length: 26 },
  conversation: { prefix: 'conv_', length: 26 },
  apiKey: { prefix: 'key_', length: 26 },
  audit: { prefix: 'aud_', length: 26 },
  snapshot: { prefix: 'snap_', length: 26 },
} as const satisfies Record<string, IdFormat>;

interface IdFormat {
  prefix: string;
  length: number;
  /** Digits only instead of base 32. */
  digits?: true;
}

export type IdKind = keyof typeof idFormats;

export const idPatterns = Object.fromEntries(
  Object.entries<IdFormat>(idFormats).map(([kind, format]) => [kind, new RegExp(`^${toSource(format)}$`)]),
) as Readonly<Record<IdKind, RegExp>>;

/** The kind of an id; undefined if it has the form of none. */
export function findIdKind(id: string): IdKind | undefined {
  return (Object.keys(idFormats) as IdKind[]).find((kind) => idPatterns[kind].test(id));
}

/** Finds the ids of these kinds in a text. */
export function createIdFinder(kinds: readonly IdKind[], flags = 'g'): RegExp {
  return new RegExp(`\\b(?:${kinds.map((kind) => toSource(idFormats[kind])).join('|')})\\b`, flags);
}

function toSource({ prefix, length, digits }: IdFormat): string {
  return `${prefix}${digits ? '\\d' : '[0-9A-HJKMNP-TV-Z]'}{${length}}`;
}
