// Values of fields that a question names, by the schemas of the tools and the vocabulary.
import type { Schema } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { findPhrase, list, markUsed, type Run, says } from './phrases.ts';
import type { Reading, Word } from './question-words.ts';
import { fieldWords, type Meaning, synonyms } from './vocabulary.ts';

/** Applies every phrase that the question has; phrases of more words first, so that "on hold" wins over "hold". */
export function applyValues(reading: Reading): void {
  const { words, input, properties } = reading;
  const found = phrasesFor(properties).flatMap(([meaning, phrase]) => {
    const runs: { meaning: Meaning; run: Run }[] = [];
    for (let run = findPhrase(words, phrase); run; run = findPhrase(words, phrase, run.from + 1))
      runs.push({ meaning, run });
    return runs;
  });
  found.sort((a, b) => b.run.places.length - a.run.places.length || a.run.from - b.run.from);
  const allowed: [name: string, values: readonly string[]][] = [];
  const denied = new Map<string, boolean>();
  for (const { meaning, run } of found) {
    if (!run.places.every((place) => words[place]?.isFree) || isCounted(words, run)) continue;
    const isUsed = applies(meaning, reading) && !isInfinitive(meaning, words, run);
    if (isUsed || isSaid(meaning, reading)) markUsed(words, run);
    if (!isUsed) continue;
    const others = readDenial(meaning, words, run, properties, denied);
    if (denials.test(words[run.from]?.text ?? '')) denied.set(`${Object.keys(meaning)[0]} ${run.until}`, false);
    if (others) allowed.push(others);
    else apply(widen(meaning, words, run, properties), reading);
  }
  for (const [name, values] of allowed) {
    const said = input[name];
    const both = Array.isArray(said) ? said.filter((each) => values.includes(each)) : [];
    input[name] = both.length > 0 ? both : values;
  }
  // "The 7 tickets with the highest priority" may have any.
  if (input.limit !== undefined && says(words, superlatives)) {
    delete input.priority;
    input.sort = 'priority';
  }
  if (input.sort === 'priority' || input.sort === 'planned_start') input.order ??= 'asc';
}

const superlatives = 'highest|top priority|severity, most severe|critical|important';

export function listValues(property: Schema | undefined): string[] {
  const { schema } = withoutNull(property ?? {});
  const values = schema.type === 'array' ? withoutNull(schema.items ?? {}).schema.enum : schema.enum;
  return (values ?? []).map(String);
}

function phrasesFor(properties: Reading['properties']): [Meaning, string][] {
  const phrases: [Meaning, string][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (/^(sort|order|by)$/.test(name)) continue;
    const isList = withoutNull(property).schema.type === 'array';
    const own = list(fieldWords[name] ?? name)
      .filter((word) => !word.includes(' '))
      .join('|');
    for (const value of listValues(property)) {
      const plain = value.replaceAll('_', ' ').toLowerCase();
      const number = /^P(\d)$/.exec(value)?.[1];
      // "Any news" are not new ones.
      const said = [plain === 'new' ? '=new' : plain, `${plain} ${own}`, `${own} ${plain}`];
      if (number) said.push(`${own}|p ${number}|${numberWords[Number(number)]}`);
      phrases.push(...said.map((phrase): [Meaning, string] => [{ [name]: isList ? [value] : value }, phrase]));
    }
  }
  for (const [meaning, own] of synonyms) for (const phrase of list(own)) phrases.push([meaning, phrase]);
  return phrases;
}

const numberWords = ['', 'one', 'two', 'three', 'four'];

function applies(meaning: Meaning, { input, has, properties }: Reading): boolean {
  const [name = '', value] = Object.entries(meaning)[0] ?? [];
  if (name === 'planned') return has('planned_after') && !('planned_after' in input);
  if (!has(name)) return false;
  if (name === 'sort' && !listValues(properties.sort).includes(String(value))) return false;
  // A state of another kind of record means nothing here.
  const values = listValues(properties[name]);
  if (Array.isArray(value) && !value.every((each) => values.includes(each))) return false;
  // One value of a field besides another means either; anything else has been said already.
  return !(name in input) || (Array.isArray(value) && Array.isArray(input[name]) && input[name] !== undefined);
}

/** "More than 3 reopens" is no state. */
function isCounted(words: readonly Word[], { from }: Run): boolean {
  const said = words.slice(Math.max(0, from - 2), from + 1).map(({ text }) => text);
  return /^(than|over|least|most) \d+ [a-z]+s$/.test(said.join(' '));
}

