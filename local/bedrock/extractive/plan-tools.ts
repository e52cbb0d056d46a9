// Plans tool calls with a small grammar: a question names a kind of record, values of fields, a time, an order and what to
// group by, each as a phrase of the vocabulary or of the tools' schemas. The longest phrase wins, and every word is used
// once. Words that are left over are searched for in texts, and named in the answer.
import type { Schema, ToolSpec } from '../converse.ts';
import { withoutNull } from './fill-schema.ts';
import { timeSpanIn } from './time-span.ts';
import { fieldWords, fillers, kinds, type Meaning, synonyms } from './vocabulary.ts';

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

export interface Plan {
  calls: ToolCall[];
  /** What the answer must say about how the question was read. */
  remarks: readonly string[];
}

export interface Conversation {
  /** Earlier questions, oldest first. */
  questions: readonly string[];
  /** The latest answer, empty without one. */
  lastAnswer: string;
}

const recordId = /\b(?:INC|CHG|REQ)[0-9A-HJKMNP-TV-Z]{7}\b|\bCI\d{7}\b/gi;
const joinedWord = /[a-z0-9]+(?:[-_.][a-z0-9]+)*/gi;
const email = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

export function planTools(question: string, tools: readonly ToolSpec[], nowMs: number, talk: Conversation): Plan {
  const previous = talk.questions.at(-1);
  const isFollowUp = previous !== undefined && (continues.test(question) || !namesKind(question, tools));
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const pointed =
    ids.length === 0 && /\b(it|this one|that one)\b/i.test(question)
      ? talk.lastAnswer.match(recordId)?.slice(0, 1)
      : ids;
  const getter = tools.find(({ name }) => name.startsWith('get_'));
  const plan = read(question, tools, nowMs);
  const isAboutItem = plan.input.ci !== undefined && namesKind(question, tools);
  const asksForRecord = !isAboutItem && !plan.input.depends_on && !plan.input.needed_by;
  if (getter && pointed && pointed.length > 0 && asksForRecord) {
    return { calls: pointed.slice(0, 4).map((id) => ({ name: getter.name, input: { id } })), remarks: [] };
  }
  if (!isFollowUp) return toPlan(plan, []);
  const before = read(previous, tools, nowMs);
  const isCount =
    plan.name.startsWith('count_') || (before.name.startsWith('count_') && !plan.name.startsWith('search_knowledge'));
  const kind = namesKind(question, tools) ? kindOf(plan.name) : kindOf(before.name);
  const name = `${isCount ? 'count' : 'search'}_${kind}`;
  const tool = tools.find((each) => each.name === name);
  if (!tool || (kindOf(plan.name) === 'knowledge' && asksHow.test(question))) return toPlan(plan, []);
  const own = read(question, tools, nowMs, tool);
  const kept = Object.fromEntries(
    Object.entries(before.input).filter(([key]) => key in (tool.schema.properties ?? {}) && key !== 'limit'),
  );
  const input = { ...kept, ...own.input };
  const carried = Object.keys(kept).filter((key) => !(key in own.input));
  const about =
    carried.length > 0 ? ` with ${describeFilters(Object.fromEntries(carried.map((key) => [key, kept[key]])))}` : '';
  return toPlan({ ...own, name, input }, [`Continuing with ${kind.replaceAll('_', ' ')}${about}.`]);
}

const continues =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but)\b/i;
const asksHow =
  /^\s*(how (do|can|to|does|should)\b|why\b|what (does|do|is|are) .{0,80}\b(mean|for)\b|where (do|can|is)\b|can i\b)/i;

function toPlan({ name, input, leftOver }: Reading, remarks: readonly string[]): Plan {
  const said =
    leftOver.length > 0 ? [`Words that I looked for in texts: ${leftOver.map((word) => `"${word}"`).join(', ')}.`] : [];
  return { calls: [{ name, input }], remarks: [...remarks, ...said] };
}

/** What was not found in texts is left out, and said. */
export function withoutWords({ name, input }: ToolCall): { call: ToolCall; remark: string } | undefined {
  if (name === 'search_knowledge' || typeof input.text !== 'string') return undefined;
  const { text, ...rest } = input;
  const kind = kindOf(name).replaceAll('_', ' ');
  const filters = describeFilters(rest);
  const shown = filters === '' ? `all ${kind}` : `${kind} with ${filters}`;
  return { call: { name, input: rest }, remark: `I did not understand "${text}"; showing ${shown}.` };
}

