// Which kind of record a question is about, or whether it asks how something is done.
import type { ToolSpec } from '../converse.ts';
import { findPhrase, list, says } from './phrases.ts';
import { isNoun, type Word } from './question-words.ts';
import { findDependency, findEquipment, isItemName } from './read-item.ts';
import { hints, kinds, vagueNouns } from './vocabulary.ts';

export function toKind(name: string): string {
  return name.replace(/^[a-z]+_/, '');
}

/** The kind that the question names; otherwise the one whose words it uses. */
export function chooseKind(words: readonly Word[], tools: readonly ToolSpec[]): string {
  const exists = (kind: string) => tools.some(({ name }) => toKind(name) === kind);
  const nouns = findNouns(words, tools).filter(({ kind }) => exists(kind));
  const dependency = exists('configuration_items') ? findDependency(words) : undefined;
  // "What does the order portal rely on": the word is part of a name.
  const isAboutRecords = nouns.some(
    ({ kind, isVague, place }) =>
      !isVague &&
      /^(incidents|changes|requests)$/.test(kind) &&
      !dependency?.item.some((word) => word === words[place]),
  );
  if (dependency && !isAboutRecords) return 'configuration_items';
  if (exists('knowledge') && asksHow(words, nouns)) return 'knowledge';
  const named = nouns.find(({ kind, isVague }) => kind !== 'configuration_items' && !isVague) ?? nouns[0];
  const hinted = findHint(words, exists);
  if (named && !(named.isVague && hinted === 'changes')) return named.kind;
  if (exists('configuration_items') && hinted !== 'requests' && findEquipment(words)) return 'configuration_items';
  if (words.some(isItemName)) return chooseForItem(words, hinted);
  return hinted ?? (exists('incidents') ? 'incidents' : toKind(tools[0]?.name ?? 'search_incidents'));
}

/** The kind with the most hints. */
function findHint(words: readonly Word[], exists: (kind: string) => boolean): string | undefined {
  let best: { kind: string; places: number } | undefined;
  for (const [kind, phrases] of Object.entries(hints)) {
    const runs = exists(kind) ? list(phrases).flatMap((phrase) => findPhrase(words, phrase)?.places ?? []) : [];
    const places = new Set(runs).size;
    if (places > (best?.places ?? 0)) best = { kind, places };
  }
  return best?.kind;
}

export function namesKind(words: readonly Word[], tools: readonly ToolSpec[]): boolean {
  return findNouns(words, tools).length > 0;
}

interface Noun {
  kind: string;
  place: number;
  length: number;
  isVague: boolean;
}

function findNouns(words: readonly Word[], tools: readonly ToolSpec[]): Noun[] {
  const items = tools.find(({ name }) => name === 'search_configuration_items');
  const classes = [kinds.configuration_items, ...(items?.schema.properties?.class?.examples ?? []), 'server'].join(
    ', ',
  );
  const all = Object.entries({ ...kinds, configuration_items: classes });
  const found = all.flatMap(([kind, names]) =>
    list(names.toLowerCase()).flatMap((name): Noun[] => {
      const parts = name.split(' ');
      const isHere = (at: number) => parts.every((part, offset) => isNoun(words[at + offset]?.text ?? '', part));
      const place = words.findIndex((_, at) => isHere(at));
      if (place < 0 || isVerb(words, place) || isInName(words, place, tools)) return [];
      return [{ kind, place, length: parts.length, isVague: vagueNouns.has(name) }];
    }),
  );
  const overlaps = (a: Noun, b: Noun) => a.place < b.place + b.length && b.place < a.place + a.length;
  return found
    .sort((a, b) => b.length - a.length || a.place - b.place)
    .sort((a, b) => (overlaps(a, b) ? b.length - a.length : a.place - b.place));
}

/** "in field service": the word is part of the name of a group. */
function isInName(words: readonly Word[], place: number, tools: readonly ToolSpec[]): boolean {
  const groups = tools.flatMap(({ schema }) => schema.properties?.assignment_group?.examples ?? []).map(String);
  return groups.some((name) => name.includes(' ') && findPhrase(words, name.toLowerCase())?.places.includes(place));
}

