// Which of a tool's moments a span of time is meant for: that of the verb beside it ("planned next week"), otherwise when
// something came into being, or what can lie ahead for a span that does.
import type { Parameter } from './parameters.ts';
import type { Reading } from './reading.ts';
import { type TimeSpan, timeSpanIn } from './time-span.ts';

interface Verb {
  said: string;
  /** How parameters begin that hold its time. */
  names: RegExp;
}

const verbs: readonly [said: RegExp, names: RegExp][] = [
  [/\b(created|opened|raised|reported|logged|filed|came in|submitted|new|started)\b/gi, /^(creat|open|report|submit)/],
  [/\b(updated|changed|modified|touched|edited)\b/gi, /^(updat|chang|modif)/],
  [
    /\b(planned|scheduled|due|taking place|happening|happen|starts?|starting|going live)\b/gi,
    /^(plan|sched|start|due)/,
  ],
  [/\b(resolved|solved|fixed)\b/gi, /^(resolv|solv)/],
  [/\b(closed)\b/gi, /^clos/],
  [/\b(approved|rejected|decided)\b/gi, /^(approv|reject|decid|decision)/],
  [/\b(completed|finished|cancell?ed)\b/gi, /^(complet|finish|cancel)/],
];

const comesLater = /^(plan|sched|start|due|end)/;

export function readTime(reading: Reading): void {
  const { wording, nowMs, parameters, filters, remarks } = reading;
  const times = parameters.filter(({ kind }) => kind === 'time');
  const looksAhead = /\b(planned|scheduled|due|upcoming|next|coming|tomorrow)\b/i.test(wording.text);
  const span = timeSpanIn(wording.text, nowMs, looksAhead ? 'future' : 'past');
  if (!span) return;
  const said = wording.text.slice(span.at.from, span.at.until);
  const verb = verbBeside(wording.text, span, times);
  wording.takeText(span.at.from, span.at.until);
  const fitting = fittingTimes(times, verb, span, nowMs);
  if (fitting.length === 0) {
    const what = verb ? ` by when something was ${verb.said}` : ' by time';
    remarks.push(`Not possible here: to search${what}; “${said}” was left out.`);
    return;
  }
  if (verb) takeVerb(reading, verb);
  const { fromMs, untilMs } = span;
  const from = fromMs !== undefined && fitting.find(({ name }) => /after|since|from|start|min/.test(name));
  const until = untilMs !== undefined && fitting.find(({ name }) => /before|until|to$|end|max/.test(name));
  // "After" leaves out the moment itself, so it is the one before the first.
  if (from) filters[from.name] = new Date(fromMs! - (/after/.test(from.name) ? 1 : 0)).toISOString();
  // Nothing has happened yet beyond now, so that bound says nothing of what has.
  if (until && (untilMs! <= nowMs || comesLater.test(until.name))) {
    filters[until.name] = new Date(untilMs!).toISOString();
  }
}

/** The verb right before the span; or one elsewhere, as long as there is a time for it. */
function verbBeside(text: string, { at }: TimeSpan, times: readonly Parameter[]): Verb | undefined {
  const found = verbs.flatMap(([pattern, names]) =>
    [...text.matchAll(pattern)].map((match) => ({ match, said: match[0], names })),
  );
  const right = found.find(({ match, said }) => {
    const between = text.slice(match.index + said.length, at.from);
    return match.index < at.from && /^\s*((on|in|at|for|the|and|or)\s+)*$/.test(between) && !/^new$/i.test(said);
  });
  return right ?? found.find(({ names }) => comesLaterNames(names) && times.some(({ name }) => names.test(name)));
}

function comesLaterNames(names: RegExp): boolean {
  return names.test('planned') || names.test('updated_after');
}

function fittingTimes(times: readonly Parameter[], verb: Verb | undefined, span: TimeSpan, nowMs: number): Parameter[] {
  if (verb) return times.filter(({ name }) => verb.names.test(name));
  const ahead = (span.fromMs ?? 0) > nowMs ? times.filter(({ name }) => comesLater.test(name)) : [];
  if (ahead.length > 0) return ahead;
  const created = times.filter(({ name }) => /creat|open/.test(name));
  return created.length > 0 ? created : [...times];
}

/** A verb that says what the time is of is not looked for in texts. One that is a state, too, still is one. */
function takeVerb({ wording, parameters }: Reading, { said }: Verb): void {
  const isState = parameters.some(({ values }) => values?.includes(said.toLowerCase()));
  const place = wording.text.toLowerCase().indexOf(said.toLowerCase());
  if (!isState) wording.takeText(place, place + said.length);
}
