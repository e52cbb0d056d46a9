// Who and what a question is about: the caller, a team, a person, a value of the data such as a category or a location. The
// words around a name decide which field it belongs to: "assigned to Ann", "on Ann's plate", "what Ann ordered".
import { findPhrase, list, markUsed, type Run, takePhrase } from './phrases.ts';
import { isNoun, type Reading, type Word } from './question-words.ts';
import { aliases, classes, kinds } from './vocabulary.ts';

/** Merges names of several words, and marks every name as a `subject` for the phrases below. */
interface Subject {
  word: Word;
  kind: 'me' | 'my_team' | 'group' | 'person';
  value: string;
  isSure: boolean;
}

export function readSubjects(reading: Reading): void {
  const { words, input } = reading;
  readDataValues(reading);
  // The service's own "for me" and "show me" are not about the caller.
  for (const phrase of list(wrappers))
    for (let run = takePhrase(words, phrase); run; run = takePhrase(words, phrase, run.from + 1));
  if (reading.has('location')) readLocation(reading);
  const subjects = findSubjects(reading);
  for (const subject of subjects) {
    const field = fieldFor(subject, reading);
    if (!field || field in input || Object.values(input).includes(subject.value)) continue;
    subject.word.isFree = false;
    if (/^(requested|opened)_by$/.test(field)) takeRaise(words, subject.word);
    input[field] = subject.value;
  }
}

const wrappers =
  'show|give|tell|get|let|find|fetch|bring|send|list|pull|help|remind|print|grab|open me, for me please, i mean, i want, i would like, i need to see, ' +
  'i need to know, i need a, can i see, can i get, can i have, could i see, could i get, could i have, may i see, i look for, i be look for, i wonder, i be wonder, i think, i be curious, ' +
  'did anybody|anyone|somebody|someone|people =open, can wait, =plans, i know, i like to, i wish, i guess, i need the, i need all, me know, me see, me a list';

const locationPhrases = 'locate in|at, base in|at, site, in, at';

const peopleFields = ['assigned_to', 'requested_for', 'requested_by', 'owner'];

/** Values that records have: categories, groups, classes, environments, locations. */
function readDataValues({ words, input, properties, has, kind }: Reading): void {
  const values = Object.entries(properties).flatMap(([field, property]) =>
    (property.examples ?? []).filter((value) => typeof value === 'string').map((value) => ({ field, value })),
  );
  const named = values.flatMap(({ field, value }) => {
    const plain = value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return [plain, ...list(aliases[value.toLowerCase()] ?? '')]
      .filter(Boolean)
      .map((phrase) => ({ field, value, phrase }));
  });
  const place = (phrase: string) => findPhrase(words, phrase)?.from ?? words.length;
  // Names of more words first, then as said: "database servers" are databases.
  named.sort((a, b) => b.phrase.split(' ').length - a.phrase.split(' ').length || place(a.phrase) - place(b.phrase));
  for (const { field, value, phrase } of named) {
    if (field in input || peopleFields.includes(field) || !has(field)) continue;
    const run = findPhrase(words, phrase);
    if (!run || isDenied(words, run)) continue;
    const rivals = named.filter((each) => each.phrase === phrase && each.field !== field && !(each.field in input));
    if (
      field === 'assignment_group'
        ? !isGroup(words, run, rivals.length > 0, kind)
        : rivals.some((each) => each.field === 'assignment_group') && isGroup(words, run, true, kind)
    )
      continue;
    markUsed(words, run);
    input[field] = value;
    if (field === 'assignment_group') takeGroupNoun(words, run);
  }
}

/** "not in the network category": no list can leave out a name, so the answer says that this was not understood. */
function isDenied(words: readonly Word[], { from }: Run): boolean {
  return words.slice(Math.max(0, from - 3), from).some(({ text }) => /^(not|non|except|excluding|without)$/.test(text));
}

/** "in Frankfurt", for items. */
function readLocation({ words, input }: Reading): void {
  for (const phrase of list(locationPhrases)) {
    const run = findPhrase(words, phrase);
    const next = words[run?.until ?? -1];
    if (!run || !next?.isFree || next.isKnown || 'location' in input || !(next.isName || run.places.length > 1))
      continue;
    next.isFree = false;
    input.location = next.text;
  }
}

/** "the network team", "with network", but "network tickets" and "network problems". */
function isGroup(words: readonly Word[], { from, until }: Run, hasRival: boolean, kind: string): boolean {
  if (isGroupNoun(words[until])) return true;
  if (!hasRival) return true;
  const next = words[until]?.text ?? '';
  if (
    list(kinds[kind] ?? '').some((noun) => isNoun(next, noun)) ||
    /^(category|related|access|connectivity)$/.test(next)
  )
    return false;
  const before = words.slice(Math.max(0, from - 2), from).map(({ text }) => text);
  return (
    before.some((text) => /^(for|with|by|of|to|from|at|does|is|has|did)$/.test(text)) || words[from]?.isOwner === true
  );
}

function isGroupNoun(word: Word | undefined): boolean {
  return word?.isFree === true && list(classes.group ?? '').some((noun) => isNoun(word.text, noun));
}

function takeGroupNoun(words: readonly Word[], { until }: Run): void {
  const next = words[until];
  if (next && isGroupNoun(next)) next.isFree = false;
}