/** "in order of", "order by", "changes its state", "what did Ann order". */
function isVerb(words: readonly Word[], place: number): boolean {
  const [before, word, after] = [words[place - 1]?.text ?? '', words[place]?.text ?? '', words[place + 1]?.text ?? ''];
  if (/^orders?$/.test(word))
    return /^(in|sort|to)$/.test(before) || (before === 'of' && word === 'order') || /^(by|of|in)$/.test(after);
  if (!/^(call|service|issue|case)s?$/.test(word)) return false;
  return /^(desk|level|off)$/.test(after) || (/^(in|any)$/.test(before) && word === 'case');
}

/** A configuration item without a noun: "is db-7 up", "anything wrong with db-7". */
function chooseForItem(words: readonly Word[], hinted: string | undefined): string {
  if (hinted === 'changes' || hinted === 'requests') return hinted;
  return says(words, incidentWords) ? 'incidents' : 'configuration_items';
}

const incidentWords =
  'wrong, broken, open, happen, go on, going on, affect, report, break, complain, priority, p1, p2, p3, p4, assign, breach, anything, unresolved, unassigned, everything, close, resolve';

const howPhrases =
  'how do i, how shall, how must, how may, how do we, how do you, how do one, how do people, how do someone, how can, how to, how should, how would, how could, how does, how often, how come, ' +
  'how long, explain, difference between, definition of, define, meaning of, what do .. mean, what does .. mean, what .. stand for, what to do, what be .. mean, ' +
  'what do|should i|we need? to? know, when should|must i|we|you|one, when =do i|we|you|one, when can|may i|we|you|one, what be the right|best|correct|proper way, who should i|we, where should i|we, what should i check, what should i try, what can i do, what should .. do if|when|after|before, what do i do, what should we do, what must i do, what happen if, what happen when, ' +
  'where do i, where can i, where be the document, be i allowed, allowed to, be it ok, be it okay, be it allowed, be it possible, be there a way, way to, step to, steps to, step for, steps for, ' +
  'count as, qualify as, help with, help me with, tip for, tips for, advice on, best practice, process for, process to, reason for, tell me how, show me how, know how to, troubleshoot, who may, who can approve, supposed to, recommend way, which form, whom do i, who do|should|can i|we contact|call|ask|tell';
const listPhrases =
  'can i see, can i get a list, can i have, can we see, could i see, could i get, could i have, how many, how much, how long be .. queue|backlog, how do .. look, how do .. compare, how long have, how do .. stand';

const howEndings =
  /\b(what now|now what|(can|should) be done|known (fix|workaround|solution|cause)|any (ideas?|tips|advice))$/;

/** Asks for instructions or an explanation, not for records. */
function asksHow(words: readonly Word[], nouns: readonly Noun[]): boolean {
  if (says(words, listPhrases)) return false;
  if (nouns.some(({ kind }) => kind === 'knowledge')) return true;
  const start = words
    .map(({ text }) => text)
    .slice(0, 4)
    .join(' ');
  if (/^(can|may|could|should|must) (i|we|users?|employees?|people|someone|one)\b/.test(start)) return true;
  if (/^how (i|you|we|one|they|people)\b|^(do|must|should) (i|we) (need|have) to\b/.test(start)) return true;
  const end = words.map(({ text }) => text).slice(-3);
  if (howEndings.test(end.join(' '))) return true;
  const isMeaning = start.startsWith('what ') && /^means?$/.test(end.at(-1) ?? '') && end.at(-2) !== 'i';
  if (isMeaning || words[0]?.text === 'why') return true;
  // "What is the escalation path": a thing that is no record.
  const isThing = /^what (is|are) (the|a|an|our)\b/.test(start) && nouns.length === 0 && !words.some(isItemName);
  return (isThing && words.some(({ isKnown }) => !isKnown)) || says(words, howPhrases);
}
