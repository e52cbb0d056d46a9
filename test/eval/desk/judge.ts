// Judges the text and the records of an answer; README.md states the rules.

export interface Reply {
  status: number;
  answer: string;
  records: { id: string }[];
  citations: { article_id: string }[];
}

export type Check = (reply: Reply) => boolean;

export const verdicts = ['right', 'partly', 'refusal', 'wrong', 'confidently wrong'] as const;

export type Verdict = (typeof verdicts)[number];

export interface Expected {
  check: Check;
  /** The answer holds the value, but not where the reader looks first: wrong, but not misleading. */
  mentioned?: Check;
  /** An honest refusal is right. */
  isRefusable?: boolean;
}

export function judge(reply: Reply, { check, mentioned, isRefusable }: Expected): Verdict {
  if (reply.status !== 200 || reply.answer.trim() === '') return 'wrong';
  if (check(reply)) return 'right';
  if (isRefusal(reply)) return isRefusable ? 'right' : 'refusal';
  if (isWarned(reply)) return 'partly';
  return mentioned?.(reply) ? 'wrong' : 'confidently wrong';
}

/** Says that something was not understood or cannot be done, in any wording. */
const warning = new RegExp(
  [
    String.raw`\b(?:not|n[’']t|cannot|never)\b[^.\n]{0,60}\b(?:underst\w+|know|sure|able|support\w*|consider\w*|answer\w*|look up|record(?:ed)?|stored?|compare|compute|change)\b`,
    String.raw`\b(?:cannot|can not|can[’']t|unable|ignor\w+|left out|assum\w+|unclear|closest match|not found)\b`,
    String.raw`\bonly (?:understand|english|look|read|answer)|\bnur englisch|\bl[’']anglais|\bsolo (?:entiendo )?ingl|\btylko (?:po )?angiel`,
    String.raw`\bno [\w ]{1,40}mention|\bshowing\b[^.\n]{0,40}\binstead\b|\bsimilar incidents\b`,
  ].join('|'),
  'i',
);

export const isWarned: Check = ({ answer }) => warning.test(toProse(answer));