export function kindOf(name: string): string {
  return name.replace(/^[a-z]+_/, '');
}

export function describeFilters(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .filter(([name]) => !/^(limit|sort|order|by)$/.test(name))
    .map(
      ([name, value]) =>
        `${name.replaceAll('_', ' ')} ${value === null ? 'none' : [value].flat().join(' or ').replaceAll('_', ' ')}`,
    )
    .join(', ');
}

interface Reading {
  name: string;
  input: Record<string, unknown>;
  leftOver: readonly string[];
}

/** More words than this are a story; longer ones are no words. */
const maxLeftOver = 6;
const maxWordLength = 30;

interface Word {
  text: string;
  isFree: boolean;
}

function read(question: string, tools: readonly ToolSpec[], nowMs: number, given?: ToolSpec): Reading {
  const words = split(question);
  for (const verb of ['show', 'give', 'tell', 'get', 'let']) take(words, [verb, 'me']);
  const input: Record<string, unknown> = {};
  const kind = given ? kindOf(given.name) : chooseKind(question, words, tools);
  if (kind === 'knowledge') return { name: 'search_knowledge', input: { text: question.trim() }, leftOver: [] };
  const search = given ?? tools.find(({ name }) => name === `search_${kind}`) ?? tools[0]!;
  const counter = tools.find(({ name }) => name === `count_${kind}`);
  const has = (name: string) =>
    name in (search.schema.properties ?? {}) || (counter !== undefined && name in (counter.schema.properties ?? {}));
  const properties = search.schema.properties ?? {};
  readTime(question, words, input, has, nowMs, kind);
  readLimit(question, words, input);
  readText(words, input, has);
  readNames(words, input, has);
  for (const found of question.match(email) ?? []) {
    const field = ['assigned_to', 'requested_for', 'requested_by', 'owner'].find(
      (name) => has(name) && !(name in input),
    );
    if (
      field &&
      take(
        words,
        split(found).map(({ text }) => text),
      )
    )
      input[field] = found;
  }
  readItem(question, words, input, has, kind);
  const by = readGrouping(words, counter);
  for (const [meaning, phrase] of phrasesFor(properties)) {
    if (!applies(meaning, input, has)) continue;
    const parts = phrase.split(' ');
    const place = takeAt(words, parts);
    if (place < 0) continue;
    const meant = widen(meaning, words, place, place + parts.length, properties);
    apply(meant, input, properties, has, nowMs);
  }
  readUnknownTeam(words, input, has);
  for (const name of kinds[kind] ?? []) take(words, name.split(' '));
  const isContent = ({ text, isFree }: Word) =>
    isFree && !fillers.has(text) && text.length > 1 && text.length <= maxWordLength;
  const leftOver = [...new Set(words.filter(isContent).map(({ text }) => text))].slice(0, maxLeftOver);
  if (leftOver.length > 0 && has('text')) input.text = [input.text, ...leftOver].filter(Boolean).join(' ');
  const counts = by !== undefined || (counter !== undefined && /\bhow many\b|\bnumber of\b|\bcount\b/i.test(question));
  if (!counts) return { name: search.name, input, leftOver };
  const { sort: _, order: __, limit: ___, ...filters } = input;
  return { name: counter!.name, input: { ...filters, ...(by && { by }) }, leftOver };
}

