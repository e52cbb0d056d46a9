// Reads a question about one kind of record: times, names of people, teams and items, values of fields, order and grouping.
// Every reading uses up its words. Words that nothing has read, and that the vocabulary does not know, are searched for.
import type { ToolSpec } from '../converse.ts';
import { applyValues, listValues, openStates } from './field-values.ts';
import { findPhrase, list, markUsed, says, takePhrase } from './phrases.ts';
import { isNoun, type Reading, type Word } from './question-words.ts';
import { readItem } from './read-item.ts';
import { readSubjects } from './read-subjects.ts';
import { applyTime, readTime } from './read-time.ts';
import { fieldWords, hints, isKnownWord, kinds, vagueNouns, valueWords } from './vocabulary.ts';

/**
 * The field to group by, if the question asks for counts of each value, the words that nothing is known about, and the
 * words with a meaning that no reading used.
 */
export function readQuestion(
  reading: Reading,
  counter: ToolSpec | undefined,
): { by: string | undefined; unknown: readonly string[]; ignored: readonly string[] } {
  const { words, input, kind, has } = reading;
  readText(reading);
  readItem(reading);
  const time = readTime(reading);
  readLimit(reading);
  readSubjects(reading);
  const by = counter && readGrouping(words, listValues(counter.schema.properties?.by));
  // "Our tickets by priority" are everybody's.
  if (by && input.assignment_group === 'my_team' && !says(words, 'my|our $group')) delete input.assignment_group;
  for (const noun of list(kinds[kind] ?? '')) if (!noun.includes(' ') && !vagueNouns.has(noun)) takeNoun(words, noun);
  applyValues(reading);
  applyTime(reading, time);
  readImpliedState(reading);
  for (const phrase of [...list(idioms), ...list(hints[kind] ?? '')]) takePhrase(words, phrase);
  const unread = words.filter(({ isFree, text }) => isFree && text.length <= maxWordLength);
  // A verb in the past ("escalated") is seldom what a text is about.
  const isSearched = (word: Word | undefined): boolean =>
    word?.isFree === true && isForeign(word) && !namesValue(word, reading) && !/^.$|[a-z]{3}ed$/.test(word.text);
  // "floor 3"
  const searched = unread.filter(
    (word) => isSearched(word) || (/^\d+$/.test(word.text) && isSearched(words[words.indexOf(word) - 1])),
  );
  const unknown = [...new Set(searched.map(({ text }) => text))].slice(0, maxSearched);
  if (unknown.length > 0 && has('item') && !('item' in input)) input.item = unknown.join(' ').replace(/s$/, '');
  else if (unknown.length > 0 && has('text')) input.text = [input.text, ...unknown].filter(Boolean).join(' ');
  const ignored = unread.filter((word) => !searched.includes(word) && isContent(word, reading));
  const described = ignored.map((word) => describeIgnored(word, words));
  return { by, unknown, ignored: described.filter((each) => !described.some((other) => other.endsWith(` ${each}`))) };
}

const maxSearched = 6;

/** Not in the vocabulary. Parts of names from the data are known, but mean nothing on their own. */
function isForeign({ text, forms }: Word): boolean {
  const own = forms.filter((form) => form !== 'subject');
  return ![text, ...own].some((form) => isKnownWord(form) || /^\d+$/.test(form));
}

function namesValue({ text }: Word, { properties }: Pick<Reading, 'properties'>): boolean {
  return Object.values(properties).some(({ examples = [] }) =>
    examples.some((value) => isNoun(text, String(value).toLowerCase())),
  );
}

/** Whether the answer changes with the word, so that it must say that the word was not understood. */
function isContent(word: Word, reading: Reading): boolean {
  const { text, forms } = word;
  if (isForeign(word)) {
    // "Database servers" are databases.
    const { class: classes = {} } = reading.properties;
    const isClass = 'class' in reading.input && namesValue(word, { properties: { classes } });
    return text.length > 1 && !isClass;
  }
  const meanings = [`=${text}`, text, ...forms];
  return /^\d+$/.test(text) || denial.test(text) || meanings.some((meaning) => valueWords.has(meaning));
}

