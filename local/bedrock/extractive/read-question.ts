// Reads a question about one kind of record: times, names of people, teams and items, values of fields, order and grouping.
// Every reading uses up its words. Words that nothing has read, and that the vocabulary does not know, are searched for.
import type { ToolSpec } from '../converse.ts';
import { applyValues, listValues, openStates } from './field-values.ts';
import { findPhrase, list, markUsed, takePhrase } from './phrases.ts';
import { isNoun, type Reading, type Word } from './question-words.ts';
import { readSubjects } from './read-subjects.ts';
import { type TimeSpan, timeSpanIn } from './time-span.ts';
import { dependencies, fieldWords, kinds, vagueNouns } from './vocabulary.ts';

/** The field to group by, if the question asks for counts of each value, and the words that nothing is known about. */
export function readQuestion(
  reading: Reading,
  counter: ToolSpec | undefined,
): { by: string | undefined; unknown: readonly string[] } {
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
  // A verb in the past ("escalated") is seldom what a text is about.
  const isContent = ({ isFree, isKnown, text }: Word) =>
    isFree && !isKnown && text.length > 1 && text.length <= maxWordLength && !/[a-z]{3}ed$/.test(text);
  const rest = words.filter(isContent);
  const unknown = [...new Set(rest.map(({ text }) => text))].slice(0, 6);
  for (const word of rest) word.isFree = false;
  if (unknown.length > 0 && has('item') && !('item' in input)) input.item = unknown.join(' ').replace(/s$/, '');
  else if (unknown.length > 0 && has('text')) input.text = [input.text, ...unknown].filter(Boolean).join(' ');
  return { by, unknown };
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
      ({ text }) => !/^(the|a|an|my|our|any|some)$/.test(text),
    );
    if (zone.length === 0 || zone.every(({ text }) => textEnds.test(text))) continue;
    markUsed(words, run);
    for (const word of zone) word.isFree = false;
    input.text = zone.map((word) => word.correctedFrom ?? word.text).join(' ');
    return;
  }
}

/** Names such as vpn-gateway-1: they start with a letter and contain a digit. */
export function isItemName({ text, isKnown }: Word): boolean {
  return !isKnown && /^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*$/.test(text) && /\d/.test(text) && !notItems.test(text);
}

const notItems = /^(p[1-4]s?|sev\d|q[1-4]|0x.*|(?:inc|chg|req)[0-9a-z]{7})$/;

/** A name with a digit, or one with a hyphen such as billing-app. */
function findItem(words: readonly Word[]): Word | undefined {
  return words.find(isItemName) ?? words.find(({ text, isKnown }) => !isKnown && /^[a-z]+(?:-[a-z]+)+$/.test(text));
}

export function findDependency(words: readonly Word[]): 'depends_on' | 'needed_by' | undefined {
  const found = findItem(words);
  const item = found ? words.indexOf(found) : -1;
  if (item < 0) return undefined;
  for (const [direction, phrases] of Object.entries(dependencies)) {
    for (const phrase of list(phrases)) {
      const run = findPhrase(words, phrase);
      if (!run) continue;
      if (direction === 'verb') return run.from > item ? 'needed_by' : 'depends_on';
      return direction as 'depends_on' | 'needed_by';
    }
  }
  return undefined;
}

function readItem({ words, input, has, kind }: Reading): void {
  const direction = kind === 'configuration_items' ? findDependency(words) : undefined;
  const word = direction ? findItem(words) : words.find((each) => each.isFree && isItemName(each));
  if (!word) return;
  const field = direction ?? (kind === 'configuration_items' ? 'name' : 'ci');
  if (!has(field)) return;
  word.isFree = false;
  input[field] = /^ci\d{7}$/.test(word.text) ? word.text.toUpperCase() : word.text;
  if (direction || field === 'name') {
    // "Is vpn-gateway-1 up?" asks for its status.
    for (const other of words) if (direction || other.isKnown) other.isFree = false;
  }
}

/** "not touched for five days": without a change since then. */
function saysStale(said: string): boolean {
  const denials = [...said.matchAll(/\b(?:not|no|without|never|nobody)\b/g)];
  return (
    vaguelyStale.test(said) || denials.some(({ index }) => activity.test(said.slice(index, index + maxDenialLength)))
  );
}

const maxDenialLength = 45;
const activity = /\b(?:touch|updat|chang|modif|activit|progress|mov(?:e|ing)|response\b|news\b|look(?:ed|ing)? at\b)/;
const vaguelyStale = /\b(?:stale|untouched|idle|inactive|dormant|quiet|silent|neglected)\b/;

interface ReadSpan extends Omit<TimeSpan, 'at'> {
  isStale: boolean;
  said: string;
}

const staleMs = 7 * 86_400_000;

