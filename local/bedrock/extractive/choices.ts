// Values of parameters that list what they take: states, priorities, types. "not closed" is all others, "P2 or higher"
// is a range, "open" whatever is not at an end.
import type { Parameter } from './parameters.ts';
import { give, isGiven, type Reading } from './reading.ts';
import { isAboutText } from './text-zone.ts';
import { isDenied, type Run, stemsOf, type Wording } from './wording.ts';

const finalStates =
  /^(resolved|closed|cancell?ed|rejected|completed?|done|retired|failed|fulfilled|declined|archived)$/;

/** Values whose name stands beside them come first: "low risk" says nothing about an impact. */
export function readChoices(reading: Reading): void {
  const choices = reading.parameters.filter(({ kind, values }) => kind === 'choice' && values);
  for (const beside of [true, false]) {
    for (const parameter of choices) if (!isGiven(reading, parameter)) readChoice(reading, parameter, beside);
  }
}

interface Said {
  value: string;
  denied: boolean;
  reach: string[];
}

function readChoice(reading: Reading, parameter: Parameter, beside: boolean): void {
  const { wording } = reading;
  const values = parameter.values!;
  const said: Said[] = [];
  const longestFirst = [...values].sort((a, b) => stemsOf(b).length - stemsOf(a).length);
  for (const value of longestFirst) {
    for (const run of wording.runsOf(stemsOf(value))) {
      const named = isNamed(wording, parameter, run) || said.length > 0;
      if (beside ? !named : !named && isAboutText(wording, run.from)) continue;
      said.push({ value, denied: isDenied(wording, run.from), reach: reachOf(parameter, value, wording, run) });
      wording.take(run);
    }
  }
  if (said.length === 0) return;
  for (const handle of parameter.handles) for (const run of wording.runsOf(handle)) wording.take(run);
  const denied = new Set(said.filter((each) => each.denied).flatMap((each) => othersMeant(parameter, each.value)));
  const wanted = new Set(said.filter((each) => !each.denied).flatMap(({ reach }) => reach));
  const meant = values.filter((value) => (wanted.size === 0 || wanted.has(value)) && !denied.has(value));
  give(reading, parameter, meant);
}

/** Who says "not resolved" does not mean those that were closed after it. */
function othersMeant({ name, values }: Parameter, value: string): readonly string[] {
  const solved = /state|status/.test(name) && /^(resolved|completed?|done|fulfilled)$/.test(value);
  return solved ? values!.filter((each) => finalStates.test(each)) : [value];
}

/** "risk: high", "high risk", "the risk is high". */
function isNamed({ words }: Wording, { handles }: Parameter, { from, until }: Run): boolean {
  const stems = words.map((word) => word.stem);
  const before = [1, 2].flatMap((gap) =>
    gap === 1 || /^(is|of|are|the)$/.test(words[from - 1]?.plain ?? '') ? [from - gap + 1] : [],
  );
  return handles.some(
    (handle) =>
      handle.every((each, place) => stems[until + place] === each) ||
      before.some((end) => handle.every((each, place) => stems[end - handle.length + place] === each)),
  );
}

/** The value itself, or all from it up or down where that was said. */
function reachOf({ name, values = [] }: Parameter, value: string, wording: Wording, { from, until }: Run): string[] {
  const { words } = wording;
  if (!/priority|severity|risk|impact|urgency/.test(name)) return [value];
  const around = `${words[from - 2]?.plain} ${words[from - 1]?.plain} · ${words
    .slice(until, until + 4)
    .map(({ plain }) => plain)
    .join(' ')}`;
  const up =
    /(at least|minimum) ·|· (\w+ )?(or|and) (higher|above|more urgent|worse|more|greater)/.test(around) &&
    !/at most/.test(around);
  const down = /(at most|up to) ·|· (\w+ )?(or|and) (lower|below|less)/.test(around);
  if (up === down) return [value];
  for (let near = from - 2; near < until + 4; near++) {
    if (reachWords.test(words[near]?.plain ?? '')) wording.take({ from: near, until: near + 1 });
  }
  const place = values.indexOf(value);
  const highestFirst = /^(p\d|sev|critical|high)/i.test(values[0] ?? '');
  return up === highestFirst ? values.slice(0, place + 1) : values.slice(place);
}

const reachWords = /^(least|most|minimum|higher|above|urgent|worse|more|greater|lower|below|less)$/;

/** "critical", "priority 1", "high priority", for those who do not know what the values are called. */
export function readUrgency(reading: Reading): void {
  const parameter = reading.parameters.find(({ name, values }) => /priority|severity/.test(name) && values);
  if (!parameter || isGiven(reading, parameter)) return;
  const { wording } = reading;
  const values = parameter.values!;
  const numbered = /\b(?:priority|prio|severity|sev) ?(\d)\b/i.exec(wording.text);
  const worded =
    /\b(critical|highest|most urgent|most important|urgent|(?:high|low|lowest)(?=[ -](?:priority|prio|severity)))\b/i.exec(
      wording.text,
    );
  const match = numbered ?? worded;
  if (!match) return;
  const meant = numbered
    ? values.filter((value) => value.endsWith(numbered[1]!))
    : /^low/i.test(match[0])
      ? values.slice(-1)
      : values.slice(0, /^(urgent|high)$/i.test(match[0]) ? 2 : 1);
  if (meant.length === 0) return;
  give(reading, parameter, meant);
  wording.takeText(match.index, match.index + match[0].length);
  for (const handle of parameter.handles) for (const run of wording.runsOf(handle)) wording.take(run);
}

const openWords = /\b(open|active|unresolved|unsolved|ongoing|unfinished|outstanding|current)\b/i;

/** Whatever is not at an end, besides what was named. */
export function readOpen(reading: Reading): void {
  const { wording, parameters, filters } = reading;
  const match = openWords.exec(wording.text);
  const place = match ? wording.words.findIndex(({ from }) => from === match.index) : -1;
  if (!wording.isFree(place) || isAboutText(wording, place)) return;
  const parameter = parameters.find(
    ({ name, values }) => /state|status/.test(name) && values?.some((value) => finalStates.test(value)),
  );
  if (!parameter) return;
  const { name, values, several } = parameter;
  if (several === undefined && isGiven(reading, parameter)) return;
  const named = new Set([filters[name] ?? []].flat());
  const denied = isDenied(wording, place);
  give(
    reading,
    parameter,
    values!.filter((value) => named.has(value) || finalStates.test(value) === denied),
  );
  wording.take({ from: place, until: place + 1 });
}
