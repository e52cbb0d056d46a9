// Values that are names: teams, people, categories, places. A value that stands beside the name of its parameter may be
// said in part ("database team" for "database administration"); one that stands alone must be said in full.
import type { Parameter } from './parameters.ts';
import { give, isGiven, type Reading, wordsOf } from './reading.ts';
import { isAboutText } from './text-zone.ts';
import { isDenied, type Run, stemsOf, type Wording } from './wording.ts';

const smallWords =
  /^(the|of|by|for|from|with|to|in|at|on|our|my|a|an|is|are|was|were|does|do|has|have|which|what|who|assigned|belonging|all|any|not|and|or|that|these|those|called|named|how|many|no|except|other|than)$/;

const longestName = 5;

/** Addresses, each for the person who is named before it. */
export function readPersons(reading: Reading): void {
  const { wording, parameters, remarks } = reading;
  const persons = parameters.filter(({ kind }) => kind === 'person');
  for (const match of wording.text.matchAll(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g)) {
    const place = wording.words.findIndex(({ from }) => from === match.index);
    const announced = persons.find((parameter) => handleBefore(wording, parameter, place));
    const parameter = announced ?? persons.find((each) => !isGiven(reading, each));
    if (!parameter) continue;
    if (isDenied(wording, place)) remarks.push(cannotLeaveOut(parameter, match[0]));
    else give(reading, parameter, [match[0]]);
    wording.takeText(match.index, match.index + match[0].length);
    const handle = handleBefore(wording, parameter, place);
    if (handle) wording.take(handle);
  }
  const own = /\b(assigned to me|my own|mine|my)\b/i.exec(wording.text);
  if (!own || persons.length === 0) return;
  remarks.push('It is not known here who asks: name the address.');
  wording.takeText(own.index, own.index + own[0].length);
}

/** "unassigned", "without an owner", "no category". */
export function readAbsence(reading: Reading): void {
  const { wording, parameters, remarks } = reading;
  for (const parameter of parameters) {
    if (!/^(name|person)$/.test(parameter.kind) || isGiven(reading, parameter)) continue;
    const run = absenceOf(parameter, wording);
    if (!run) continue;
    if (parameter.nullable) give(reading, parameter, [null]);
    else remarks.push(`Not possible here: to find those without ${wordsOf(parameter.name)}.`);
    wording.take(run);
  }
}

const absences: readonly [name: RegExp, phrases: string[]][] = [
  [
    /^assign(ed_to|ee)$/,
    [
      'unassigned',
      'not assigned to anyone',
      'not assigned to anybody',
      'assigned to nobody',
      'assigned to no one',
      'nobody is assigned',
      'nobody works on',
      'nobody is working on',
      'no one works on',
      'not yet assigned',
      'not assigned',
    ],
  ],
  [/owner/, ['unowned', 'owned by nobody', 'owned by no one']],
];

function absenceOf({ name, handles }: Parameter, wording: Wording): Run | undefined {
  const { words } = wording;
  const phrases = absences.flatMap(([pattern, own]) => (pattern.test(name) ? own : []));
  for (const phrase of phrases) {
    const run = wording.runsOf(stemsOf(phrase))[0];
    // "not assigned to the network team" speaks of a team.
    if (run && !(phrase.endsWith('assigned') && words[run.until]?.plain === 'to')) return run;
  }
  const none = /^(without|no|missing|lacking)$/;
  for (const handle of handles) {
    for (const { from, until } of wording.runsOf(handle)) {
      const skip = /^(an?|any)$/.test(words[from - 1]?.plain ?? '') ? 2 : 1;
      if (none.test(words[from - skip]?.plain ?? '')) return { from: from - skip, until };
    }
  }
  return undefined;
}

/** Values with the name of their parameter beside them. */
export function readNamed(reading: Reading): void {
  for (const parameter of reading.parameters) {
    if (!/^(name|person)$/.test(parameter.kind) || isGiven(reading, parameter)) continue;
    for (const handle of parameter.handles) {
      const run = reading.wording.runsOf(handle)[0];
      if (run && readBeside(reading, parameter, run)) break;
    }
  }
}

function readBeside(reading: Reading, parameter: Parameter, handle: Run): boolean {
  const { wording, remarks } = reading;
  const announces = /^(to|by|in|at|called|named)$/.test(wording.words[handle.until - 1]!.plain);
  const before = announces ? undefined : nameBefore(wording, handle.from);
  const after = nameAfter(wording, handle.until);
  for (const run of [before, after]) {
    const found = run && knownIn(wording, parameter, run, run === before);
    if (!found) continue;
    if (isDenied(wording, found.run.from)) remarks.push(cannotLeaveOut(parameter, wording.textOf(found.run)));
    else give(reading, parameter, found.values);
    wording.take(found.run);
    wording.take(handle);
    return true;
  }
  const said = before ?? after;
  if (!said) return false;
  wording.take(handle);
  remarks.push(
    `No ${wordsOf(parameter.name)} is called “${wording.textOf(said)}”; it was looked for as a word instead.`,
  );
  return true;
}

