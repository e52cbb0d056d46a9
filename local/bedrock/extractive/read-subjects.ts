// Who and what a question is about: the caller, a team, a person, a value of the data such as a category or a location. The
// words around a name decide which field it belongs to: "assigned to Ann", "on Ann's plate", "what Ann ordered".
import { smallWords } from './english.ts';
import { findPhrase, list, markUsed, type Run, takePhrase } from './phrases.ts';
import { isForeign, matchesNoun, type Reading, type Word } from './question-words.ts';
import { aliases, classes, kinds } from './vocabulary.ts';

interface Subject {
  word: Word;
  kind: 'me' | 'team' | 'person';
  value: string;
  /** How many words the name has. */
  length: number;
  /** Otherwise only a strong phrase makes a name of an unknown word. */
  isSure: boolean;
}

export function readSubjects(reading: Reading): void {
  const { words, input } = reading;
  readDataValues(reading);
  // The service's own "for me" and "show me" are not about the caller.
  for (const phrase of list(wrappers))
    for (let run = takePhrase(words, phrase); run; run = takePhrase(words, phrase, run.from + 1));
  if (reading.has('location')) readLocation(reading);
  for (const { word, value, ...subject } of findSubjects(reading)) {
    if (takeDenial(words, words.indexOf(word))) continue;
    const field = findField({ word, value, ...subject }, reading);
    if (!field || field in input || Object.values(input).includes(value)) continue;
    word.isFree = false;
    if (/^(requested|opened)_by$/.test(field)) takeRaise(words, word);
    input[field] = value;
  }
}

const wrappers =
  'show|give|tell|get|let|find|fetch|bring|send|list|pull|help|remind|print|grab|open me, show|give|get|find|fetch|list|pull for me, for me please, i mean, i want, i would like, i need to see, ' +
  'i need to know, i need a, can i see, can i get, can i have, could i see, could i get, could i have, may i see, i look for, i be look for, i wonder, i be wonder, i think, i be curious, ' +
  'by approver|cab|board|management, did anybody|anyone|somebody|someone|people =open, can wait, =plans, i know, i like to, i wish, i guess, i need the, i need all, me know, me see, me a list';

const peopleFields = ['assigned_to', 'requested_for', 'requested_by', 'owner'];

const ownFields = ['requested_by', 'assigned_to', 'owner'];

/** Values that records have: categories, groups, classes, environments, locations. */
function readDataValues({ words, input, properties, kind }: Reading): void {
  const named = Object.entries(properties).flatMap(([field, { examples = [] }]) =>
    examples.map(String).flatMap((value) => (value.includes('@') ? [] : toPhrases(value, field, words))),
  );
  // Names of more words first, then as said: "database servers" are databases.
  named.sort((a, b) => b.run.places.length - a.run.places.length || a.run.from - b.run.from);
  for (const { field, value, run } of named) {
    if (field in input || run.places.some((place) => !words[place]?.isFree) || takeDenial(words, run.from)) continue;
    // "The mail relay" is a thing of its own.
    if (
      field === 'category' &&
      words[run.from - 1]?.text === 'the' &&
      words.slice(run.until, run.until + 1).some(isForeign)
    )
      continue;
    const rivals = named.filter((each) => each.run.from === run.from && each.field !== field && !(each.field in input));
    const isTeam = isGroup(words, run, rivals.length > 0 || field === 'owner', kind);
    const isRival = rivals.some((each) => each.field === 'assignment_group');
    if (/^(assignment_group|owner)$/.test(field) ? !isTeam : isRival && isTeam) continue;
    markUsed(words, run);
    input[field] = value;
    const next = words[run.until];
    if (isTeam && next && isGroupNoun(next)) next.isFree = false;
  }
}

/** The ways to say a value that the question has. */
function toPhrases(value: string, field: string, words: readonly Word[]) {
  const lower = value.toLowerCase();
  const said = [lower.replace(/[^\p{L}\p{N}]+/gu, ' ').trim(), ...list(aliases[lower] ?? '')].filter(Boolean);
  return said.flatMap((phrase) => {
    const run = findPhrase(words, phrase);
    return run ? [{ field, value, run }] : [];
  });
}