const denial = /^(not|no|never|without|except|excluding|non)$/;
const idioms =
  'work on, work through, break down, pull up, end up, bring up, look up, what|anything|something broken|wrong, what|anything happen';

/** A denial together with what it denies: "not network". */
function describeIgnored(word: Word, words: readonly Word[]): string {
  if (!denial.test(word.text)) return word.text;
  const place = words.indexOf(word) + 1;
  const denied = words
    .slice(place, place + 3)
    .find(({ isFree, text }) => isFree && !/^(in|of|to|on|at|the|a|any|yet|been|be|by)$/.test(text));
  return denied ? `${word.text} ${denied.text}` : word.text;
}

const maxWordLength = 30;

function takeNoun(words: readonly Word[], noun: string): void {
  const word = words.find(({ text, isFree }) => isFree && isNoun(text, noun));
  if (word) word.isFree = false;
}

const aboutPhrases =
  'about, mention, contain, regard, concern, relate to, have to do with, to do with, say, with .. in the text, with the word, with the phrase, call, title, in the title, on the subject of, description say';
const textEnds =
  /^(since|of|in|from|that|which|assigned|by|for|created|opened|raised|logged|are|is|was|were|this|last|today|yesterday|and|or|sorted|by|per|still|open|please|over|during|within)$/;

/** "tickets about new laptops" are not new. Words in quotation marks are text as well. */
function readText({ words, input, has }: Reading): void {
  if (!has('text')) return;
  const between = findPhrase(words, 'with .. in the|their|its text|title|description|subject');
  if (between) {
    const zone = words.slice(between.from + 1, between.until - 3).filter(({ text }) => text !== 'in' && text !== 'the');
    if (zone.length > 0) {
      input.text = zone.map(({ text }) => text).join(' ');
      for (const word of words.slice(between.from, between.until)) word.isFree = false;
      return;
    }
  }
  for (const phrase of list(aboutPhrases)) {
    const run = findPhrase(words, phrase);
    if (!run) continue;
    const next = words[run.until];
    const before = words[run.from - 1]?.text ?? '';
    if (!next || next.text === 'to' || /^(what|how)$/.test(before)) continue;
    const after = words.slice(run.until);
    const end = after.findIndex(({ text, isFree }, place) => !isFree || (place > 0 && textEnds.test(text)));
    const zone = (end < 0 ? after : after.slice(0, end)).filter(
      ({ text }) => !/^(the|a|an|my|our|any|some|words?|phrase|term)$/.test(text),
    );
    if (zone.length === 0 || zone.every(({ text }) => textEnds.test(text))) continue;
    markUsed(words, run);
    for (const word of zone) word.isFree = false;
    input.text = zone.map((word) => word.correctedFrom ?? word.text).join(' ');
    return;
  }
}

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const superlatives =
  /^(newest|latest|oldest|most|longest|highest|worst|last|recent|top|first|next|earliest|biggest|riskiest|upcoming|just|only)$/;