function nameBefore(wording: Wording, end: number): Run | undefined {
  let from = end;
  while (from > 0 && end - from < longestName && isNamePart(wording, from - 1)) from--;
  return from < end ? { from, until: end } : undefined;
}

function nameAfter(wording: Wording, start: number): Run | undefined {
  let from = start;
  while (/^(is|are|of|the|called|named)$/.test(wording.words[from]?.plain ?? '')) from++;
  let until = from;
  while (until - from < longestName && isNamePart(wording, until)) until++;
  return from < until ? { from, until } : undefined;
}

function isNamePart(wording: Wording, place: number): boolean {
  return wording.isFree(place) && !smallWords.test(wording.words[place]!.plain);
}

interface Known {
  run: Run;
  values: readonly string[];
}

/** The longest part of the run, at the end next to the handle, that is a value in full or in part. */
function knownIn(wording: Wording, { values }: Parameter, run: Run, atEnd: boolean): Known | undefined {
  // Without a list of values, whatever stands there is one.
  if (!values) return { run, values: [wording.textOf(run)] };
  // A name may hold small words, too: "identity and access".
  const wide = atEnd ? { from: Math.max(0, run.from - 3), until: run.until } : { ...run, until: run.until + 3 };
  for (const fits of [isWhole, isPart]) {
    const within = fits === isWhole ? wide : run;
    for (let length = within.until - within.from; length > 0; length--) {
      const part = atEnd
        ? { from: within.until - length, until: within.until }
        : { from: within.from, until: within.from + length };
      if (!wording.isFreeRun(part)) continue;
      const stems = wording.words.slice(part.from, part.until).map(({ stem }) => stem);
      const found = values.filter((value) => fits(stemsOf(value), stems));
      if (found.length > 0) return { run: part, values: found };
    }
  }
  return undefined;
}

const isWhole = (value: readonly string[], said: readonly string[]) => value.join(' ') === said.join(' ');
const isPart = (value: readonly string[], said: readonly string[]) => said.every((each) => value.includes(each));

/** Values that stand alone, said in full; the longest first, each for the parameter that it fits best. */
export function readUnnamed(reading: Reading): void {
  const { wording, parameters } = reading;
  const candidates = parameters
    .filter(({ kind, values }) => values && /^(name|person)$/.test(kind))
    .flatMap((parameter) =>
      parameter.values!.flatMap((value) =>
        runsIn(wording, parameter, value).map((run) => ({
          parameter,
          value,
          run,
          fit: fitOf(wording, parameter, run),
        })),
      ),
    )
    .sort((a, b) => b.run.until - b.run.from - (a.run.until - a.run.from) || b.fit - a.fit);
  for (const { parameter, value, run } of candidates) {
    if (isGiven(reading, parameter) || !wording.isFreeRun(run) || isAboutText(wording, run.from)) continue;
    if (isDenied(wording, run.from)) reading.remarks.push(cannotLeaveOut(parameter, value));
    else give(reading, parameter, [value]);
    wording.take(run);
  }
}

/** A place is often said in part: "in Berlin" for "Berlin, data centre". */
function runsIn(wording: Wording, { name }: Parameter, value: string): Run[] {
  const stems = stemsOf(value);
  const whole = wording.runsOf(stems);
  if (whole.length > 0 || !/location|site|place|city/.test(name)) return whole;
  return wording
    .runsOf(stems.slice(0, 1))
    .filter(({ from }) => /^(in|at|from)$/.test(wording.words[from - 1]?.plain ?? ''));
}

/** Who is after "of" and "by", where after "in" and "at"; and what stands before a thing says what kind it is. */
function fitOf({ words }: Wording, { name, kind }: Parameter, { from }: Run): number {
  const before = words[from - 1]?.plain === 'the' ? words[from - 2]?.plain : words[from - 1]?.plain;
  const isWho = kind === 'person' || /group|team/.test(name);
  const isWhere = /location|environment|site/.test(name);
  if (/^(of|by|for|from|to)$/.test(before ?? '')) return isWho ? 3 : isWhere ? 1 : 2;
  if (/^(in|at|on)$/.test(before ?? '')) return isWhere ? 3 : isWho ? 1 : 2;
  return isWho ? 1 : isWhere ? 2 : 3;
}

function handleBefore(wording: Wording, { handles }: Parameter, place: number): Run | undefined {
  return handles
    .flatMap((handle) => wording.runsOf(handle))
    .find(({ until }) => until === place || (until === place - 1 && /^(is|are|:)$/.test(wording.words[until]!.plain)));
}

function cannotLeaveOut({ name }: Parameter, value: string): string {
  return `Not possible here: to leave out one ${wordsOf(name)} (“${value}”); all are shown.`;
}
