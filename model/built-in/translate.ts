// Translates a German, French or Spanish question word by word into English, which the planner knows. Names, ids and numbers
// remain as they are.
import { readModelFile } from './tag-question.ts';

export interface Translated {
  text: string;
  /** Words that the glossary does not have. */
  left: readonly string[];
}

/** From a phrase, or the stem of a word with `*`, to English. */
type Glossary = ReadonlyMap<string, string>;

const maxPhrase = 5;
const minStem = 4;

let glossaries: readonly Glossary[] | undefined;

/** English words do not tell the language, even if the glossary has them. */
const english = new Set(
  `a accepted affected all also am an and are assigned assignee assignees by closed die down encore fall for from guide guides
  has hat helpdesk her how in is list lost many me mes mis my new no non not notebook of offline on only open or par per plus
  red refused retire server show sin son status team than that the these they this those to urgent was war what when where
  which who with without`.split(/\s+/),
);

/** Returns undefined for an English question. */
export function translate(question: string): Translated | undefined {
  glossaries ??= Object.values(readModelFile('glossary.json') as Record<string, Record<string, string>>).map(
    toGlossary,
  );
  const words = [...question.matchAll(chunk)].flatMap(({ 0: text, index }) => toWords(text, index));
  const [best] = glossaries
    .map((glossary) => translateWords(question, words, glossary))
    .sort((a, b) => b.foreign - a.foreign);
  const isEnglish = ({ foreign, left }: NonNullable<typeof best>) =>
    foreign === 0 || foreign < left.length || foreign < words.filter(({ key }) => english.has(key)).length;
  return best && !isEnglish(best) ? best : undefined;
}

function translateWords(
  question: string,
  words: readonly Word[],
  glossary: Glossary,
): Translated & { foreign: number } {
  const left: string[] = [];
  let [text, at, foreign] = ['', 0, 0];
  for (let place = 0; place < words.length; ) {
    const { length, found } = findLongest(words.slice(place, place + maxPhrase), question, glossary);
    const part = words.slice(place, place + length);
    const [first, last] = [part[0], part.at(-1)];
    if (!first || !last) break;
    if (found === undefined) left.push(first.text);
    else if (found.toLowerCase() !== part.map(({ key }) => key).join(' '))
      foreign += part.filter(({ key }) => (length > 1 || key.length > 2) && !english.has(key)).length;
    const isJoined = found !== undefined && /['’]$/.test(last.text);
    text += question.slice(at, first.from) + (found ?? first.text) + (isJoined ? ' ' : '');
    at = last.from + last.text.length;
    place += length;
  }
  return { text: arrange(text + question.slice(at)), left, foreign };
}

interface Word {
  text: string;
  from: number;
  key: string;
}

const chunk = /[^\s,;:!?()¿¡"“”„«»]+/g;

/** Ids, addresses and names with digits are no words. "L'équipe" has two. */
function toWords(text: string, index: number): Word[] {
  if (/[\p{N}@_]|\.\p{L}/u.test(text)) return [];
  return [...text.matchAll(/[\p{L}\p{M}]+['’]?/gu)].map(({ 0: each, index: at }) => ({
    text: each,
    from: index + at,
    key: toKey(each),
  }));
}

const toKey = (text: string): string => text.toLowerCase().replace('’', "'").normalize('NFC');

const removeAccents = (key: string): string => key.normalize('NFD').replace(/\p{M}/gu, '');

function toGlossary(entries: Readonly<Record<string, string>>): Glossary {
  const pairs = Object.entries(entries).flatMap(([to, from]) =>
    from.split(', ').map((each) => [toKey(each), to] as const),
  );
  const plain = pairs.map(([from, to]) => [removeAccents(from), to] as const);
  return new Map([...plain.toReversed(), ...pairs.toReversed()]);
}

const maxEnding = 3;

/** A stem with a short ending, or with another word: "Netzwerkteam". */
function find(key: string, glossary: Glossary): string | undefined {
  const exact = glossary.get(key) ?? glossary.get(removeAccents(key));
  if (exact !== undefined) return exact;
  for (let end = key.length; end >= minStem; end--) {
    const [stem, rest] = [glossary.get(`${key.slice(0, end)}*`), key.slice(end)];
    const second = glossary.get(rest.replace(/^s(?=\p{L})/u, ''));
    if (stem !== undefined && (second !== undefined || (rest.length <= maxEnding && !rest.includes(' '))))
      return second === undefined ? stem : `${stem} ${second}`;
  }
  return undefined;
}

function findLongest(
  words: readonly Word[],
  question: string,
  glossary: Glossary,
): { length: number; found: string | undefined } {
  for (let length = words.length; length > 0; length--) {
    const part = words.slice(0, length);
    const isPhrase = part.every(({ text, from }, place) => {
      const next = part[place + 1];
      return !next || /^[\s-]*$/.test(question.slice(from + text.length, next.from));
    });
    const found = isPhrase ? find(part.map(({ key }) => key).join(' '), glossary) : undefined;
    if (found !== undefined) return { length, found };
  }
  return { length: 1, found: undefined };
}

/** The order of words in English: "the 7 last days", "tickets open", "team of the network", "who has INC7Q2M4KX reported". */
function arrange(text: string): string {
  return text
    .replace(/\b(\d{1,4}) last\b/g, 'last $1')
    .replace(
      /\b(tickets?|incidents?|changes|requests|articles) (open|unassigned|closed|rejected|approved|draft)\b/g,
      '$2 $1',
    )
    .replace(/(?<=\p{L})-team\b/gu, ' team')
    .replace(/\bteam (?:of )?(?:the )?(network|security|messaging|database|service desk)\b/g, '$1 team')
    .replace(/\bwho (?:has|have) (\S+) (\p{L}+ed)\b/gu, 'who $2 $1')
    .replace(/\b(was|were|are) ([\w ]{4,20}) (resolved|closed|created|reported|planned)\b/g, '$1 $3 $2');
}
