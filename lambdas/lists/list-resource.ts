import type { StoredRecord } from '../records/record.ts';
import type { ListQuery } from './list-query.ts';
import { type ListSource, listRecords, type PageRequest } from './list-records.ts';
import type { ListingSpec } from './listing.ts';

/** What a request for a list says, whatever the kind of record: filters by the names of columns, and the rest. */
export type ListParameters = PageRequest & Pick<ListQuery, 'order' | 'sort'> & Readonly<Record<string, unknown>>;

/** A parameter that bounds a time from below or from above. */
export type TimeBound = { after: string } | { before: string };

const creation: Readonly<Record<string, TimeBound>> = {
  created_after: { after: 'created_at' },
  created_before: { before: 'created_at' },
};

/** The use case behind every list. `bounds` names the parameters that bound times of the kind itself. */
export function listResource<Document, Shown>(
  source: ListSource,
  spec: ListingSpec,
  { show }: { show(record: StoredRecord<Document>): Shown },
  bounds: Readonly<Record<string, TimeBound>> = {},
) {
  const shown = onceEach(show);
  return async ({ query }: { query: ListParameters }) => {
    const asked = listQueryOf(spec, query, { ...creation, ...bounds });
    return { status: 200 as const, body: await listRecords<Document, Shown>(source, asked, query, shown) };
  };
}

/** Records are never changed, so what is shown of one that is kept is made once, and checked once. */
function onceEach<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>();
  return (from) => {
    if (!made.has(from)) made.set(from, make(from));
    return made.get(from)!;
  };
}

export function listQueryOf(
  spec: ListingSpec,
  given: ListParameters,
  bounds: Readonly<Record<string, TimeBound>>,
): ListQuery {
  return {
    ids: given.id as ListQuery['ids'],
    enums: named(Object.keys(spec.enums), given) as ListQuery['enums'],
    strings: named(spec.strings, given) as ListQuery['strings'],
    sets: named(spec.sets ?? [], given) as ListQuery['enums'],
    times: timesOf(given, bounds),
    text: given.q as string | undefined,
    sort: given.sort,
    order: given.order,
  };
}

function named(columns: readonly string[], given: ListParameters): Record<string, unknown> {
  return Object.fromEntries(columns.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

function timesOf(given: ListParameters, bounds: Readonly<Record<string, TimeBound>>): ListQuery['times'] {
  const times: Record<string, { afterMs?: number; beforeMs?: number }> = {};
  for (const [parameter, bound] of Object.entries(bounds)) {
    const moment = given[parameter];
    if (moment === undefined) continue;
    const ms = Date.parse(moment as string);
    if ('after' in bound) times[bound.after] = { ...times[bound.after], afterMs: ms };
    else times[bound.before] = { ...times[bound.before], beforeMs: ms };
  }
  return times;
}