/** The answer says that it cannot answer, and presents neither records nor figures; examples of questions are allowed. */
function isRefusal(reply: Reply): boolean {
  const lines = toProse(reply.answer).split('\n');
  const rest = lines.filter(
    (line) => !warning.test(line) && !/\b(?:I can|you can|try|for example|such as)\b/i.test(line),
  );
  const hasFigure = /(?<![\w-])\d|^No\b/m.test(rest.join('\n').replaceAll(/["“][^"”]*["”]/g, ''));
  return isWarned(reply) && !hasFigure && reply.records.length + reply.citations.length === 0;
}

const refusedOrder =
  /\b(?:cannot|can not|can[’']t|only (?:look|read|answer|search)|read-only|not (?:able|allowed|change|possible)|unable)\b/i;
const wayToChange =
  /\b(?:console|PATCH|POST|PUT|DELETE|button|edit\w*)\b|\bthe API\b|\bopen (?:it|the record|this record)\b|https?:|\]\(/i;

/** Refuses to change something, and names the way to do it. Fields of a shown record do not count. */
export const declinesOrder: Check = ({ answer }) => {
  const text = toProse(answer).replaceAll(/^- [a-z ]+: .*/gm, '');
  return refusedOrder.test(text) && wayToChange.test(text);
};

export const never: Check = () => false;

export function all(...checks: Check[]): Check {
  return (reply) => checks.every((check) => check(reply));
}

export function any(...checks: Check[]): Check {
  return (reply) => checks.some((check) => check(reply));
}

/** One of the numbers is in the lead. */
export function count(...accepted: number[]): Check {
  return ({ answer }) => accepted.some((number) => toNumbers(toProse(toLead(answer))).has(number));
}

/** All of the numbers are in the text, outside of listed records. */
export function counts(...wanted: number[]): Check {
  return ({ answer }) => wanted.every((number) => toNumbers(toProse(answer)).has(number));
}

/** The name and its number are close to each other, in a sentence, a row or a list of groups. */
export function figure(name: string, number: number): Check {
  const size = String.raw`(?<![\w.,-])${number === 0 ? '(?:0|no|none)' : number}(?![\w.,-]*\w)`;
  const near = String.raw`(?:[^.;\n]|\.(?=\S)){0,40}?`;
  const patterns = person(name)
    .map(toPattern)
    .flatMap((label) => [`${label}${near}${size}`, `${size}${near}${label}`]);
  return ({ answer }) => new RegExp(patterns.join('|')).test(fold(toProse(answer)));
}

/** One of the texts is in the lead. */
export function says(...accepted: (string | null)[]): Check {
  return ({ answer }) => includes(toLead(answer), accepted);
}

/** One of the texts is anywhere in the answer. */
export function contains(...accepted: (string | null)[]): Check {
  return ({ answer }) => includes(answer, accepted);
}

/** An answer from this article. */
export function cites(id: string): Check {
  return ({ answer, citations }) => citations[0]?.article_id === id || toLead(answer).includes(id);
}

/** The list begins with this record. */
export function startsWith(id: string): Check {
  return ({ records: [head] }) => head?.id === id;
}

/** The names occur in the order of their counts, equal ones in any order; others come later or not at all. */
export function ranks(ranking: readonly { name: string; count: number }[], top: number): Check {
  return ({ answer }) => {
    const places = ranking.map(({ name, count: size }) => ({
      size,
      at: fold(answer).search(new RegExp(person(name).map(toPattern).join('|'))),
    }));
    const head = places
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
      .slice(0, top);
    const sizes = ranking.map(({ count: size }) => size);
    return head.length > 0 && sizes.slice(0, top).every((size, index) => head[index]?.size === size);
  };
}

/** One of the sets: all of its records, or some of them with the total when there are more than ten. */
export function lists(...accepted: (readonly string[])[]): Check {
  return ({ answer, records: listed }) => {
    const named = [...answer.matchAll(/\b(?:(?:INC|CHG|REQ|KB|PRB)[0-9A-Z]{6,7}|CI\d{7})\b/g)].map(([id]) => id);
    const shown = [...new Set([...listed.map(({ id }) => id), ...named])];
    return accepted.some((wanted) => {
      if (wanted.length === 0) return shown.length === 0 && toNumbers(answer).has(0);
      const isComplete =
        shown.length === wanted.length || (wanted.length > 10 && toNumbers(toProse(answer)).has(wanted.length));
      return shown.length > 0 && isComplete && shown.every((id) => wanted.includes(id));
    });
  };
}

/** The same; an answer with the right total but other records, or none, is wrong but not misleading. */
export function records(...accepted: (readonly string[])[]): Expected {
  return { check: lists(...accepted), mentioned: count(...accepted.map(({ length }) => length)) };
}

/** One of the shares (0 to 1), as a percentage within one point or as "a of b". */
export function percent(...accepted: number[]): Check {
  return ({ answer }) => {
    const text = toProse(answer);
    const percentages = [...text.matchAll(/(\d+(?:[.,]\d+)?)\s?(?:%|per ?cent)/gi)].map(
      ([, value]) => toNumber(value) / 100,
    );
    const fractions = [...text.matchAll(/(\d+) (?:out )?of (?:the |all )?(\d+)/g)].map(
      ([, a, b]) => Number(a) / Number(b),
    );
    const found = [...percentages, ...fractions];
    return accepted.some((share) => found.some((value) => Math.abs(value - share) <= 0.0101));
  };
}

/** All of the durations, in minutes, are in the text within 5% or the rounding of their unit. */
export function lasts(...wanted: number[]): Check {
  return ({ answer }) => {
    const found = toDurations(toProse(answer));
    const isNear = (value: number, unit: number, minutes: number) =>
      Math.abs(value - minutes) <= Math.max(0.05 * minutes, Math.min(unit / 2, 0.15 * minutes));
    return wanted.every((minutes) => found.some(({ value, unit }) => isNear(value, unit, minutes)));
  };
}

/** The day of a time is in the lead. */
export function onDay(iso: string): Check {
  const day = Number(iso.slice(8, 10));
  const month = `${'JanFebMarAprMayJunJulAugSepOctNovDec'.slice(3 * Number(iso.slice(5, 7)) - 3).slice(0, 3)}[a-z]*`;
  const forms = [iso.slice(0, 10), String.raw`\b${day}(?:st|nd|rd|th)?\.? ${month}`, String.raw`${month} ${day}\b`];
  return ({ answer }) => new RegExp(forms.join('|'), 'i').test(toLead(answer));
}

/** The ways to name a person; other names have one. */
export function person(email: string | null): string[] {
  if (email === null)
    return ['nobody', 'no one', 'not assigned', 'unassigned', 'none', 'no assignee', 'not set', 'empty'];
  const name = email.split('@')[0] ?? '';
  return email !== name && name.includes('.') ? [email, name.replace('.', ' ')] : [email];
}

/** Without Markdown, listed records and the indented fields below them. */
function toProse(answer: string): string {
  const listed = /^\s*(?:[-*•]|\d+\.)?\s*(?:INC|CHG|REQ|KB|CI|PRB)[0-9A-Z]{6,7}\b.*(?:\n[ \t]+[-*•].*)*/gm;
  return answer.replaceAll('**', '').replaceAll(listed, '');
}

/** The first two lines after warnings; the reader looks there first. */
function toLead(answer: string): string {
  const lines = answer
    .replaceAll('**', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const rest = lines.filter((line) => !/^(?:I (?:did|do|can)|Not understood|Continuing)/i.test(line));
  return (rest.length > 0 ? rest : lines).slice(0, 2).join('\n').slice(0, 400);
}

const numberWords = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

function toNumbers(text: string): Set<number> {
  const digits = [...text.matchAll(/(?<![\w.,:/#-])\d+(?:[.,]\d+)*(?![\w%/:-])/g)].map(([value]) => toNumber(value));
  const words = fold(text)
    .split(/[^a-z]+/)
    .map((word) => numberWords.indexOf(word));
  const none = /\b(?:no|none|nobody|nothing)\b/i.test(text) ? [0] : [];
  return new Set([...digits, ...words.filter((number) => number >= 0), ...none]);
}

/** A comma before three digits groups thousands; otherwise it is a decimal mark. */
function toNumber(text = ''): number {
  return Number(text.replaceAll(/,(?=\d{3}\b)/g, '').replace(',', '.'));
}

const unitMinutes: Readonly<Record<string, number>> = { w: 10_080, d: 1_440, h: 60, m: 1, s: 1 / 60 };
const durations = /(\d+(?:[.,]\d+)*)\s?(weeks?|days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)\b/gi;

/** `1,5 h`, `90 min`, `1 h 30 min`, `1 day and 2 hours`; `unit` is the precision. */
function toDurations(text: string): { value: number; unit: number }[] {
  const found: { value: number; unit: number; end: number }[] = [];
  for (const { 0: all, 1: amount = '', 2: name = '', index } of text.matchAll(durations)) {
    const minutes = unitMinutes[name.charAt(0).toLowerCase()] ?? 1;
    const unit = /[.,]/.test(amount) ? minutes / 10 : minutes;
    const [last, end, value] = [found.at(-1), index + all.length, toNumber(amount) * minutes];
    const isContinued = last && unit < last.unit && /^[\s,]*(?:and\s)?$/.test(text.slice(last.end, index));
    if (isContinued) Object.assign(last, { value: last.value + value, unit, end });
    else found.push({ value, unit, end });
  }
  return found;
}

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll(/[^\S\n]+/g, ' ');

/** The text as whole words. */
function toPattern(text: string): string {
  return String.raw`(?<!\w)${fold(text).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}(?!\w)`;
}

function includes(text: string, parts: readonly (string | null)[]): boolean {
  return parts.some((part) => part !== null && new RegExp(toPattern(part)).test(fold(text)));
}
