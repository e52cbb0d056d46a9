import { countRecords, findRecords, type ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { ListQuery } from '../../lists/scan.ts';

// Names as people say them, resolved to the values that records have: "network team" to "network", "ada" to
// ada@example.com, "me" and "my_team" to the caller's.

export interface NameResolver {
  /** Undefined when no record has such a value. */
  resolve(kind: Named, field: string, said: string, isPerson: boolean): Promise<string | undefined>;
  /** The address of the caller or of an assignee of an incident. */
  person(said: string): Promise<string | undefined>;
  /** The ids of the configuration items with that name, id or description; a string says why there is none. */
  items(said: string): Promise<readonly string[] | string>;
}

interface Named {
  spec: ListingSpec;
  source: Pick<ListSource, 'replica' | 'read'>;
}

const nothingElse = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;

const maxItems = 20;

/** More choices than this help nobody. */
const maxNamed = 5;

export function nameResolver(callerEmail: string, incidents: Named, items: Named): NameResolver {
  const readKnown = async ({ spec, source }: Named, field: string): Promise<readonly string[]> => {
    const { dictionaries } = await source.replica.refresh();
    return dictionaries[spec.strings.indexOf(field)]?.values() ?? [];
  };
  const resolveKnown = async (kind: Named, field: string, said: string): Promise<string | undefined> =>
    closest(await readKnown(kind, field), said);
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
    async person(said) {
      return plain(said) === 'me' ? callerEmail : resolveKnown(incidents, 'assigned_to', said);
    },
    async items(said) {
      if (/^CI\d{7}$/i.test(said)) return [said.toUpperCase()];
      const name = await resolveKnown(items, 'name', said);
      const find = async (query: Partial<ListQuery>) =>
        (await findRecords<{ name: string }>(items.source, { ...nothingElse, ...query }, maxItems)).records;
      if (name !== undefined) return (await find({ strings: { name } })).map(({ id }) => id);
      const described = hasWord(said) ? await find({ text: said }) : [];
      const found = described.length > 0 ? described : await findByClass(said, await readKnown(items, 'class'), find);
      const [only, ...others] = found;
      if (only && others.length === 0) return [only.id];
      const names = found.slice(0, maxNamed).map(({ document }) => document.name);
      const choices = names.length > 0 ? `; it could be ${names.join(', ')}` : '';
      return `no configuration item is called "${said}"${choices}`;
    },
  };
}

/** "The main database": the items of the class database. */
async function findByClass<Found>(
  said: string,
  classes: readonly string[],
  find: (query: Partial<ListQuery>) => Promise<Found[]>,
): Promise<Found[]> {
  const known = classes.find((each) => plain(said).split(' ').includes(plain(each)));
  return known === undefined ? [] : find({ strings: { class: known } });
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

export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the )?(.+) (?:team|group)$/, '$1');
}