/** "The time to resolve it" does not say that it is resolved. */
function isInfinitive({ state }: Meaning, words: readonly Word[], { from }: Run): boolean {
  return Array.isArray(state) && state.every((each) => finalStates.test(each)) && words[from - 1]?.text === 'to';
}

/** "Upcoming" adds nothing to "planned". */
function isSaid(meaning: Meaning, { input }: Reading): boolean {
  return Object.entries(meaning).every(([name, value]) =>
    name === 'planned' ? 'planned_after' in input : name in input && String(input[name]) === String(value),
  );
}

function apply(meaning: Meaning, { input, properties, has, nowMs }: Reading): void {
  for (const [name, value] of Object.entries(meaning)) {
    if (name === 'planned') input.planned_after = new Date(nowMs).toISOString();
    else if (value === 'open') input.state = openStates(properties.state);
    else if (Array.isArray(value) && Array.isArray(input[name]))
      input[name] = listValues(properties[name]).filter(
        (each) => value.includes(each) || (input[name] as string[]).includes(each),
      );
    else if (has(name)) input[name] = value;
  }
}

const denials =
  /^(not|no|never|neither|except|excluding|exclude|without|non|other|but|besides|apart|skip|ignore|omit)$/;
const upward = /^(higher|above|worse|greater|up|more)$/;
const downward = /^(lower|below|less|down|under)$/;
const exclusions = /^(except|excluding|exclude|besides|apart|but|other|skip|ignore|omit)$/;

/** "not P4" means every other value; "not resolved" is open. `denied` are the fields and ends of denials, and whether they exclude. */
function readDenial(
  meaning: Meaning,
  words: readonly Word[],
  { from, until }: Run,
  properties: Reading['properties'],
  denied: Map<string, boolean>,
): [name: string, values: readonly string[]] | undefined {
  const [name = '', value] = Object.entries(meaning)[0] ?? [];
  if (!Array.isArray(value)) return undefined;
  const pause = words.slice(0, from + 1).findLastIndex(({ isAfterPause }) => isAfterPause);
  const clause = words.slice(Math.max(0, pause, from - 3), from);
  const before = clause.filter(({ isFree, text }) => isFree && denials.test(text));
  const end = /^(or|and|nor)$/.test(words[from - 1]?.text ?? '') ? from - 1 : from;
  const isJoined = denied.has(`${name} ${end}`) && (end < from || words[from]?.isAfterPause === true);
  if (before.length === 0 && !isJoined) return undefined;
  for (const word of before) word.isFree = false;
  // "Not closed" means open; "all except closed ones" leaves out only these.
  const isExcluded =
    before.some(({ text }) => exclusions.test(text)) || (isJoined && denied.get(`${name} ${end}`) === true);
  denied.set(`${name} ${until}`, isExcluded);
  const isFinished = !isExcluded && name === 'state' && value.every((each) => finalStates.test(each));
  if (isFinished) return [name, openStates(properties.state)];
  const values = listValues(properties[name]);
  // "Not yet implemented" is in a state before it.
  const isYet = name === 'state' && words.slice(Math.max(0, from - 2), until + 1).some(({ text }) => text === 'yet');
  const isPending = (state: string) => state === 'draft' || !finalStates.test(state);
  const earlier = isYet ? values.slice(0, values.indexOf(String(value[0]))).filter(isPending) : [];
  return [name, earlier.length > 0 ? earlier : values.filter((each) => !value.includes(each))];
}

/** "P2 or higher" means all from P2 up, "P3 or lower" all from P3 down. */
function widen(meaning: Meaning, words: readonly Word[], { until }: Run, properties: Reading['properties']): Meaning {
  const [name = '', value] = Object.entries(meaning)[0] ?? [];
  const after = words.slice(until, until + 3);
  const end = after.find(({ text }) => upward.test(text) || downward.test(text));
  const isWide = end !== undefined && after.some(({ text }) => /^(or|and)$/.test(text));
  if (!isWide || !/^(priority|risk)$/.test(name) || !Array.isArray(value) || value.length !== 1) return meaning;
  end.isFree = false;
  const values = listValues(properties[name]);
  const place = values.indexOf(value[0]);
  // P1 is the highest priority, but risks begin with the lowest.
  const isFirst = /^P\d/.test(values[0] ?? '') === upward.test(end.text);
  return { [name]: isFirst ? values.slice(0, place + 1) : values.slice(place) };
}

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft|retired)$/;

export function openStates(property: Schema | undefined): string[] {
  return listValues(property).filter((value) => !finalStates.test(value));
}