function split(text: string): Word[] {
  const plain = text.toLowerCase().replace(/['’]s\b/g, '');
  return (plain.match(/[\p{L}\p{N}]+(?:[-_.@][\p{L}\p{N}]+)*/gu) ?? []).map((word) => ({ text: word, isFree: true }));
}

/** Uses up the first free run of these words, in singular or plural. */
function take(words: readonly Word[], phrase: readonly string[]): boolean {
  return takeAt(words, phrase) >= 0;
}

function takeAt(words: readonly Word[], phrase: readonly string[]): number {
  const place = words.findIndex((_, start) =>
    phrase.every((word, offset) => {
      const each = words[start + offset];
      return each?.isFree === true && isForm(each.text, word);
    }),
  );
  for (let offset = 0; place >= 0 && offset < phrase.length; offset++) words[place + offset]!.isFree = false;
  return place;
}

function isForm(text: string, word: string): boolean {
  return text === word || text === `${word}s` || text === `${word}es` || `${text}s` === word;
}

function namesKind(question: string, tools: readonly ToolSpec[]): boolean {
  const words = split(question);
  return Object.entries(kinds).some(
    ([kind, names]) => tools.some(({ name }) => kindOf(name) === kind) && names.some((name) => has(words, name)),
  );
}

function has(words: readonly Word[], phrase: string): boolean {
  return take(
    words.map((word) => ({ ...word })),
    phrase.split(' '),
  );
}

/** The kind that the question names; otherwise the one whose words it uses. */
function chooseKind(question: string, words: readonly Word[], tools: readonly ToolSpec[]): string {
  const known = (kind: string) => tools.some(({ name }) => kindOf(name) === kind);
  if (known('configuration_items') && dependency.test(question)) return 'configuration_items';
  if (known('knowledge') && asksHow.test(question)) return 'knowledge';
  const named = Object.entries(kinds)
    .filter(([kind]) => known(kind))
    .flatMap(([kind, names]) =>
      names
        .filter((name) => has(words, name))
        .map((name) => ({ kind, place: placeOf(words, name), length: name.length })),
    )
    .sort((a, b) => a.place - b.place || b.length - a.length);
  const [first] = named;
  if (first) return first.kind;
  if (/\bapprov/i.test(question) && known('changes')) return 'changes';
  if (known('configuration_items') && namesClass(words, tools)) return 'configuration_items';
  return known('incidents') ? 'incidents' : kindOf(tools[0]?.name ?? 'search_incidents');
}

/** "staging databases": a class of items that records really have. */
function namesClass(words: readonly Word[], tools: readonly ToolSpec[]): boolean {
  const property = tools.find(({ name }) => name === 'search_configuration_items')?.schema.properties?.class;
  return (property?.examples ?? []).some((value) => has(words, String(value).toLowerCase()));
}

function placeOf(words: readonly Word[], phrase: string): number {
  const [first] = phrase.split(' ');
  return words.findIndex(({ text }) => isForm(text, first!));
}

const dependency =
  /\bdepend(s|encies|ency)?\b|\b(systems?|servers?|items?|services?|what|which \w+) (need|needs|require|requires|rel(y|ies) on)\b/i;

/** Values of the schema and synonyms, longest first, so that "on hold" wins over "on". */
function phrasesFor(properties: Readonly<Record<string, Schema>>): [Meaning, string][] {
  const phrases: [Meaning, string][] = synonyms.flatMap(([meaning, ...own]) =>
    own.map((phrase): [Meaning, string] => [meaning, phrase]),
  );
  for (const [name, property] of Object.entries(properties)) {
    const { schema } = withoutNull(property);
    const list = schema.type === 'array' ? withoutNull(schema.items ?? {}).schema.enum : schema.enum;
    for (const value of list ?? []) {
      if (/^(sort|order|by)$/.test(name)) continue;
      const plain = String(value).replaceAll('_', ' ').toLowerCase();
      const meaning = { [name]: schema.type === 'array' ? [value] : value };
      phrases.push([meaning, plain]);
      for (const word of fieldWords[name] ?? [name])
        phrases.push([meaning, `${plain} ${word}`], [meaning, `${word} ${plain}`]);
      const number = /^P(\d)$/.exec(String(value))?.[1];
      if (number) for (const word of fieldWords.priority!) phrases.push([meaning, `${word} ${number}`]);
    }
    for (const value of property.examples ?? schema.examples ?? []) {
      const plain = split(String(value))
        .map(({ text }) => text)
        .join(' ');
      if (plain === '' || typeof value !== 'string') continue;
      phrases.push([{ [name]: value }, plain]);
      for (const word of fieldWords[name] ?? []) phrases.push([{ [name]: value }, `${plain} ${word}`]);
    }
  }
  return phrases.sort(([, a], [, b]) => b.split(' ').length - a.split(' ').length || b.length - a.length);
}

function applies(meaning: Meaning, input: Readonly<Record<string, unknown>>, has: (name: string) => boolean): boolean {
  const [name, value] = Object.entries(meaning)[0]!;
  if (name === 'me') return ['assigned_to', 'requested_by'].some((field) => has(field) && !(field in input));
  if (name === 'planned') return has('planned_after') && !('planned_after' in input);
  if (!has(name)) return false;
  // One value of a field besides another means either; anything else has been said already.
  return !(name in input) || (Array.isArray(value) && Array.isArray(input[name]));
}

function apply(
  meaning: Meaning,
  input: Record<string, unknown>,
  properties: Readonly<Record<string, Schema>>,
  has: (name: string) => boolean,
  nowMs: number,
): void {
  for (const [name, value] of Object.entries(meaning)) {
    if (name === 'me')
      input[
        has('assigned_to') && !has('requested_by')
          ? 'assigned_to'
          : has('requested_by')
            ? 'requested_by'
            : 'assigned_to'
      ] = 'me';
    else if (name === 'planned') input.planned_after = new Date(nowMs).toISOString();
    else if (value === 'open') input.state = openStates(properties.state);
    else if (Array.isArray(value) && Array.isArray(input[name]))
      input[name] = inOrder(properties[name], [...(input[name] as unknown[]), ...value]);
    else if (has(name)) input[name] = value;
  }
}

const denials = /^(not|no|except|excluding|non|isnt|arent|other)$/;
const upward = /^(higher|above|worse|greater)$/;

/** "not closed" means every other value, "P2 or higher" all from P2 up. */
function widen(
  meaning: Meaning,
  words: readonly Word[],
  from: number,
  until: number,
  properties: Readonly<Record<string, Schema>>,
): Meaning {
  const [name, value] = Object.entries(meaning)[0]!;
  const values = (withoutNull(properties[name] ?? {}).schema.items?.enum ?? []).map(String);
  if (values.length === 0) return meaning;
  const meant = value === 'open' ? openStates(properties.state) : (value as string[]);
  const before = words.slice(Math.max(0, from - 2), from);
  if (before.some(({ text }) => denials.test(text))) {
    for (const word of before) if (denials.test(word.text)) word.isFree = false;
    // "Not resolved" is still open; a state that is not meant at all stays out.
    const isSolved = name === 'state' && meant.includes('resolved');
    return { [name]: isSolved ? openStates(properties.state) : values.filter((each) => !meant.includes(each)) };
  }
  const after = words.slice(until, until + 3);
  if (meant.length === 1 && after.some(({ text }) => upward.test(text))) {
    for (const word of after) if (upward.test(word.text)) word.isFree = false;
    const place = values.indexOf(meant[0]!);
    return { [name]: /^P\d/.test(values[0]!) ? values.slice(0, place + 1) : values.slice(place) };
  }
  return meaning;
}

/** "assigned to Ann", "owned by cloud platform", "the netwrk team": the tools know who is meant, or say that they do not. */
function readNames(words: Word[], input: Record<string, unknown>, has: (name: string) => boolean): void {
  for (const [field, ...leads] of nameLeads) {
    if (!has(field) || field in input) continue;
    for (const lead of leads) {
      const parts = lead.split(' ');
      const copy = words.map((word) => ({ ...word }));
      const place = takeAt(copy, parts);
      const next = words[place + parts.length];
      if (place < 0 || !next?.isFree || fillers.has(next.text) || /^(nobody|no|team|group|my|our)$/.test(next.text))
        continue;
      const after = words[place + parts.length + 1];
      if (after && /^(team|group)$/.test(after.text)) continue;
      takeAt(words, parts);
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

/** Each value once, in the order of the schema. */
function inOrder(property: Schema | undefined, values: readonly unknown[]): unknown[] {
  const known = withoutNull(property ?? {}).schema.items?.enum ?? [];
  return known.filter((value) => values.includes(value));
}

const aboutWords = /^(about|mentioning|mention|mentions|containing|regarding|concerning|saying)$/;
const textEnds = /^(since|of|in|from|that|which|assigned|by|for|with|created|opened|are|is|this|last|today|yesterday)$/;

/** "tickets about new laptops" are not new. */
function readText(words: readonly Word[], input: Record<string, unknown>, has: (name: string) => boolean): void {
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
function readUnknownTeam(words: readonly Word[], input: Record<string, unknown>, has: (name: string) => boolean): void {
  if (!has('assignment_group') || 'assignment_group' in input) return;
  const place = words.findIndex(({ text, isFree }, index) => {
    return isFree && !fillers.has(text) && /^(team|group)s?$/.test(words[index + 1]?.text ?? '');
  });
  if (place < 0) return;
  words[place]!.isFree = false;
  input.assignment_group = words[place]!.text;
}

const finalStates = /^(resolved|closed|cancelled|completed|rejected|fulfilled|draft|retired)$/;

function openStates(property: Schema | undefined): string[] {
  const values = withoutNull(property ?? {}).schema.items?.enum ?? [];
  return values.map(String).filter((value) => !finalStates.test(value));
}

function readLimit(question: string, words: readonly Word[], input: Record<string, unknown>): void {
  const found =
    /\b(?:top|first|last|latest|newest|oldest) (\d{1,2})\b(?! (?:minute|hour|day|week|month))|\b(\d{1,2}) (?:newest|latest|oldest|most)/i.exec(
      question,
    );
  const number = found?.[1] ?? found?.[2];
  if (!number) return;
  input.limit = Math.min(20, Math.max(1, Number(number)));
  take(words, [number]);
  take(words, ['top']);
}

const units: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440, week: 10_080 };

function readTime(
  question: string,
  words: Word[],
  input: Record<string, unknown>,
  has: (name: string) => boolean,
  nowMs: number,
  kind: string,
): void {
  const due =
    /\b(?:due|breach\w{0,10}|expir\w{0,10})\b.{0,30}?\b(?:within|in) (?:the )?(?:next )?(\d{1,3}|an?|one|two|three|four)? ?(minute|hour|day|week)s?\b/i.exec(
      question,
    );
  if (due && has('sla_due_within_minutes')) {
    const amount = Number(due[1]) || { two: 2, three: 3, four: 4 }[due[1] ?? ''] || 1;
    input.sla_due_within_minutes = amount * units[due[2]!.toLowerCase()]!;
    for (const { text } of split(due[0])) take(words, [text]);
    return;
  }
  const ahead =
    kind === 'changes' && has('planned_after') && !/\b(created|opened|raised|requested|updated)\b/i.test(question);
  const age = question.replace(/\bfor (more than|over)\b/i, 'older than');
  const span = timeSpanIn(age, nowMs, ahead ? 'future' : 'past');
  if (!span) return;
  for (const { text } of split(age.slice(span.at.from, span.at.until))) take(words, [text]);
  if (age !== question) for (const text of ['for', 'more', 'than', 'over']) take(words, [text]);
  const verb = ahead
    ? 'planned'
    : /\b(updated|changed|resolved|closed|fixed|solved)\b/i.test(question) && has('updated_after')
      ? 'updated'
      : 'created';
  const iso = (ms: number) => new Date(ms).toISOString();
  // "After" leaves out the moment itself.
  if (span.fromMs !== undefined && has(`${verb}_after`)) input[`${verb}_after`] = iso(span.fromMs - 1);
  const isOver = span.untilMs !== undefined && (span.untilMs <= nowMs || ahead);
  if (isOver && has(`${verb}_before`)) input[`${verb}_before`] = iso(span.untilMs!);
}

/** Host names and ids of configuration items; which filter they belong to follows from the verb. */
function readItem(
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
  const needs = new RegExp(`\\b(?:of|does|is|do)\\s+(?:the\\s+)?${name.replace(/[.]/g, '\\.')}\\b`, 'i').test(question);
  const field =
    dependency.test(question) && kind === 'configuration_items'
      ? needs
        ? 'needed_by'
        : 'depends_on'
      : kind === 'configuration_items'
        ? 'name'
        : 'ci';
  if (has(field) && take(words, [name.toLowerCase()])) input[field] = name;
}

function readGrouping(words: Word[], counter: ToolSpec | undefined): string | undefined {
  const fields = (counter?.schema.properties?.by ? withoutNull(counter.schema.properties.by).schema.enum : []) ?? [];
  if (words.some(({ text }) => /^(sort|sorted|order|ordered)$/.test(text))) return undefined;
  for (const field of fields.map(String)) {
    for (const word of fieldWords[field] ?? [field.replaceAll('_', ' ')]) {
      for (const lead of ['for each', 'grouped by', 'by', 'per', 'each', 'every']) {
        if (take(words, [...lead.split(' '), ...word.split(' ')])) return field;
      }
    }
  }
  return undefined;
}

/** Names such as `vpn-gateway-1`: they start with a letter and contain a digit. */
function findItemNames(question: string): string[] {
  return (question.match(joinedWord) ?? []).filter((word) => /^[a-z]/i.test(word) && /\d/.test(word));
}
