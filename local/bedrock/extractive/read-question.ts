// Reads what a question says in other ways than by a value of a field: times, limits, names, items and groupings.
import type { ToolSpec } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { findRun, listWords, take, takeRun, type Word } from './question-words.ts';
import { timeSpanIn } from './time-span.ts';
import { fieldWords, fillers } from './vocabulary.ts';

/** "not touched for five days": without a change since then. */
const stale =
  /\b(?:not|no|without|never|nobody|hasn.?t|haven.?t|wasn.?t)\b.{0,30}?\b(?:touched|updated?|changed?|modified|activity|progress|moved|movement)\b|\b(?:stale|untouched|idle|inactive)\b/i;
const staleWords =
  'touched update updated change changed modified activity progress moved movement stale untouched idle inactive'.split(
    ' ',
  );

export function readTime(
  question: string,
  words: Word[],
  input: Record<string, unknown>,
  has: (name: string) => boolean,
  nowMs: number,
  kind: string,
): void {
  const due =
    /\b(?:due|breach\w{0,10}|expir\w{0,10}|miss(?:es|ing)?|violat\w{0,5}|overdue)\b.{0,30}?\b(?:within|in) (?:the )?(?:next )?(\d{1,3}|an?|one|two|three|four)? ?(minute|hour|day|week)s?\b/i.exec(
      question,
    );
  if (due && has('sla_due_within_minutes')) {
    const amount = Number(due[1]) || { two: 2, three: 3, four: 4 }[due[1] ?? ''] || 1;
    input.sla_due_within_minutes = amount * units[due[2]!.toLowerCase()]!;
    for (const text of listWords(due[0])) take(words, [text]);
    return;
  }
  const ahead =
    kind === 'changes' && has('planned_after') && !/\b(created|opened|raised|requested|updated)\b/i.test(question);
  const isStale = has('updated_before') && stale.test(question);
  const age = question.replace(
    isStale
      ? /\b(?:for|in|since)(?: (?:more than|over|at least|the last))?(?= \w{1,12} (?:minute|hour|day|week|month))/i
      : /\bfor (more than|over|at least)\b/i,
    'older than',
  );
  const span = timeSpanIn(age, nowMs, ahead ? 'future' : 'past');
  if (!span) return;
  for (const text of listWords(age.slice(span.at.from, span.at.until))) take(words, [text]);
  if (age !== question)
    for (const text of ['for', 'in', 'since', 'more', 'than', 'over', 'at', 'least']) take(words, [text]);
  const verb = ahead
    ? 'planned'
    : (isStale ||
          /\b(updated|changed|touched|resolved?|closed?|fix(?:ed)?|solved?|cancelled|completed?|finish(?:ed)?)\b/i.test(
            question,
          )) &&
        has('updated_after')
      ? 'updated'
      : 'created';
  if (isStale) for (const text of staleWords) take(words, [text]);
  const iso = (ms: number) => new Date(ms).toISOString();
  // "After" leaves out the moment itself.
  if (span.fromMs !== undefined && has(`${verb}_after`)) input[`${verb}_after`] = iso(span.fromMs - 1);
  const isOver = span.untilMs !== undefined && (span.untilMs <= nowMs || ahead);
  if (isOver && has(`${verb}_before`)) input[`${verb}_before`] = iso(span.untilMs!);
}

const units: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440, week: 10_080 };

const numberWords = 'one two three four five six seven eight nine ten'.split(' ');
const countWord = `(\\d{1,2}|${numberWords.slice(1).join('|')})`;
const superlative = '(?:newest|latest|oldest|most|longest|highest|worst|last|recent)';
const limitPattern = new RegExp(
  `\\b(?:top|first|last|latest|newest|oldest) ${countWord}\\b(?! (?:minute|hour|day|week|month))|\\b${countWord} ${superlative}`,
  'i',
);

export function readLimit(question: string, words: readonly Word[], input: Record<string, unknown>): void {
  const found = limitPattern.exec(question);
  const number = found?.[1] ?? found?.[2];
  if (!number) return;
  const spelled = numberWords.indexOf(number.toLowerCase()) + 1;
  input.limit = Math.min(20, Math.max(1, spelled || Number(number)));
  take(words, [number]);
  take(words, ['top']);
}

/** "assigned to Ann", "owned by cloud platform", "the netwrk team": the tools know who is meant, or say that they do not. */
export function readNames(words: Word[], input: Record<string, unknown>, has: (name: string) => boolean): void {
  for (const [field, ...leads] of nameLeads) {
    if (!has(field) || field in input) continue;
    for (const lead of leads) {
      const parts = lead.split(' ');
      const run = findRun(words, parts);
      const next = words[run?.until ?? -1];
      if (!run || !next?.isFree || fillers.has(next.text) || /^(nobody|no|team|group|my|our)$/.test(next.text))
        continue;
      const after = words[run.until + 1];
      if (after && /^(team|group)$/.test(after.text)) continue;
      takeRun(words, parts);
      next.isFree = false;
      input[field] = next.text;
      break;
    }
  }
}

