import { countRecords, findRecords, type ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';

// Names as people say them, resolved to the values that records have: "network team" to "network", "ada" to
// ada@example.com, "me" and "my_team" to the caller's.

export interface NameResolver {
  /** Undefined when no record has such a value. */
  resolve(kind: Named, field: string, said: string, isPerson: boolean): Promise<string | undefined>;
  /** The ids of the configuration items with that name or id; undefined when there is none. */
  items(said: string): Promise<readonly string[] | undefined>;
}

interface Named {
  spec: ListingSpec;
  source: Pick<ListSource, 'replica' | 'read'>;
}

const nothingElse = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;

const maxItems = 20;

export function nameResolver(callerEmail: string, incidents: Named, items: Named): NameResolver {
  const resolveKnown = async ({ spec, source }: Named, field: string, said: string): Promise<string | undefined> => {
    const { dictionaries } = await source.replica.refresh();
    return closest(dictionaries[spec.strings.indexOf(field)]!.values(), said);
  };
  return {
    async resolve(kind, field, said, isPerson) {
      if (isPerson && plain(said) === 'me') return callerEmail;
      if (field === 'assignment_group' && /^my[ _]team$/i.test(said)) {
        const query = { ...nothingElse, strings: { assigned_to: callerEmail } };
        const counts = await countRecords(incidents.source, query, 'assignment_group');
        return counts.find(({ value }) => value !== null)?.value ?? undefined;
      }
      return resolveKnown(kind, field, said);
    },
    async items(said) {
      if (/^CI\d{7}$/i.test(said)) return [said.toUpperCase()];
      const name = await resolveKnown(items, 'name', said);
      if (name === undefined) return undefined;
      const { records } = await findRecords(items.source, { ...nothingElse, strings: { name } }, maxItems);
      return records.map(({ id }) => id);
    },
  };
}

/** The same words, or the only value that has all of them. */
function closest(values: readonly string[], said: string): string | undefined {
  const wanted = plain(said);
  const exact = values.find((value) => plain(value) === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const words = wanted.split(' ');
  const holding = values.filter((value) => words.every((word) => plain(value).split(' ').includes(word)));
  return holding.length === 1 ? holding[0] : undefined;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the )?(.+) (?:team|group)$/, '$1');
}
