// The configuration item that a question names: by a name such as vpn-gateway-1, by a description after "depends on the", or
// by a class such as printers.
import { findPhrase, list, type Run } from './phrases.ts';
import { isNoun, type Reading, type Word } from './question-words.ts';
import { dependencies, equipment } from './vocabulary.ts';

/** Names such as vpn-gateway-1: they start with a letter and contain a digit. */
export function isItemName({ text, isKnown }: Word): boolean {
  return !isKnown && /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*$/.test(text) && /\d/.test(text) && !notItems.test(text);
}

const notItems = /^(p\ds?|sev\d|q[1-4]|0x.*|(?:inc|chg|req)[0-9a-z]{7})$/;

/** A name with a digit, or one with a hyphen such as billing-app. */
function findItem(words: readonly Word[]): Word | undefined {
  return words.find(isItemName) ?? words.find(isHyphenated);
}

const isHyphenated = ({ text, isKnown }: Word) => !isKnown && /^[a-z]+(?:-[a-z]+)+$/.test(text);
const relating = /^(on|for|with|against|of|affecting|hitting)$/;

/** "tickets on billing-app", "billing-app: …". The tool says when no item has this name. */
function findHyphenated(words: readonly Word[]): Word | undefined {
  return words.find(
    (word, place) => isHyphenated(word) && (place === 0 || relating.test(words[place - 1]?.text ?? '')),
  );
}

interface Dependency {
  direction: 'depends_on' | 'needed_by';
  /** The name of the item, or its description. */
  item: readonly Word[];
  /** The words that say how it is related. */
  relation: readonly Word[];
}

/** "what depends on db-7", "what breaks if the mail server goes down". */
export function findDependency(words: readonly Word[]): Dependency | undefined {
  const named = findItem(words);
  for (const [kind, phrases] of Object.entries(dependencies)) {
    for (const phrase of list(phrases)) {
      const run = findPhrase(words, phrase);
      if (!run || (phrase === 'need' && /^(i|we|you)$/.test(words[run.from - 1]?.text ?? ''))) continue;
      const item = named ? [named] : findDescription(words, run, phrase);
      const [first] = item;
      if (!first) continue;
      const isVerb = kind === 'verb';
      const direction =
        kind === 'needed_by' || (isVerb && run.from > words.indexOf(first)) ? 'needed_by' : 'depends_on';
      // "… goes down" is part of the condition.
      const relation = isVerb ? run.places.flatMap((place) => words[place] ?? []) : words.slice(run.from);
      const condition = words.findIndex(({ text }) => /^(if|when)$/.test(text));
      // "What goes dark if …": the main clause says nothing else.
      const until = words.indexOf(first) + 2;
      relation.push(...words.filter(({ isKnown }, at) => (at < condition ? !isKnown : condition >= 0 && at < until)));
      return { direction, item, relation };
    }
  }
  return undefined;
}

const describing = /^(depend|rely|count|lean|hang|break|fail|affect|impact|stop|happen|downstream|dependent)\b/;
const descriptionEnds =
  /^(go|goes|went|fail|fails|failed|is|are|be|was|down|dies|breaks|stops|crashes|in|for|and|or|please)$/;
const determiners = /^(the|our|my|this|that)$/;
const maxDescription = 4;

/** The words after "depends on the", or before in "what does the … depend on". */
function findDescription(words: readonly Word[], run: Run, phrase: string): readonly Word[] {
  if (!describing.test(phrase)) return [];
  const asked = words.findIndex(({ text }) => /^(do|does)$/.test(text)) + 1;
  if (run.until === words.length && asked > 0 && determiners.test(words[asked]?.text ?? ''))
    return words.slice(asked + 1, run.from).slice(0, maxDescription);
  if (!determiners.test(words[run.until]?.text ?? '')) return [];
  const after = words.slice(run.until + 1, run.until + 1 + maxDescription);
  const end = after.findIndex(({ text }) => descriptionEnds.test(text));
  return end < 0 ? after : after.slice(0, end);
}

export function readItem({ words, input, has, kind }: Reading): void {
  const dependency = kind === 'configuration_items' ? findDependency(words) : undefined;
  if (dependency && has(dependency.direction)) {
    input[dependency.direction] = toName(dependency.item);
    for (const word of [...dependency.item, ...dependency.relation]) word.isFree = false;
    return;
  }
  const word = words.find((each) => each.isFree && isItemName(each)) ?? (has('ci') ? findHyphenated(words) : undefined);
  const field = kind === 'configuration_items' ? 'name' : 'ci';
  if (word && has(field)) {
    word.isFree = false;
    input[field] = toName([word]);
    // "Is vpn-gateway-1 up?" asks for its status.
    if (field === 'name') for (const other of words) if (other.isKnown) other.isFree = false;
  }
  // A class that no item has is reported by the tool.
  const found = kind === 'configuration_items' && has('class') && !('name' in input) && findEquipment(words);
  if (!found || found.places.some(({ isFree }) => !isFree)) return;
  for (const each of found.places) each.isFree = false;
  input.class = found.name;
}

function toName(words: readonly Word[]): string {
  const said = words.map(({ text }) => text).join(' ');
  return /^ci\d{7}$/.test(said) ? said.toUpperCase() : said;
}

/** "all printers", "which switches": a class of items, in the singular. */
export function findEquipment(words: readonly Word[]): { name: string; places: readonly Word[] } | undefined {
  for (const name of list(equipment)) {
    const parts = name.split(' ');
    const isHere = (at: number) =>
      parts.every((part, offset) => {
        const text = words[at + offset]?.text ?? '';
        return offset < parts.length - 1 ? text === part : text !== part && isNoun(text, part);
      });
    const at = words.findIndex((_, place) => isHere(place));
    const isListed =
      at === 0 || /^(all|which|what|list|show|me|any|many|the|our|every|of)$/.test(words[at - 1]?.text ?? '');
    if (at >= 0 && isListed) return { name, places: words.slice(at, at + parts.length) };
  }
  return undefined;
}
