// Reads a question about one kind of record: times, names of people, teams and items, values of fields, order and grouping.
// Every reading uses up its words. Words that nothing has read, and that the vocabulary does not know, are searched for.
import type { ToolSpec } from '../converse.ts';
import { smallWords } from './english.ts';
import { applyValues, listValues, openStates } from './field-values.ts';
import { findPhrase, list, markUsed, type Run, says, takePhrase } from './phrases.ts';
import { isForeign, isNoun, matchesNoun, type Reading, type Word } from './question-words.ts';
import { readItem } from './read-item.ts';
import { readSubjects } from './read-subjects.ts';
import { applyTime, readTime } from './read-time.ts';
import { fieldWords, hints, kinds, vagueNouns, valueWords } from './vocabulary.ts';

export interface Understood {
  /** The field to group by, if the question asks for counts of each value. */
  by: string | undefined;
  /** Words that are searched for only because nothing else is known about them. */
  unknown: readonly string[];
  /** Words with a meaning that no reading used. */
  ignored: readonly string[];
}

export function readQuestion(reading: Reading, counter: ToolSpec | undefined): Understood {
  const { words, input, kind, has } = reading;
  readText(reading);
  readItem(reading);
  const time = readTime(reading);
  readLimit(reading);
  readSubjects(reading);
  const by = counter && readGrouping(words, listValues(counter.schema.properties?.by));
  // "Our tickets by priority" are everybody's.
  if (by && input.assignment_group === 'my_team' && !says(words, 'my|our $group')) delete input.assignment_group;
  for (const noun of list(kinds[kind] ?? '')) {
    // "Out of service" names no service.
    const isVague = vagueNouns.has(noun) || findPhrase(words, `out of ${noun}`);
    const word = isVague ? undefined : words.find(({ text, isFree }) => isFree && isNoun(text, noun));
    if (word) word.isFree = false;
  }
  applyValues(reading);
  const unusedTime = applyTime(reading, time);
  readImpliedState(reading);
  for (const phrase of [...list(idioms), ...list(hints[kind] ?? '')]) takePhrase(words, phrase);
  const unread = words.filter(({ isFree, text }) => isFree && text.length <= maxWordLength);
  // A verb in the past ("escalated") is seldom what a text is about.
  const isSearched = (word: Word | undefined): boolean =>
    word?.isFree === true &&
    isForeign(word) &&
    !namesValue(word, reading) &&
    !/^.$|[a-z]{3}ed$|[a-z]{3}ly$/.test(word.text) &&
    !isMeasure(words, word);
  // "floor 3"
  const searched = unread.filter(
    (word) => isSearched(word) || (/^\d+$/.test(word.text) && isSearched(words[words.indexOf(word) - 1])),
  );
  const unknown = [...new Set(searched.map(({ text }) => text))].slice(0, maxSearched);
  if (unknown.length > 0 && has('item') && !('item' in input)) input.item = unknown.join(' ').replace(/s$/, '');
  else if (unknown.length > 0 && has('text')) input.text = [input.text, ...unknown].filter(Boolean).join(' ');
  const ignored = unread.filter((word) => !searched.includes(word) && isContent(word, reading));
  const described = [...ignored.map((word) => describeIgnored(word, words)), ...(unusedTime ? [unusedTime] : [])];
  return { by, unknown, ignored: described.filter((each) => !described.some((other) => other.endsWith(` ${each}`))) };
}

/** "above 2000 crowns", "sorted by satisfaction", "no backout plan": a comparison, an order or a denial, and no topic. */
function isMeasure(words: readonly Word[], word: Word): boolean {
  const place = words.indexOf(word);
  const near = (from: number, until: number) =>
    words.slice(Math.max(0, from), until).map(({ text, isFree }) => (isFree ? text : '_'));
  const before = near(place - 4, place).join(' ');
  return (
    measuresBefore.some((pattern) => pattern.test(before)) || measuresAfter.test(near(place + 1, place + 4).join(' '))
  );
}

const measuresBefore = [
  /\b(above|over|under|below|than|exceeding|least|most) \d+( \S+){0,2}$/,
  /\b(sorted|ordered|ranked) by( \S+){0,2}$/,
  /\b(no|without)( an?| any)?( [a-z]+)?$/,
  /\bnot( assigned| owned| by| to| for| from)*$/,
];
const measuresAfter = /^(is |are |of )?(above|over|under|below|[a-z]+ than|exceeding) \d/;

const maxSearched = 6;
const maxWordLength = 30;

function namesValue(word: Word, { properties }: Reading, fields = Object.keys(properties)): boolean {
  const examples = fields.flatMap((field) => properties[field]?.examples ?? []);
  return examples.some((value) => isNoun(word.text, String(value).toLowerCase()));
}