/** "top 5", "the three oldest", "5 open tickets"; one for "the oldest ticket". */
function readLimit({ words, input, kind }: Reading): void {
  for (const [place, word] of words.entries()) {
    const number = numberWords.indexOf(word.text) + 1 || (/^\d{1,3}$/.test(word.text) ? Number(word.text) : 0);
    if (!word.isFree || number < 1 || (word.text === 'one' && !superlatives.test(words[place - 1]?.text ?? '')))
      continue;
    if (/^(priority|prio|severity|sev|p|level)$/.test(words[place - 1]?.text ?? '')) continue;
    const isNear = superlatives.test(words[place - 1]?.text ?? '') || superlatives.test(words[place + 1]?.text ?? '');
    const after = words.slice(place + 1, place + 6);
    const counts = isNear || after.some(({ text }) => list(kinds[kind] ?? '').some((noun) => isNoun(text, noun)));
    if (!counts) continue;
    input.limit = Math.min(20, number);
    word.isFree = false;
    const before = words[place - 1];
    if (before?.text === 'top') before.isFree = false;
    if (/^(priority|priorities)$/.test(words[place + 1]?.text ?? '')) input.sort = 'priority';
    return;
  }
  const place = words.findIndex(({ text, isFree }) => isFree && /^(newest|latest|oldest|longest|earliest)$/.test(text));
  if (place < 0 || words[place + 1]?.text === 'first') return;
  const noun = words
    .slice(place + 1, place + 5)
    .find(({ text }) => list(kinds[kind] ?? '').some((each) => isNoun(text, each)) || text === 'one');
  if (noun && !noun.text.endsWith('s')) input.limit = 1;
}

/** "per team", "for each priority", "which team has the most", "priority breakdown". */
function readGrouping(words: readonly Word[], fields: readonly string[]): string | undefined {
  if (fields.length === 0 || findPhrase(words, 'sort|order|rank|arrange')) return undefined;
  const verbs = words.filter(({ text }) => text !== 'open');
  const asksWhoRaised = says(verbs, 'who .. $raise');
  const wanted = asksWhoRaised ? ['requested_by'] : ['assigned_to', 'requested_by'];
  const person = wanted.find((field) => fields.includes(field));
  if (person && takePhrase(words, 'who .. $most')) return person;
  const named = fields.flatMap((field) => list(fieldWords[field] ?? field).map((word) => ({ field, word })));
  // Longer words first: "change type" before "type".
  named.sort((a, b) => b.word.length - a.word.length);
  const breakdown = 'breakdown|split|distribution|mix|spread|statistics|stats|histogram|overview';
  const frames = (word: string) => [
    `$each ${word}`,
    `$each assign|assigned|support|individual|different|various|single ${word}`,
    `which|what ${word} .. $most`,
    `which|what .. ${word} .. $most`,
    `${word} with|have|has .. $most`,
    `${word} get|be .. $most`,
    `busiest|biggest|heaviest|most|top common|frequent|popular|loaded|busy|affected? ${word}`,
    `busiest|commonest|heaviest ${word}`,
    `${word} ${breakdown}`,
    `${breakdown} of .. ${word}`,
    `how .. distribute|spread|split .. ${word}`,
    `compare .. ${word}`,
    `${word} vs|versus`,
  ];
  for (const { field, word } of named) {
    for (const frame of frames(word)) if (takePhrase(words, frame)) return field;
  }
  if (takePhrase(words, 'how many of each')) return named.find(({ word }) => findPhrase(words, word))?.field;
  if (fields.includes('assigned_to')) {
    for (const frame of [
      'who .. busiest',
      'who .. swamp|overload|drown|overwork',
      '=workload',
      'whose .. $most',
      'who .. what count',
    ])
      if (takePhrase(words, frame)) return 'assigned_to';
  }
  return undefined;
}

const waitsForSomebody =
  '$nobody .. $attend, not .. pick up, not .. claim, up for grab, up for grabs, wait for someone|somebody, need someone|somebody';

/** What somebody has "still" or "right now" is open, and so is what nobody has picked up. */
function readImpliedState({ words, input, has, kind, properties }: Reading): void {
  if (!has('state') || 'state' in input || kind === 'configuration_items') return;
  if (input.assigned_to === null && says(words, waitsForSomebody)) input.state = openStates(properties.state);
  if ('sla' in input || 'sla_due_within_minutes' in input || input.assigned_to === null || 'planned_after' in input)
    return;
  if (says(words, '=still, right now, at the moment, currently, at present, =current, have to do'))
    input.state = openStates(properties.state);
}