const nameLeads: readonly [field: string, ...leads: string[]][] = [
  ['assigned_to', 'assigned to', 'handled by', 'worked on by'],
  ['requested_by', 'requested by', 'raised by'],
  ['requested_for', 'requested for'],
  ['owner', 'owned by', 'owner'],
];

const aboutWords = /^(about|mentioning|mention|mentions|containing|regarding|concerning|saying)$/;
const textEnds = /^(since|of|in|from|that|which|assigned|by|for|with|created|opened|are|is|this|last|today|yesterday)$/;

/** "tickets about new laptops" are not new. */
export function readText(words: readonly Word[], input: Record<string, unknown>, has: (name: string) => boolean): void {
  const start = words.findIndex(({ text, isFree }) => isFree && aboutWords.test(text)) + 1;
  if (start === 0 || !has('text')) return;
  const after = words.slice(start);
  const end = after.findIndex(({ text, isFree }) => !isFree || textEnds.test(text));
  const zone = (end < 0 ? after : after.slice(0, end)).filter(({ text }) => !/^(the|a|an|my|our)$/.test(text));
  if (zone.length === 0 || zone[0]!.text === 'to') return;
  for (const word of zone) word.isFree = false;
  input.text = zone.map(({ text }) => text).join(' ');
}

/** A team that no record has: the tool says so. */
export function readUnknownTeam(
  words: readonly Word[],
  input: Record<string, unknown>,
  has: (name: string) => boolean,
): void {
  if (!has('assignment_group') || 'assignment_group' in input) return;
  const place = words.findIndex(({ text, isFree }, index) => {
    return isFree && !fillers.has(text) && /^(team|group)s?$/.test(words[index + 1]?.text ?? '');
  });
  if (place < 0) return;
  words[place]!.isFree = false;
  input.assignment_group = words[place]!.text;
}

/** Host names and ids of configuration items; which filter they belong to follows from the verb. */
export function readItem(
  question: string,
  words: readonly Word[],
  input: Record<string, unknown>,
  has: (name: string) => boolean,
  kind: string,
): void {
  const candidates = [...(question.match(/\bCI\d{7}\b/gi) ?? []), ...findItemNames(question)];
  const name = candidates.find(
    (each) => !/^(p[1-4]s?|sev\d|q[1-4]|\d+)$/i.test(each) && !/^(INC|CHG|REQ|0x)/i.test(each) && !each.includes('@'),
  );
  if (!name) return;
  const needs = new RegExp(`\\b(?:of|does|do)\\s+(?:the\\s+)?${name.replace(/[.]/g, '\\.')}\\b`, 'i').test(question);
  const field =
    asksForDependencies(question) && kind === 'configuration_items'
      ? needs
        ? 'needed_by'
        : 'depends_on'
      : kind === 'configuration_items'
        ? 'name'
        : 'ci';
  if (has(field) && take(words, [name.toLowerCase()])) input[field] = name;
}

export function asksForDependencies(question: string): boolean {
  return dependencies.some((pattern) => pattern.test(question));
}

const dependencies = [
  /\bdepend(?:s|encies|ency|ents?|ing)?\b/i,
  /\b(?:relies|rely|sits?|runs?|built) (?:on|upon)\b/i,
  /\bneeds? to (?:run|work|function)\b/i,
  /\b(?:affected|impacted|breaks?|fails?|stops?|happens) (?:if|when|by)\b/i,
  /\b(?:systems?|servers?|items?|services?|machines?|what) (?:needs?|requires?)\b/i,
];

const joinedWord = /[a-z0-9]+(?:[-_.][a-z0-9]+)*/gi;

/** Names such as `vpn-gateway-1`: they start with a letter and contain a digit. */
function findItemNames(question: string): string[] {
  return (question.match(joinedWord) ?? []).filter((word) => /^[a-z]/i.test(word) && /\d/.test(word));
}

const groupingLeads = [
  'for each',
  'grouped by',
  'group by',
  'broken down by',
  'split by',
  'breakdown by',
  'distribution by',
  'by',
  'per',
  'each',
  'every',
  'across',
];

export function readGrouping(words: Word[], counter: ToolSpec | undefined): string | undefined {
  const fields = (counter?.schema.properties?.by ? withoutNull(counter.schema.properties.by).schema.enum : []) ?? [];
  if (words.some(({ text }) => /^(sort|sorted|order|ordered)$/.test(text))) return undefined;
  for (const field of fields.map(String)) {
    for (const word of fieldWords[field] ?? [field.replaceAll('_', ' ')]) {
      for (const lead of groupingLeads) {
        if (take(words, [...lead.split(' '), ...word.split(' ')])) return field;
      }
    }
  }
  // "Which team has the most …" asks for a count of each.
  if (words.some(({ text }) => /^(most|fewest|least)$/.test(text))) {
    for (const field of fields.map(String)) {
      for (const word of fieldWords[field] ?? []) {
        if (take(words, ['which', ...word.split(' ')]) || take(words, ['what', ...word.split(' ')])) return field;
      }
    }
    if (fields.includes('assigned_to') && take(words, ['who', 'has'])) return 'assigned_to';
  }
  return undefined;
}