/** Whether the answer changes with the word, so that it must say that the word was not understood. */
function isContent(word: Word, reading: Reading): boolean {
  const { text, forms } = word;
  // "Database servers" are databases.
  if (isForeign(word)) return text.length > 1 && !('class' in reading.input && namesValue(word, reading, ['class']));
  return /^\d+$/.test(text) || denial.test(text) || [`=${text}`, text, ...forms].some((form) => valueWords.has(form));
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

const aboutPhrases =
  'about, mention, contain, regard, concern, relate to, have to do with, to do with, say, with .. in the text, with the word, with the phrase, call, title, in the title, on the subject of, description say';
const textEnds =
  /^(since|of|in|from|that|which|assigned|by|for|created|opened|raised|logged|are|is|was|were|this|last|today|yesterday|and|or|sorted|by|per|still|open|please|over|during|within)$/;

/** "tickets about new laptops" are not new, and "tickets with new laptop in the title" neither. */
function readText({ words, input, has }: Reading): void {
  const found = has('text') ? findText(words) : undefined;
  if (!found) return;
  markUsed(words, found.run);
  for (const word of found.zone) word.isFree = false;
  input.text = found.zone.map((word) => word.correctedFrom ?? word.text).join(' ');
}

function findText(words: readonly Word[]): { run: Run; zone: readonly Word[] } | undefined {
  const between = findPhrase(words, 'with .. in the|their|its text|title|description|subject');
  const inside = between ? words.slice(between.from + 1, between.places[1]) : [];
  if (between && inside.length > 0) return { run: between, zone: inside };
  for (const phrase of list(aboutPhrases)) {
    const run = findPhrase(words, phrase);
    const next = words[run?.until ?? -1];
    if (!run || !next || next.text === 'to' || /^(what|how)$/.test(words[run.from - 1]?.text ?? '')) continue;
    const after = words.slice(run.until);
    const end = after.findIndex(({ text, isFree }, place) => !isFree || (place > 0 && textEnds.test(text)));
    const zone = after
      .slice(0, end < 0 ? undefined : end)
      .filter(({ text }) => !/^(the|a|an|my|our|any|some|words?|phrase|term)$/.test(text));
    if (zone.some(({ text }) => !textEnds.test(text) && !smallWords.has(text))) return { run, zone };
  }
  return undefined;
}

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const superlatives =
  /^(newest|latest|oldest|most|longest|highest|worst|last|recent|top|first|next|earliest|biggest|riskiest|upcoming|just|only)$/;

/** "top 5", "the three oldest", "5 open tickets"; one for "the oldest ticket". */
function readLimit({ words, input, kind }: Reading): void {
  for (const [place, word] of words.entries()) {
    const number = numberWords.indexOf(word.text) + 1 || (/^\d{1,3}$/.test(word.text) ? Number(word.text) : 0);
    const [before, after] = [words[place - 1], words[place + 1]].map((each) => each?.text ?? '');
    const isFirst = superlatives.test(before ?? '');
    if (!word.isFree || number < 1 || (word.text === 'one' && !isFirst)) continue;
    if (/^(priority|prio|severity|sev|p|level)$/.test(before ?? '')) continue;
    const isNear = isFirst || superlatives.test(after ?? '');
    if (!isNear && !words.slice(place + 1, place + 6).some((each) => matchesNoun(each, kinds[kind]))) continue;
    input.limit = Math.min(20, number);
    word.isFree = false;
    if (before === 'top') takePhrase(words, 'top');
    if (/^(priority|priorities)$/.test(after ?? '')) input.sort = 'priority';
    if (before === 'next' && kind === 'changes') input.sort = 'planned_start';
    return;
  }
  const place = words.findIndex(
    ({ text, isFree }) => isFree && /^(newest|latest|oldest|longest|earliest|next)$/.test(text),
  );
  if (place < 0 || /^(first|on|about|with)$/.test(words[place + 1]?.text ?? '')) return;
  const noun = words
    .slice(place + 1, place + 5)
    .find((each) => matchesNoun(each, kinds[kind]) || /^(one|thing|p\d)$/.test(each.text));
  if (words[place - 1]?.text === 'single' || (noun && !noun.text.endsWith('s'))) input.limit = 1;
}

const breakdown = 'breakdown|split|distribution|mix|spread|statistics|stats|histogram|overview';

/** Ways to group by a field; `#` is a word for it. */
const groupings = [
  '$each #',
  '$each assign|assigned|support|individual|different|various|single #',
  'which|what # .. $most',
  'which|what .. # .. $most',
  '# with|have|has|get|be .. $most',
  'which # have|has|get|own|hold|face',
  'busiest|biggest|heaviest|most|top common|frequent|popular|loaded|busy|affected #',
  'busiest|heaviest|commonest #',
  'most =requested|=ordered|=reported|=raised|=used #',
  '# by .. volume|count|number|frequency',
  `# ${breakdown}`,
  `${breakdown} of .. #`,
  'how .. distribute|spread|split .. #',
  'compare .. #',
  '# vs|versus',
];
const workloads = 'who .. busiest, who .. swamp|overload|drown|overwork, =workload, whose .. $most, who .. what count';

/** "per team", "for each priority", "which team has the most", "priority breakdown". */
function readGrouping(words: readonly Word[], fields: readonly string[]): string | undefined {
  if (fields.includes('item') && takePhrase(words, 'what .. $raise .. $most')) return 'item';
  if (fields.length === 0 || list('sort|=order|=ordered|arrange, rank by').some((each) => findPhrase(words, each)))
    return undefined;
  const asksWhoRaised = says(
    words.filter(({ text }) => text !== 'open'),
    'who .. $raise',
  );
  const people = asksWhoRaised ? ['requested_by'] : ['assigned_to', 'requested_by'];
  const person = people.find((field) => fields.includes(field));
  if (person && takePhrase(words, 'who .. $most')) return person;
  const named = fields.flatMap((field) => list(fieldWords[field] ?? field).map((word) => ({ field, word })));
  // Longer words first: "change type" before "type".
  named.sort((a, b) => b.word.length - a.word.length);
  const found = named.find(({ word }) => groupings.some((each) => takePhrase(words, each.replace('#', word))));
  if (found) return found.field;
  if (takePhrase(words, 'how many of|for|in? each')) return named.find(({ word }) => findPhrase(words, word))?.field;
  const isWorkload = fields.includes('assigned_to') && list(workloads).some((phrase) => takePhrase(words, phrase));
  return isWorkload ? 'assigned_to' : undefined;
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
