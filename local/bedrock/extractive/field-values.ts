// Values of fields that a question names, by the schemas of the tools and the vocabulary.
import type { Schema } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { listWords, type Run, type Word } from './question-words.ts';
import { fieldWords, type Meaning, synonyms } from './vocabulary.ts';

/** Values of the schema and synonyms, longest first, so that "on hold" wins over "on". */
export function phrasesFor(properties: Readonly<Record<string, Schema>>): [Meaning, string][] {
  const phrases: [Meaning, string][] = synonyms.flatMap(([meaning, own]) =>
    own.split(', ').map((phrase): [Meaning, string] => [meaning, phrase]),
  );
  for (const [name, property] of Object.entries(properties)) {
    const { schema } = withoutNull(property);
    const list = schema.type === 'array' ? withoutNull(schema.items ?? {}).schema.enum : schema.enum;
    for (const value of list ?? []) {
      if (/^(sort|order|by)$/.test(name)) continue;
      const plain = String(value).replaceAll('_', ' ').toLowerCase();
      const meaning = { [name]: schema.type === 'array' ? [value] : value };
      phrases.push([meaning, plain]);
      for (const word of fieldWords[name] ?? [name])
        phrases.push([meaning, `${plain} ${word}`], [meaning, `${word} ${plain}`]);
      const number = /^P(\d)$/.exec(String(value))?.[1];
      if (number) for (const word of fieldWords.priority ?? []) phrases.push([meaning, `${word} ${number}`]);
    }
    for (const value of property.examples ?? schema.examples ?? []) {
      const plain = listWords(String(value)).join(' ');
      if (plain === '' || typeof value !== 'string') continue;
      phrases.push([{ [name]: value }, plain]);
      for (const word of fieldWords[name] ?? []) phrases.push([{ [name]: value }, `${plain} ${word}`]);
    }
  }
  return phrases.sort(([, a], [, b]) => b.split(' ').length - a.split(' ').length || b.length - a.length);
}

export function applies(
  meaning: Meaning,
  input: Readonly<Record<string, unknown>>,
  has: (name: string) => boolean,
  properties: Readonly<Record<string, Schema>>,
): boolean {
  const [name = '', value] = Object.entries(meaning)[0] ?? [];
  if (name === 'me') return ['assigned_to', 'requested_by'].some((field) => has(field) && !(field in input));
  if (name === 'planned') return has('planned_after') && !('planned_after' in input);
  if (!has(name)) return false;
  // A state of another kind of record means nothing here.
  const values = withoutNull(properties[name] ?? {}).schema.items?.enum;
  if (Array.isArray(value) && values && !value.every((each) => values.includes(each))) return false;
  // One value of a field besides another means either; anything else has been said already.
  return !(name in input) || (Array.isArray(value) && Array.isArray(input[name]));
}

export function apply(
  meaning: Meaning,
  input: Record<string, unknown>,
  properties: Readonly<Record<string, Schema>>,
  has: (name: string) => boolean,
  nowMs: number,
): void {
  for (const [name, value] of Object.entries(meaning)) {
    if (name === 'me')
      input[
        has('assigned_to') && !has('requested_by')
          ? 'assigned_to'
          : has('requested_by')
            ? 'requested_by'
            : 'assigned_to'
      ] = 'me';
    else if (name === 'planned') input.planned_after = new Date(nowMs).toISOString();
    else if (value === 'open') input.state = openStates(properties.state);
    else if (Array.isArray(value) && Array.isArray(input[name]))
      input[name] = inOrder(properties[name], [...(input[name] as unknown[]), ...value]);
    else if (has(name)) input[name] = value;
  }
}

const denials = /^(not|no|never|except|excluding|without|non|isnt|arent|other|un)$/;
const upward = /^(higher|above|worse|greater)$/;

/** "not closed" means every other value, "P2 or higher" all from P2 up. */
export function widen(
  meaning: Meaning,
  words: readonly Word[],
  { from, until }: Run,
  properties: Readonly<Record<string, Schema>>,
): Meaning {
  const [name = '', value] = Object.entries(meaning)[0] ?? [];
  const values = (withoutNull(properties[name] ?? {}).schema.items?.enum ?? []).map(String);
  if (values.length === 0) return meaning;
  const meant = value === 'open' ? openStates(properties.state) : (value as string[]);
  const before = words.slice(Math.max(0, from - 2), from);
  if (before.some(({ text }) => denials.test(text))) {
    for (const word of before) if (denials.test(word.text)) word.isFree = false;
    // "Not resolved" is still open; a state that is not meant at all stays out.
    const isSolved = name === 'state' && meant.includes('resolved');
    return { [name]: isSolved ? openStates(properties.state) : values.filter((each) => !meant.includes(each)) };
  }
  const after = words.slice(until, until + 3);
  if (meant.length === 1 && after.some(({ text }) => upward.test(text))) {
    for (const word of after) if (upward.test(word.text)) word.isFree = false;
    const place = values.indexOf(meant[0] ?? '');
    return { [name]: /^P\d/.test(values[0] ?? '') ? values.slice(0, place + 1) : values.slice(place) };
  }
  return meaning;
}

/** Each value once, in the order of the schema. */
function inOrder(property: Schema | undefined, values: readonly unknown[]): unknown[] {
  const known = withoutNull(property ?? {}).schema.items?.enum ?? [];
  return known.filter((value) => values.includes(value));
}

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft|retired)$/;

function openStates(property: Schema | undefined): string[] {
  const values = withoutNull(property ?? {}).schema.items?.enum ?? [];
  return values.map(String).filter((value) => !finalStates.test(value));
}
