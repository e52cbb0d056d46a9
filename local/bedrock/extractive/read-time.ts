// Reads the time of a question and decides which field it bounds: planned times of changes, the breach of a service level,
// the last update, or the creation. A verb right before the time decides first: "submitted in July" is the creation.
import { list, says, takePhrase } from './phrases.ts';
import type { Reading, Word } from './question-words.ts';
import { type TimeSpan, timeSpanIn } from './time-span.ts';

export interface ReadSpan extends Omit<TimeSpan, 'at'> {
  /** Asks for what has not changed since then. */
  isStale: boolean;
  /** The verb before the time says that records came in. */
  isCreation: boolean;
  /** How long something took, which is no age. */
  isDuration?: boolean;
  said: string;
}

const staleMs = 7 * 86_400_000;
const inactivePhrases = '$nobody|not|no|without|never .. $activity, $activity by $nobody';
const vaguelyStale = 'stale, untouched, idle, inactive, dormant, neglected';
const silent = 'quiet, silent';
const creationWords = /^(raised?|submitted|opened|logged|filed|created|reported|ordered|requested|entered|recorded)$/;

export function readTime({ words, nowMs, kind, has }: Reading): ReadSpan | undefined {
  const said = words.map(({ text, isFree }) => (isFree ? text : '_'.repeat(text.length))).join(' ');
  const span = timeSpanIn(said, nowMs, kind === 'changes' ? 'future' : 'past');
  const isVague = has('updated_before') && says(words, vaguelyStale);
  if (!span) return isVague ? { untilMs: nowMs - staleMs, isStale: true, isCreation: false, said: '' } : undefined;
  let at = 0;
  let last: Word | undefined;
  for (const word of words) {
    if (at >= span.at.from && at < span.at.until) word.isFree = false;
    else if (at < span.at.from) last = word;
    at += word.text.length + 1;
  }
  const isStale = has('updated_before') && (isVague || says(words, silent) || takeInactivity(words));
  const isCreation = !isStale && last !== undefined && creationWords.test(last.text);
  // It is the verb of the time, and names no state.
  if (isCreation && last) last.isFree = false;
  const spanText = said.slice(span.at.from, span.at.until);
  const isDuration = /^((took|takes?|taken|lasted|spent|cost) (?!since)|in (under|less|over|more)\b)/.test(
    `${last?.text} ${spanText}`,
  );
  return { ...span, isStale, isCreation, isDuration, said: spanText };
}

/** "nobody touched it for five days" is about updates, so it says nothing about the assignee. */
function takeInactivity(words: readonly Word[]): boolean {
  return list(inactivePhrases).some((phrase) => takePhrase(words, phrase));
}

const slaWords =
  'due, breach, miss, expire, violate, overdue, sla, target, deadline, run out, late, out of time, go|turn red';
const finalWords =
  'update, =changed, touch, modify, resolve, close, fix, solve, cancel, complete, finish, reject, fulfil, fulfill, deliver, ' +
  'decline, deny, turn down, approve, implement, reopen';

/** Returns the words of a time that no field has. */
export function applyTime({ words, input, has, nowMs, kind }: Reading, span: ReadSpan | undefined): string {
  if (!span || says(words, 'do today, work on today, to do today, plate today')) return '';
  const { fromMs, isStale, isCreation } = span;
  // "Due within two hours" looks ahead.
  const isWithin =
    /^(within|before|under|less)\b(?!.*(?:last|past|previous|next|coming))/.test(span.said) &&
    fromMs !== undefined &&
    has('sla_due_within_minutes');
  const untilMs = isWithin && says(words, slaWords) ? 2 * nowMs - fromMs : span.untilMs;
  const isAhead = untilMs !== undefined && untilMs > nowMs;
  if (
    has('sla_due_within_minutes') &&
    isAhead &&
    says(words, slaWords) &&
    !says(words, '=breached, =missed, =violated, =exceeded, overdue, late, =blown, =blew, =failed') &&
    !says(words, 'number|count|many|all .. =breaches, =breaches per|by')
  ) {
    delete input.sla;
    input.sla_due_within_minutes = Math.max(1, Math.round((untilMs - nowMs) / 60_000));
    return '';
  }
  const iso = (ms: number) => new Date(ms).toISOString();
  if (isStale) {
    // Not updated "in 3 days" is read as a time ahead.
    const before = fromMs === nowMs && untilMs !== undefined ? 2 * nowMs - untilMs : (fromMs ?? untilMs ?? nowMs);
    input.updated_before = iso(before);
    return '';
  }
  if (span.isDuration) return span.said;
  const isDone =
    says(words, finalWords) ||
    (/^(completed|cancelled|rejected)$/.test(String(input.state)) && says(words, '=done, =did, go through'));
  const isPlanned =
    kind === 'changes' &&
    !isCreation &&
    ((fromMs !== undefined && fromMs >= nowMs) ||
      says(words, '=start, =starts, =starting, =begin, =begins, =beginning') ||
      !(isDone || says(words, 'create, open, raise, request, log, submit')));
  // Nothing was created in the future.
  if (!isPlanned && fromMs !== undefined && fromMs >= nowMs) return span.said;
  const isFinal = !isCreation && isDone && (untilMs === undefined || fromMs !== undefined);
  const fields = [
    isPlanned && 'planned',
    says(words, 'last update|change|touch|modify|edit') && 'updated',
    input.sla === 'breached' && 'sla_breach',
    isFinal && String(input.state) === 'resolved' && 'resolved',
  ];
  const field = fields.find((each) => each !== false) ?? (isFinal ? 'updated' : 'created');
  const verb = has(`${field}_after`) ? field : isFinal ? 'updated' : 'created';
  // "After" leaves out the moment itself.
  if (fromMs !== undefined) input[`${verb}_after`] = iso(fromMs - 1);
  if (untilMs !== undefined && (untilMs <= nowMs || isPlanned)) input[`${verb}_before`] = iso(untilMs);
  // What is being rolled out next week is planned, and no state.
  const isVague =
    String(input.state) === 'implementing' ||
    says(words, 'happen, go on, take place, go ahead on|at|today|tomorrow|tonight|next|this');
  if (isPlanned && isAhead && (isVague || String(input.state) === 'completed')) delete input.state;
  // "New tickets today" came in today, whatever became of them.
  if (verb === 'created' && fromMs !== undefined && String(input.state) === 'new') delete input.state;
  return '';
}