function readTime({ words, nowMs, kind, has }: Reading): ReadSpan | undefined {
  const said = words.map(({ text, isFree }) => (isFree ? text : '_'.repeat(text.length))).join(' ');
  const isStale = has('updated_before') && saysStale(said);
  const span = timeSpanIn(said, nowMs, kind === 'changes' ? 'future' : 'past');
  if (!span) return isStale && isVagueStale.test(said) ? { untilMs: nowMs - staleMs, isStale, said: '' } : undefined;
  let at = 0;
  for (const word of words) {
    if (at >= span.at.from && at < span.at.until) word.isFree = false;
    at += word.text.length + 1;
  }
  return { ...span, isStale, said: said.slice(span.at.from, span.at.until) };
}

const isVagueStale = /\b(?:stale|untouched|idle|inactive|dormant|neglected)\b/;

const slaWords = 'due, breach, miss, expire, violate, overdue, sla, target, deadline, run out, late, out of time';
const finalWords =
  'update, =changed, touch, modify, resolve, close, fix, solve, cancel, complete, finish, reject, fulfil, fulfill, deliver, ' +
  'decline, deny, turn down, approve, implement, reopen';

function applyTime({ words, input, has, nowMs, kind }: Reading, span: ReadSpan | undefined): void {
  if (!span || says(words, 'do today, work on today, to do today, plate today')) return;
  const { fromMs, isStale } = span;
  // "Due within two hours" looks ahead.
  const isWithin =
    /^(within|under|less)\b(?!.*(?:last|past|previous|next|coming))/.test(span.said) &&
    fromMs !== undefined &&
    has('sla_due_within_minutes');
  const untilMs = isWithin && says(words, slaWords) ? 2 * nowMs - fromMs : span.untilMs;
  const isAhead = untilMs !== undefined && untilMs > nowMs;
  if (
    has('sla_due_within_minutes') &&
    isAhead &&
    says(words, slaWords) &&
    !says(words, '=breached, =missed, =violated, =exceeded, overdue, late, blow, fail')
  ) {
    delete input.sla;
    input.sla_due_within_minutes = Math.max(1, Math.round((untilMs - nowMs) / 60_000));
    return;
  }
  const iso = (ms: number) => new Date(ms).toISOString();
  if (isStale) {
    // Not updated "in 3 days" is read as a time ahead.
    const before = fromMs === nowMs && untilMs !== undefined ? 2 * nowMs - untilMs : (fromMs ?? untilMs ?? nowMs);
    input.updated_before = iso(before);
    return;
  }
  const isPlanned =
    kind === 'changes' &&
    ((fromMs ?? nowMs) > nowMs || !says(words, `${finalWords}, create, open, raise, request, log, submit`));
  const isFinal = says(words, finalWords) && (untilMs === undefined || fromMs !== undefined);
  const fields = [
    isPlanned && 'planned',
    input.sla === 'breached' && 'sla_breach',
    isFinal && String(input.state) === 'resolved' && 'resolved',
  ];
  const field = fields.find((each) => each !== false) ?? (isFinal ? 'updated' : 'created');
  const verb = has(`${field}_after`) ? field : isFinal ? 'updated' : 'created';
  // "After" leaves out the moment itself.
  if (fromMs !== undefined) input[`${verb}_after`] = iso(fromMs - 1);
  if (untilMs !== undefined && (untilMs <= nowMs || isPlanned)) input[`${verb}_before`] = iso(untilMs);
  // What is being rolled out next week is planned, and no state.
  if (isPlanned && isAhead && /^(implementing|completed)$/.test(String(input.state))) delete input.state;
  // "New tickets today" came in today, whatever became of them.
  if (verb === 'created' && String(input.state) === 'new') delete input.state;
}

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const superlatives =
  /^(newest|latest|oldest|most|longest|highest|worst|last|recent|top|first|next|earliest|biggest|riskiest|upcoming|just|only)$/;

/** "top 5", "the three oldest", "5 open tickets"; one for "the oldest ticket". */
function readLimit({ words, input, kind }: Reading): void {
  for (const [place, word] of words.entries()) {
    const number = numberWords.indexOf(word.text) + 1 || (/^\d{1,2}$/.test(word.text) ? Number(word.text) : 0);
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
  const asksWhoRaised = says(words, 'who .. $raise');
  if (takePhrase(words, 'who .. $most')) {
    const wanted = asksWhoRaised ? ['requested_by', 'assigned_to'] : ['assigned_to', 'requested_by'];
    const person = wanted.find((field) => fields.includes(field));
    if (person) return person;
  }
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

/** What somebody has "still" or "right now" is open. */
function readImpliedState({ words, input, has, kind, properties }: Reading): void {
  if (!has('state') || 'state' in input || kind === 'configuration_items') return;
  if ('sla' in input || 'sla_due_within_minutes' in input || input.assigned_to === null || 'planned_after' in input)
    return;
  if (says(words, '=still, right now, at the moment, currently, at present, =current, have to do'))
    input.state = openStates(properties.state);
}

/** Also by words that have been used. */
function says(words: readonly Word[], phrases: string): boolean {
  const all = words.map((word) => ({ ...word, isFree: true }));
  return list(phrases).some((phrase) => findPhrase(all, phrase) !== undefined);
}