/**
 * "not in the network category": no list can leave out a name, so the answer says that this was not understood. In "without
 * an owner in the network team" the denial is about the owner.
 */
function takeDenial(words: readonly Word[], from: number): boolean {
  const before = words.slice(Math.max(0, from - 3), from);
  const denial = before.findLastIndex(({ text }) => denials.test(text));
  const between = before.slice(denial + 1);
  if (denial < 0 || !between.every(({ text }) => smallWords.has(text) || linking.test(text))) return false;
  // "Not assigned to me" does not mean unassigned.
  for (const word of between) if (/^(assigned|owned)$/.test(word.text)) word.forms = [];
  return true;
}

const denials = /^(not|non|except|excluding|without|neither|nor|out)$/;
const linking = /^(in|of|on|at|from|by|with|for|to|assigned|owned)$/;

/** "in Frankfurt", for items. */
function readLocation({ words, input }: Reading): void {
  for (const phrase of list('locate in|at, base in|at, site, in, at')) {
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
  const next = words[until];
  if (isGroupNoun(next) || !hasRival) return true;
  if (matchesNoun(next, kinds[kind]) || /^(category|related|access|connectivity)$/.test(next?.text ?? '')) return false;
  const before = words.slice(Math.max(0, from - 2), from);
  return (
    before.some(({ text }) => /^(for|with|by|of|to|from|at|does|is|has|did)$/.test(text)) ||
    words[from]?.isOwner === true
  );
}

function isGroupNoun(word: Word | undefined): boolean {
  return word?.isFree === true && matchesNoun(word, classes.group);
}

/** Merges names of several words, and marks every name as a `subject` for the phrases below. */
function findSubjects({ words, has, properties }: Reading): Subject[] {
  const emails = peopleFields.flatMap((field) => (properties[field]?.examples ?? []).map(String));
  const parts = new Set(
    emails.flatMap((each) =>
      each
        .toLowerCase()
        .replace(/@.*/, '')
        .split(/[._+-]/),
    ),
  );
  const values = new Set(
    Object.values(properties).flatMap(({ examples = [] }) => examples.map((each) => String(each).toLowerCase())),
  );
  const subjects: Subject[] = [];
  for (const [place, word] of words.entries()) {
    if (!word.isFree || (values.has(word.text) && !word.text.includes('@'))) continue;
    const next = words[place + 1];
    const hasGroup = isGroupNoun(next) && has('assignment_group');
    const mark = (kind: Subject['kind'], value: string, isSure = true, length = 1) => {
      for (const other of words.slice(place + 1, place + length)) other.isFree = false;
      word.forms = [...word.forms, 'subject'];
      word.isOwner ||= words[place + length - 1]?.isOwner === true;
      subjects.push({ word, kind, value, length, isSure });
    };
    if (/^(my|our)$/.test(word.text) && hasGroup && next?.text !== 'queue') mark('team', 'my_team', true, 2);
    else if (/^(our|ours|us)$/.test(word.text) && has('assignment_group')) mark('team', 'my_team', word.text !== 'us');
    else if (/^(i|me|my|mine|myself)$/.test(word.text)) mark('me', 'me');
    else if (word.text.includes('@')) mark('person', word.text);
    else if (isForeign(word) && hasGroup && !/\d/.test(word.text)) mark('team', word.text, true, 2);
    else if (isForeign(word) && /^\p{L}+$/u.test(word.text) && !isPlace(words, place)) {
      const isNamed = (each: Word) => each.isName || parts.has(each.text);
      const isFull = next?.isFree && !next.isKnown && isNamed(word) && isNamed(next);
      const isSure = isNamed(word) || word.isOwner;
      if (isFull) mark('person', `${word.text} ${next.text}`, isSure, 2);
      else mark('person', word.text, isSure);
    }
  }
  return subjects;
}

/** "the Leeds office": a place, and no person. */
function isPlace(words: readonly Word[], place: number): boolean {
  return words[place - 1]?.text === 'the' || placeNouns.test(words[place + 1]?.text ?? '');
}

const placeNouns = /^(office|site|branch|building|campus|floor|plant|store|warehouse|datacenter|room|region)s?$/;

/**
 * Phrases around a name, and the fields that they mean, the first that the tool has. Those that are `strong` tell a person
 * even by an unknown word in lower case. Who approves is no filter.
 */
const frames: readonly { fields: readonly string[]; strong: string; weak: string }[] = [
  {
    fields: [],
    strong: '',
    weak: 'approve|reject|decline|deny|authorize by subject, sign off by subject, $await .. subject, subject approval, subject decision, subject sign off, yes|ok|approval|decision from subject, subject to approve, subject =approve, subject can approve',
  },
  {
    fields: ['requested_by', 'opened_by'],
    strong: '$raise by subject, opened by subject, do|did subject $raise, have subject ask for, have subject put in',
    weak: 'from subject, subject get approve|approved, subject $raise, subject not $raise, subject opened, be subject request, subject be request',
  },
  {
    fields: ['assigned_to'],
    strong: '',
    weak: 'resolve|close|fix|solve|implement|complete|deploy by subject, do|did|have subject $finish, subject resolve|close|fix|solve, be|do|have subject implement|deploy|execute|install',
  },
  { fields: ['requested_for'], strong: 'on behalf of subject', weak: 'for subject' },
  {
    fields: ['assigned_to', 'requested_by', 'owner'],
    strong:
      'assign to subject, own by subject, handle by subject, work on by subject, take by subject, pick up by subject, belong to subject, sit with subject, ' +
      'be subject work on, do|did subject own, do subject handle, owner subject, look after by subject',
    weak: '$handled subject, assign at|with|by|for|on subject, subject $handle, subject $desk, on|in|at|under subject $desk, be|do|have subject $handle, have subject, subject get, be subject busy|on|do, subject be',
  },
  { fields: ownFields, strong: '', weak: 'for subject, of subject, by subject, from subject' },
];

const decided = /^(approved|signed|rejected|declined)$/;

/** "Which tickets did Ann open?" */
const isAsked = (words: readonly Word[], at: number) => words[at - 1]?.text === 'did';

/** "Ann submitted" names no state. */
function takeRaise(words: readonly Word[], word: Word): void {
  const at = words.indexOf(word);
  const verbs = list(classes.raise ?? '');
  for (const other of words.slice(Math.max(0, at - 2), at + 3))
    if ((other.text !== 'open' || isAsked(words, at)) && other.forms.some((form) => verbs.includes(form)))
      other.isFree = false;
}

/** Undefined when the words around it do not say that a person or a team is meant. */
function findField(
  { word, kind, isSure, length }: Subject,
  { words, has, kind: records }: Reading,
): string | undefined {
  const at = words.indexOf(word);
  const around = [...words.slice(Math.max(0, at - 4), at + 1), ...words.slice(at + length, at + length + 4)];
  const near = around.map((each) => {
    const forms = each.forms.filter((form) => form !== 'subject');
    // "My open tickets" are not those that I opened.
    if (each.text === 'open' && !isAsked(words, at)) return { ...each, text: '', forms: [] };
    return { ...each, isFree: true, forms: each === word ? ['subject'] : forms };
  });
  const says = (phrases: string) => phrases !== '' && list(phrases).some((phrase) => findPhrase(near, phrase));
  const isNamed = kind !== 'person' || word.isName || word.isOwner;
  const frame = frames.find(({ fields, strong, weak }) => {
    if (fields.length === 0 && records === 'incidents') return false;
    if (fields[0] === 'requested_for' && !has('requested_for')) return false;
    return !(fields === ownFields && !isNamed) && (says(strong) || (isSure && says(weak)));
  });
  // "I need all tickets" does not ask for those of the caller.
  const needsNoFrame = isSure && word.text !== 'i' && (kind !== 'person' || word.isOwner || word.text.includes('@'));
  const fields = frame?.fields ?? (needsNoFrame ? ownFields : undefined);
  // What somebody else decided is searched for in texts, and so named as not understood.
  if (fields?.length === 0 && kind === 'me') word.isFree = false;
  // "That Ann signed off" says who decided, and no state.
  if (fields?.length === 0 && kind === 'person' && decided.test(words[at + length]?.text ?? ''))
    for (const verb of words.slice(at + length, at + length + 2)) verb.isFree = false;
  return kind === 'team' && fields ? ['assignment_group'].find(has) : fields?.find(has);
}
