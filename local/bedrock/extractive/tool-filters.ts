// Finds values for the parameters of a tool in a question. One word means one thing: the parameter that is named beside it
// gets it, otherwise the one that it fits best. What is left over is what to search for, and what cannot be asked of the
// tool is told, so that nobody takes an answer for one to another question.
import type { Schema } from '../converse.ts';
import { readChoices, readOpen, readUrgency } from './choices.ts';
import { readAbsence, readNamed, readPersons, readUnnamed } from './named-values.ts';
import { parametersOf } from './parameters.ts';
import { callsFor, type Filters, newReading, type Reading } from './reading.ts';
import { readTime } from './times.ts';
import { stemsOf } from './wording.ts';
import { stem, wordsOf } from './words.ts';

export interface Filtered {
  calls: Filters[];
  /** What the question asks for and the tool cannot do, as sentences. */
  remarks: readonly string[];
}

export function filtersFor(schema: Schema, question: string, nowMs: number, about: readonly string[]): Filtered {
  const reading = newReading(question, nowMs, parametersOf(schema));
  for (const noun of about) for (const run of reading.wording.runsOf(stemsOf(noun))) reading.wording.take(run);
  // From what is surest to what is left over.
  readTime(reading);
  readGrouping(reading);
  readLimit(reading);
  readPersons(reading);
  readAbsence(reading);
  readNamed(reading);
  readChoices(reading);
  readUrgency(reading);
  readUnnamed(reading);
  readOpen(reading);
  readComparisons(reading);
  readRest(reading, schema.required ?? []);
  return { calls: callsFor(reading), remarks: reading.remarks };
}

/** "by team", "per priority", "for each category". */
function readGrouping({ wording, parameters, filters, remarks }: Reading): void {
  const grouping = parameters.find(({ kind }) => kind === 'grouping');
  for (const { name, handles } of parameters) {
    for (const run of handles.flatMap((handle) => wording.runsOf(handle))) {
      const before = wording.words[run.from - 1]?.plain ?? '';
      if (!/^(by|per|each)$/.test(before)) continue;
      const fits = grouping?.values?.includes(name) && filters[grouping.name] === undefined;
      if (fits) filters[grouping!.name] = name;
      else remarks.push(`Not possible here: to group by ${name.replaceAll('_', ' ')}.`);
      wording.take({ from: run.from - 1, until: run.until });
      break;
    }
  }
}

function readLimit({ wording, parameters, filters }: Reading): void {
  const match =
    /\b(?:top|first|last|latest|newest) (\d{1,3})\b(?! (?:minute|hour|day|week|month))|\b(\d{1,3}) (?:newest|latest|most recent)\b/i.exec(
      wording.text,
    );
  const limit = parameters.find(({ name, kind }) => kind === 'number' && /limit|top|count|size/.test(name));
  const wanted = match?.[1] ?? match?.[2];
  if (!limit || !match || !wanted) return;
  filters[limit.name] = Math.min(Number(wanted), limit.schema.maximum ?? 200);
  wording.takeText(match.index, match.index + match[0].length);
}

/** What no filter can say. */
function readComparisons({ wording, remarks }: Reading): void {
  const pattern =
    /\b(?:more|fewer|less|longer|greater|higher|larger|older) than (?:\w+)(?: \w+)?|\b(?:oldest|longest|slowest|fastest|most often|most frequent)\b/gi;
  for (const match of wording.text.matchAll(pattern)) {
    const run = { from: match.index, until: match.index + match[0].length };
    const isFree = wording.words.some(
      (word, place) => word.from >= run.from && word.until <= run.until && wording.isFree(place),
    );
    if (!isFree) continue;
    remarks.push(`Not understood and left out: “${match[0]}”.`);
    wording.takeText(run.from, run.until);
  }
}

/** For a search by words: those that nothing else took. For one by meaning: the question. */
function readRest({ wording, parameters, filters, remarks }: Reading, required: readonly string[]): void {
  const left = wording.left().filter(({ written }) => {
    const stems = wordsOf(written);
    return stems.length > 0 && stems.every((each) => !fillers.has(each));
  });
  const words = [...new Set(left.map(({ written }) => written))].join(' ');
  const parameter = parameters.find(({ kind }) => kind === 'words');
  if (!parameter) {
    if (words !== '') remarks.push(`Not understood and left out: “${words}”.`);
    return;
  }
  const { name, schema } = parameter;
  const byMeaning = /question|meaning|semantic|natural/i.test(`${name} ${schema.description ?? ''}`);
  const text = byMeaning || (words === '' && required.includes(name)) ? wording.text.trim() : words;
  if (text !== '') filters[name] = text;
}

const fillers = new Set(
  'record records ticket tickets item items case cases issue issues entry entries currently right there team group assigned number count total latest newest recent recently created opened reported raised happening today yesterday week weeks day days month hour hours available related regarding concerning mentioning mention mentioned containing overview status state kind type thing top first last except excluding without anything everything'
    .split(' ')
    .map(stem),
);