function findSubjects({ words, has, properties }: Reading): Subject[] {
  const emails = peopleFields
    .flatMap((field) => properties[field]?.examples ?? [])
    .map((value) => String(value).toLowerCase());
  const parts = new Set(emails.flatMap((each) => (each.split('@')[0] ?? '').split(/[._+-]/)));
  const subjects: Subject[] = [];
  for (const [place, word] of words.entries()) {
    const next = words[place + 1];
    if (!word.isFree) continue;
    const mark = (kind: Subject['kind'], value: string, isSure: boolean, length = 1) => {
      for (const other of words.slice(place + 1, place + length)) other.isFree = false;
      word.forms = [...word.forms, 'subject'];
      word.isOwner ||= words[place + length - 1]?.isOwner === true;
      subjects.push({ word, kind, value, isSure });
    };
    const hasTeam =
      /^(my|our)$/.test(word.text) &&
      next !== undefined &&
      isGroupNoun(next) &&
      has('assignment_group') &&
      next.text !== 'queue';
    if (hasTeam) mark('my_team', 'my_team', true, 2);
    else if (/^(our|ours|us)$/.test(word.text) && has('assignment_group'))
      mark('my_team', 'my_team', word.text !== 'us');
    else if (/^(i|me|my|mine|myself)$/.test(word.text)) mark('me', 'me', true);
    else if (word.text.includes('@')) mark('person', word.text, true);
    else if (!word.isKnown && isGroupNoun(next) && has('assignment_group') && !/\d/.test(word.text))
      mark('group', word.text, true, 2);
    else if (!word.isKnown && /^\p{L}+$/u.test(word.text) && !isPlace(words, place)) {
      const isFull =
        next?.isFree && !next.isKnown && (word.isName || parts.has(word.text)) && (next.isName || parts.has(next.text));
      mark(
        'person',
        isFull ? `${word.text} ${next.text}` : word.text,
        word.isName || word.isOwner || parts.has(word.text),
        isFull ? 2 : 1,
      );
    }
  }
  return subjects;
}

/** "the Leeds office": a place, and no person. */
function isPlace(words: readonly Word[], place: number): boolean {
  return words[place - 1]?.text === 'the' || placeNouns.test(words[place + 1]?.text ?? '');
}

const placeNouns = /^(office|site|branch|building|campus|floor|plant|store|warehouse|datacenter|room|region)s?$/;

type Role = 'approver' | 'raised' | 'receiver' | 'handler' | 'own';

/** Phrases around a name. Those that are `strong` tell a person even by an unknown word in lower case. */
const frames: readonly [role: Role, strong: string, weak: string][] = [
  [
    'approver',
    '',
    '$await .. subject, subject approval, subject decision, subject sign off, from subject, subject to approve, subject =approve, subject can approve',
  ],
  [
    'raised',
    '$raise by subject, opened by subject, do|did subject $raise, have subject ask for, have subject put in',
    'subject $raise, subject not $raise, subject opened, be subject request, subject be request',
  ],
  ['receiver', 'on behalf of subject', 'for subject'],
  [
    'handler',
    'assign to subject, own by subject, handle by subject, work on by subject, take by subject, pick up by subject, belong to subject, sit with subject, ' +
      'be subject work on, do|did subject own, do subject handle, owner subject, look after by subject',
    '$handled subject, subject $handle, subject $desk, on|in|at|under subject $desk, be|do|have subject $handle, have subject, subject get, be subject busy|on|do, subject be',
  ],
  ['own', '', 'for subject, of subject, by subject, from subject'],
];

/** "Ann submitted" names no state. */
function takeRaise(words: readonly Word[], word: Word): void {
  const at = words.indexOf(word);
  const verbs = list(classes.raise ?? '');
  for (const other of words.slice(Math.max(0, at - 2), at + 3))
    if (other.text !== 'open' && other.forms.some((form) => verbs.includes(form))) other.isFree = false;
}

/** Undefined when the words around it do not say that a person or a team is meant. */
function fieldFor({ word, kind, isSure }: Subject, reading: Reading): string | undefined {
  const { has, kind: records } = reading;
  const role = findRole(word, kind, isSure, reading);
  const isTeam = kind === 'my_team' || kind === 'group';
  if (role === undefined || (role === 'own' && kind === 'person' && records === 'configuration_items' && !has('owner')))
    return undefined;
  if (role === 'approver') word.isFree = false;
  const requester = has('requested_by') ? 'requested_by' : undefined;
  const fields: Readonly<Record<Role, string | undefined>> = {
    approver: undefined,
    raised: requester ?? 'opened_by',
    receiver: 'requested_for',
    handler: isTeam ? 'assignment_group' : has('assigned_to') ? 'assigned_to' : (requester ?? 'owner'),
    own: isTeam ? 'assignment_group' : (requester ?? (has('assigned_to') ? 'assigned_to' : 'owner')),
  };
  const field = fields[role];
  return field !== undefined && has(field) ? field : undefined;
}

function findRole(
  word: Word,
  kind: Subject['kind'],
  isSure: boolean,
  { words, has, kind: records }: Reading,
): Role | undefined {
  const at = words.indexOf(word);
  const near = words.slice(Math.max(0, at - 4), at + 5).map((each) => {
    const forms = each.forms.filter((form) => form !== 'subject');
    // "My open tickets" are not those that I opened.
    if (each.text === 'open') return { ...each, text: '', forms: [] };
    return { ...each, isFree: true, forms: each === word ? ['subject'] : forms };
  });
  const says = (phrases: string) => phrases !== '' && list(phrases).some((phrase) => findPhrase(near, phrase));
  for (const [role, strong, weak] of frames) {
    if (role === 'approver' && (records === 'incidents' || kind !== 'me')) continue;
    if (role === 'receiver' && !has('requested_for')) continue;
    if (role === 'own' && kind === 'person' && !word.isName && !word.isOwner) continue;
    if (says(strong) || (isSure && says(weak))) return role;
  }
  // "I need all tickets" does not ask for those of the caller.
  const needsNoFrame = word.text !== 'i' && (kind !== 'person' || word.isOwner || word.text.includes('@'));
  return isSure && needsNoFrame ? 'own' : undefined;
}
