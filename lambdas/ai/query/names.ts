import type { ListQuery } from '../../lists/list-engine.ts';
import { findRecords, type ListSource } from '../../lists/list-records.ts';

// Resolves names as people write them to the values of records: "network team" to "network", "ada" to ada@example.com,
// "mail" to "email", "me" and "my_team" to those of the caller.

export interface NameResolver {
  /** Undefined when no record has such a value. */
  resolve(kind: Named, field: string, name: string): Promise<string | undefined>;
  /** The address of the caller or of somebody whom a record names. */
  person(name: string): Promise<string | undefined>;
  /** The configuration items with that name, id or description; it is ambiguous unless `isSure`. */
  items(name: string): Promise<{ isSure: boolean; items: readonly { id: string; name: string }[] }>;
  /** The locations with these words: "Lisbon" also means "Lisbon, floor 2". */
  places(kind: Named, words: string): Promise<readonly string[]>;
  /** The names of items by id. */
  itemNames(ids: readonly string[]): Promise<Map<string, string>>;
}

interface Named {
  source: Pick<ListSource, 'engine' | 'read'>;
  /** Fields with email addresses of people. */
  people: readonly string[];
}

const everything = { enums: {}, strings: {}, times: {}, text: undefined, sort: 'created_at', order: 'desc' } as const;

const maxItems = 20;

/** `kinds` are all kinds of records that name people. */
export function createNameResolver(
  callerEmail: string,
  incidents: Named,
  items: Named,
  kinds: readonly Named[] = [incidents],
): NameResolver {
  const readKnown = async ({ source }: Named, ...fields: readonly string[]) =>
    (await source.engine.listValues(fields)).flat();
  const resolve: NameResolver['resolve'] = async (kind, field, name) => {
    if (kind.people.includes(field) && normalize(name) === 'me') return callerEmail;
    if (field === 'assignment_group' && isOwnTeam(name)) {
      const query = { ...everything, strings: { assigned_to: callerEmail } };
      const counts = await incidents.source.engine.countValues(query, 'assignment_group');
      return counts.find(({ value }) => value !== null)?.value ?? undefined;
    }
    return findClosest(await readKnown(kind, field), name);
  };
  const findItems = async (query: Partial<ListQuery>) => {
    const found = await findRecords<{ name: string }>(items.source, { ...everything, ...query }, maxItems);
    return found.records.map(({ id, document }) => ({ id, name: document.name }));
  };
  return {
    resolve,
    async person(name) {
      if (normalize(name) === 'me') return callerEmail;
      const known = kinds.map((kind) => readKnown(kind, ...kind.people));
      return findClosest([...new Set((await Promise.all(known)).flat())], name);
    },
    async items(name) {
      if (/^CI\d{7}$/i.test(name)) return { isSure: true, items: [{ id: name.toUpperCase(), name }] };
      const known = await resolve(items, 'name', name);
      if (known !== undefined) return { isSure: true, items: await findItems({ strings: { name: known } }) };
      let found = hasWord(name) ? await findItems({ text: name }) : [];
      if (found.length === 0) {
        // "The main database", "the VPN gateways": the items of the class, which may have several words.
        const words = ` ${toSingular(normalize(name))} `;
        const fitting = (await readKnown(items, 'class')).filter((each) =>
          words.includes(` ${toSingular(normalize(each))} `),
        );
        const [longest] = fitting.sort((a, b) => b.length - a.length);
        if (longest !== undefined) found = await findItems({ strings: { class: longest } });
      }
      return { isSure: found.length === 1, items: found };
    },
    async places(kind, words) {
      const wanted = normalize(words).split(' ');
      return (await readKnown(kind, 'location')).filter((place) => {
        const own = normalize(place).split(' ');
        return wanted.every((word) => own.includes(word));
      });
    },
    async itemNames(ids) {
      const found = await items.source.read<{ name: string }>([...new Set(ids)]);
      return new Map(found.map(({ record }) => [record.id, record.document.name]));
    },
  };
}

/** `our` also stands for nothing: "our incidents" are those of everybody if the caller has no team. */
export const isOwnTeam = (name: string) => /^(?:my[ _]team|our)$/i.test(name);

/**
 * Finds the value with the same words, a short form of it, the only one with all of the words, or the only one within one
 * typing error.
 */
export function findClosest(values: readonly string[], name: string): string | undefined {
  const wanted = toSingular(normalize(name));
  if (wanted === '') return undefined;
  const isSame = (value: string) => toSingular(normalize(value)) === wanted;
  const exact = values.find(isSame) ?? values.find((value) => (shortForms[value.toLowerCase()] ?? []).includes(wanted));
  if (exact !== undefined) return exact;
  const words = wanted.split(' ');
  const containing = values.filter((value) => {
    const own = toSingular(normalize(value)).split(' ');
    return words.every((word) => own.includes(word));
  });
  const near = containing.length === 0 ? values.filter((value) => isMisspelled(wanted, normalize(value))) : containing;
  return near.length === 1 ? near[0] : undefined;
}

const shortForms: Readonly<Record<string, readonly string[]>> = {
  email: ['mail', 'e mail'],
  hardware: ['hw'],
  software: ['sw', 'app', 'application'],
  network: ['networking', 'netzwerk', 'réseau', 'rede', 'red'],
  access: ['permission'],
  security: ['sécurité', 'sicherheit', 'seguridad'],
  production: ['prod', 'live'],
  development: ['dev'],
  staging: ['stage'],
  database: ['db', 'datenbank'],
  server: ['serveur', 'servidor'],
  'database administration': ['dba', 'database'],
  'service desk': ['helpdesk', 'help desk', 'servicedesk'],
  'identity and access': ['iam', 'identity'],
};

const minMisspelled = 5;

/** One letter is wrong, missing or added, or two adjacent letters are swapped. */
function isMisspelled(name: string, known: string): boolean {
  if (Math.min(name.length, known.length) < minMisspelled || Math.abs(name.length - known.length) > 1) return false;
  const start = [...name].findIndex((letter, place) => letter !== known[place]);
  if (start < 0) return true;
  const [own, other] = [name.slice(start), known.slice(start)];
  const isSwapped = own[0] === other[1] && own[1] === other[0] && own.slice(2) === other.slice(2);
  return isSwapped || own.slice(1) === other || own === other.slice(1) || own.slice(1) === other.slice(1);
}

export function toSingular(words: string): string {
  return words
    .split(' ')
    .map((word) => word.replace(/(ss|x|ch|sh)es$/, '$1').replace(/([^s])s$/, '$1'))
    .join(' ');
}

export const hasWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:the )?(.+) (?:team|group)$/, '$1');
}
