import { countRecords, findRecords, type ListSource } from '../../lists/list-records.ts';
import type { ListingSpec } from '../../lists/listing.ts';
import type { ListQuery } from '../../lists/scan.ts';

// Resolves names in the words of people to the values of records: "network team" to "network", "ada" to ada@example.com,
// "me" and "my_team" to those of the caller.

export interface NameResolver {
  /** Undefined when no record has such a value. */
  resolve(kind: Named, field: string, said: string): Promise<string | undefined>;
  /** The address of the caller or of somebody whom a record names. */
  person(said: string): Promise<string | undefined>;
  /** The configuration items with that name, id or description; it is ambiguous unless `isSure`. */
  items(said: string): Promise<{ isSure: boolean; items: readonly { id: string; name: string }[] }>;
}

interface Named {
  spec: ListingSpec;
  source: Pick<ListSource, 'replica' | 'read'>;
  /** Fields with email addresses of people. */
  people: readonly string[];
}

const everything = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;

const maxItems = 20;

/** `kinds` are all kinds of records that name people. */
export function nameResolver(
  callerEmail: string,
  incidents: Named,
  items: Named,
  kinds: readonly Named[] = [incidents],
): NameResolver {
  const readKnown = async ({ spec, source }: Named, field: string): Promise<readonly string[]> => {
    const { dictionaries } = await source.replica.refresh();
    return dictionaries[spec.strings.indexOf(field)]?.values() ?? [];
  };
  const resolve: NameResolver['resolve'] = async (kind, field, said) => {
    if (kind.people.includes(field) && plain(said) === 'me') return callerEmail;
    if (field === 'assignment_group' && /^my[ _]team$/i.test(said)) {
      const query = { ...everything, strings: { assigned_to: callerEmail } };
      const counts = await countRecords(incidents.source, query, 'assignment_group');
      return counts.find(({ value }) => value !== null)?.value ?? undefined;
    }
    return findClosest(await readKnown(kind, field), said);
  };
  const findItems = async (query: Partial<ListQuery>) => {
    const found = await findRecords<{ name: string }>(items.source, { ...everything, ...query }, maxItems);
    return found.records.map(({ id, document }) => ({ id, name: document.name }));
  };
  return {
    resolve,
    async person(said) {
      if (plain(said) === 'me') return callerEmail;
      const known = kinds.flatMap((kind) => kind.people.map((field) => readKnown(kind, field)));
      return findClosest([...new Set((await Promise.all(known)).flat())], said);
    },
    async items(said) {
      if (/^CI\d{7}$/i.test(said)) return { isSure: true, items: [{ id: said.toUpperCase(), name: said }] };
      const name = await resolve(items, 'name', said);
      if (name !== undefined) return { isSure: true, items: await findItems({ strings: { name } }) };
      let found = hasWord(said) ? await findItems({ text: said }) : [];
      if (found.length === 0) {
        // "The main database", "the VPN gateways": the items of the class, which may have several words.
        const words = ` ${toSingular(plain(said))} `;
        const fitting = (await readKnown(items, 'class')).filter((each) =>
          words.includes(` ${toSingular(plain(each))} `),
        );
        const [known] = fitting.sort((a, b) => b.length - a.length);
        if (known !== undefined) found = await findItems({ strings: { class: known } });
      }
      return { isSure: found.length === 1, items: found };
    },
  };
}

/** Finds the value with the same words, the only one with all of the words, or the only one within one typing error. */
function findClosest(values: readonly string[], said: string): string | undefined {
  const wanted = plain(said);
  const exact = values.find((value) => plain(value) === wanted);
  if (exact !== undefined || wanted === '') return exact;
  const words = wanted.split(' ');
  const containing = values.filter((value) => words.every((word) => plain(value).split(' ').includes(word)));
  const near = containing.length === 0 ? values.filter((value) => isMisspelled(wanted, plain(value))) : containing;
  return near.length === 1 ? near[0] : undefined;
}

const minMisspelled = 5;

/** One letter is wrong, missing or added, or two adjacent letters are swapped. */
function isMisspelled(said: string, meant: string): boolean {
  if (Math.min(said.length, meant.length) < minMisspelled || Math.abs(said.length - meant.length) > 1) return false;
  const start = [...said].findIndex((letter, place) => letter !== meant[place]);
  if (start < 0) return true;
  const [own, other] = [said.slice(start), meant.slice(start)];
  const isSwapped = own[0] === other[1] && own[1] === other[0] && own.slice(2) === other.slice(2);
  return isSwapped || own.slice(1) === other || own === other.slice(1) || own.slice(1) === other.slice(1);
}

function toSingular(words: string): string {
  return words
    .split(' ')
    .map((word) => word.replace(/(s|x|ch|sh)es$/, '$1').replace(/([^s])s$/, '$1'))
    .join(' ');
}

export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the )?(.+) (?:team|group)$/, '$1');
}
