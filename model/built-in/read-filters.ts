// Turns the labelled words of a question into the input of a search: fixed values, time bounds, names, denials, and what the
// question asks for (figures, groups, fields).
import { type KindName, listGroups, type SearchedKind, searchedKinds } from '../../contract/searched-kinds.ts';
import { readTime, type TimeSpan } from './read-time.ts';
import type { Span } from './tag-question.ts';
import { toWords } from './time-words.ts';

export type Filters = Record<string, unknown>;

/** What the labelled words mean. */
export interface Reading {
  filters: Filters;
  /** The second of two groups or periods to compare. */
  other?: Filters;
  /** Fields of records. */
  fields: string[];
  /** resolve, acknowledge, sla, reopened. */
  measures: string[];
  groupBy: string[];
  interval?: string;
  flags: ReadonlySet<string>;
  sort?: string;
  order?: 'asc' | 'desc';
  limit?: number;
  /** The filters of the records that a share is a part of: "of open incidents", "among open incidents". */
  whole?: readonly string[];
  /** Words that no filter can express. */
  unsupported: readonly string[];
}

/** The planner calls configuration items `items`. */
export const toToolKind = (kind: string) => (kind === 'items' ? 'configuration_items' : kind);

const none: SearchedKind = {
  enums: {},
  names: [],
  people: [],
  ungrouped: [],
  flags: [],
  times: [],
  sorts: [],
  optional: [],
  open: [],
};
const others: Readonly<Record<string, SearchedKind>> = {
  oncall: { ...none, names: ['assignment_group', 'assigned_to'] },
  webhooks: { ...none, names: ['name'], enums: { active: ['true', 'false'] } },
};

function findKind(kind: string): SearchedKind {
  return others[kind] ?? searchedKinds[toToolKind(kind) as KindName] ?? none;
}

/** Labels that another kind of record has under another name. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  opened_by: ['requested_by'],
  requested_by: ['opened_by'],
  name: ['ci'],
  id: ['ci'],
  owner: ['assignment_group'],
  assignment_group: ['owner'],
};

/** For records without the time of the label. */
const similarTimes: Readonly<Record<string, string>> = { resolved: 'updated', planned: 'created' };

const timeLabel = /^(created|updated|resolved|planned|sla_breach)$/;
export const flagLabels = new Set(['count', 'share', 'median', 'trend', 'vs', 'failing', 'previous', 'not', 'action']);

/** A value of a filter, with the words that say it. */
interface Value {
  span: Span;
  field: string;
  value: unknown;
  isDenied: boolean;
}

export function readSpans(question: string, spans: readonly Span[], kind: string, nowMs: number): Reading {
  const denied = findDenied(question, spans, kind);
  const own = completeSpans(question, spans).flatMap((span, _, all) =>
    isCovered(span, all) || denied.some(({ replaced }) => replaced.includes(span)) ? [] : toLiterals(span, kind),
  );
  const isTrend = ({ label, text }: Span) => label === 'unsupported' && rising.test(text);
  const flags = new Set(
    own.map((span) => (isTrend(span) ? 'trend' : span.label)).filter((label) => flagLabels.has(label)),
  );
  const reading: Reading = { filters: {}, fields: [], measures: [], groupBy: [], flags, unsupported: [] };
  const values: Value[] = denied.map(({ value }) => value);
  const failed: Span[] = [];
  const hasBreached = own.some(({ label }) => label === 'sla=breached');
  let denial: Span | undefined;
  let lastDenied: Span | undefined;
  for (const span of own) {
    const [name = '', fixed] = span.label.split('=');
    if (span.label === 'not') denial = span;
    if (flagLabels.has(span.label) || isTrend(span) || readOption(span, name, fixed, kind, reading)) continue;
    if (lastDenied && lastDenied.until <= span.from && !/^\s*(?:,|or|and|nor)\b/.test(question.slice(lastDenied.until)))
      denial = undefined;
    const hasDenial = denial !== undefined && span.from - denial.until < maxDenied && span.from >= denial.from;
    // The values of "not P4" are the others already.
    const isDenied = !denialWord.test(span.text) && (hasDenial || followsDenial(question, span, own));
    if (isDenied) lastDenied = span;
    const found =
      timeLabel.test(name) && fixed === undefined
        ? readTimes(span, kind, nowMs, hasBreached)
        : readValue(span, name, fixed, kind, nowMs);
    if (!found) failed.push(span);
    else values.push(...found.map((each) => ({ span, isDenied, ...each })));
  }
  // A denial that leaves nothing out must not go unnoticed.
  failed.push(...own.filter(({ label, from }) => label === 'not' && !values.some((each) => isAfter(each, from))));
  const hasEarlier = own.some(
    ({ label, text }) => label === 'previous' || /\b(?:day|week|month|quarter|year) before\b/i.test(text),
  );
  // "More laptops or monitors" compares, even if no word has the label.
  const isCompared = (comparative.test(question) && / (?:or|than) /i.test(question)) || comparing.test(question);
  if (isCompared && hasTwoValues(values)) flags.add('vs');
  const other = flags.has('vs') && !hasEarlier ? splitCompared(values, nowMs) : undefined;
  const used = other ? values.filter((value) => !other.values.includes(value)) : values;
  failed.push(...applyValues(used, reading.filters, kind));
  if (other) {
    reading.other = {};
    applyValues(other.values, reading.other, kind);
    Object.assign(reading.filters, other.first);
  }
  if (flags.has('vs') && hasEarlier) reading.other = shiftPeriod(reading.filters, question, nowMs);
  adjust(reading, kind, question);
  if (reading.flags.has('share')) reading.whole = findWhole(question, values);
  const isEarlier = ({ text }: Span) => reading.other !== undefined && hasEarlier && /\bbefore\b/i.test(text);
  const isRead = (span: Span) =>
    isEarlier(span) || own.some((each) => !failed.includes(each) && each !== span && overlaps(each, span));
  return { ...reading, unsupported: [...new Set(failed.filter((span) => !isRead(span)).map(({ text }) => text))] };
}

function findWhole(question: string, values: readonly Value[]): string[] {
  const among = /\bamong(?:st)?\b|\bout of\b/i.exec(question);
  const from = among?.index ?? question.search(/\bof\b/i);
  const until = among ? question.length : question.search(/\b(?:incident|ticket|change|request|article|problem)s?\b/i);
  const parts = values.filter(({ field }) => !/_(?:after|before)$/.test(field));
  const whole = parts.filter(({ span }) => from >= 0 && span.from > from && span.until <= until);
  return whole.length < parts.length ? whole.map(({ field }) => field) : [];
}

const isAfter = ({ isDenied, span, field }: Value, from: number) =>
  span.until > from &&
  span.from - from < 2 * maxDenied &&
  (isDenied || field === 'missing' || denialWord.test(span.text));

const rising = /\b(?:increas\w*|decreas\w*|ris(?:e|ing)|grow(?:s|ing)?|fall(?:s|ing)?|going (?:up|down))\b/i;

const denialWord = /\b(?:not|never|neither|nor|no|nobody|none|without|except|un(?:acknowledged|acked))\b|n['’]?t\b/i;

/** Words for properties that records have or not. */
const flagWords: Readonly<Record<string, RegExp>> = {
  reopened: /\breopen|\b(?:came|come|bounced) back\b/i,
  acknowledged: /acknowledg|\b(?:un)?acked\b/i,
};

const denialBefore =
  /\b(?:not|never|neither|nor|except|excluding|isn't|aren't|wasn't|weren't|didn't|don't)\s+(?:(?:in|a|an|the|of|for|from|by|yet|been)\s+){0,2}$/i;

/** The model may give a denial no label: "not P4". */
function followsDenial(question: string, { from, label }: Span, spans: readonly Span[]): boolean {
  const found = timeLabel.test(label) ? null : denialBefore.exec(question.slice(0, from));
  return found !== null && !spans.some((span) => span.from <= found.index && span.until > found.index);
}

/** Characters between a denial and the denied name. */
const maxDenied = 30;

/** Reads labels that are no filters. */
function readOption({ text }: Span, name: string, fixed: string | undefined, kind: string, reading: Reading): boolean {
  if (name === 'by' && fixed !== undefined) {
    if (/^(day|week|month)$/.test(fixed)) reading.interval = fixed;
    else if (!listGroups(findKind(kind)).includes(fixed)) return false;
    else if (!reading.groupBy.includes(fixed)) reading.groupBy.push(fixed);
  } else if (name === 'measure') reading.measures.push(String(fixed));
  else if (name === 'field') reading.fields = [...new Set([...reading.fields, String(fixed)])];
  else if (name === 'author') {
    // Articles have no filter for it, so each shows its author.
    reading.fields = [...new Set([...reading.fields, 'created_by'])];
    return false;
  } else if (name === 'order') reading.order = fixed as 'asc' | 'desc';
  else if (name === 'sort') {
    if (!findKind(kind).sorts.includes(String(fixed))) return false;
    reading.sort = String(fixed);
  } else if (name === 'limit') reading.limit = fixed ? (reading.limit ?? 1) : (readNumber(text) ?? reading.limit ?? 1);
  else return false;
  return true;
}

type Found = Pick<Value, 'field' | 'value'>[];

/** Undefined if no filter can express the words. */
function readValue(
  span: Span,
  name: string,
  fixed: string | undefined,
  kind: string,
  nowMs: number,
): Found | undefined {
  const { label, text } = span;
  const { names: known, enums, open, optional, flags } = findKind(kind);
  // "On hold or reopened" are states.
  const namesState = enums.state?.some((each) => !flags.includes(each) && text.includes(each.replace('_', ' ')));
  const isFlag = /^(?:unsupported|state)/.test(label) && !namesState;
  const flag = flags.find((each) => label === each || (isFlag && flagWords[each]?.test(text)));
  if (flag) return [{ field: flag, value: !denialWord.test(text) }];
  if (label === 'unsupported' || name === 'author') return undefined;
  if (name === 'planned') return kind === 'changes' ? [{ field: 'planned_after', value: toIso(nowMs) }] : undefined;
  if (fixed === 'null') return optional.includes(name) ? [{ field: 'missing', value: name }] : undefined;
  const field = [name, ...(aliases[name] ?? [])].find((each) => known.includes(each));
  if (fixed === 'me') return field ? [{ field, value: 'me' }] : undefined;
  if (fixed === 'my_team')
    return field ? [{ field, value: /^(our|us|we)\b/i.test(text) ? 'our' : 'my_team' }] : undefined;
  if (fixed !== undefined) {
    const added = fixed === 'open' ? open : enums[name]?.filter((each) => each === fixed);
    return added && added.length > 0 ? [{ field: name, value: added }] : undefined;
  }
  const words = trimName(text);
  if (words === '') return undefined;
  if (field && label !== 'text') return [{ field, value: /^ci\d{7}$/.test(words) ? words.toUpperCase() : words }];
  if (Object.keys(enums).length === 0) return undefined;
  // A search needs every word in the text, so small words ("wifi in Vienna") would exclude records. "Log in" ends with one.
  const terms = words.split(' ').filter((word, place, all) => place === all.length - 1 || !beforeName.has(word));
  const own = terms.filter((word) => !recordWord.test(word));
  return [{ field: 'text', value: (own.length > 0 ? own : terms).join(' ') }];
}

const recordWord = /^(?:incident|ticket|case|problem|issue|change|request|article|outage)s?$/;

const toIso = (ms: number) => new Date(ms).toISOString();

const stale =
  /\b(not|no|nobody|nothing|never|without|stale|idle|quiet|silent|inactive|dormant|un(?:touched|changed|modified|moved|edited))\b|n't\b/;

function readTimes({ label, text }: Span, kind: string, nowMs: number, hasBreached: boolean): Found | undefined {
  const isAhead = label === 'planned' || (label === 'sla_breach' && !hasBreached);
  const span = readTime(text, nowMs, isAhead ? 'future' : 'past');
  if (!span || kind === 'webhooks' || kind === 'oncall') return span ? [{ field: 'time', value: span }] : undefined;
  const known = findKind(kind).times;
  const field = known.includes(label) ? label : (similarTimes[label] ?? '');
  if (!known.includes(field)) return undefined;
  if (label === 'updated' && stale.test(text.toLowerCase()))
    return [{ field: 'updated_before', value: toIso(span.fromMs ?? span.untilMs ?? nowMs) }];
  return toBounds(field, span, nowMs, isAhead && field === label);
}

/** The bounds are exclusive. Records that exist were created before now. */
function toBounds(field: string, { fromMs, untilMs }: TimeSpan, nowMs: number, mayBeAhead: boolean): Found | undefined {
  if (!mayBeAhead && fromMs !== undefined && fromMs >= nowMs) return undefined;
  return [
    ...(fromMs === undefined ? [] : [{ field: `${field}_after`, value: toIso(fromMs - 1) }]),
    ...(untilMs !== undefined && (mayBeAhead || untilMs < nowMs)
      ? [{ field: `${field}_before`, value: toIso(untilMs) }]
      : []),
  ];
}

/**
 * Finds two values of a field or two periods. With one period only, the first one is the current period of the same
 * length.
 */
function splitCompared(values: readonly Value[], nowMs: number): { values: Value[]; first: Filters } | undefined {
  const isTime = ({ field }: Value) => /_(after|before)$/.test(field);
  const candidates = values.filter(({ isDenied, field }) => !isDenied && field !== 'missing' && field !== 'text');
  for (const { span, field } of candidates) {
    const same = (each: Value) => (isTime(each) ? each.span.label === span.label : each.field === field);
    const second = candidates.findLast((each) => same(each) && each.span !== span);
    // Words between the two may carry both labels.
    const isSecond = (each: Value) =>
      each.span === second?.span || (each.field === second?.field && String(each.value) === String(second.value));
    if (second && !isSecond(values.find((each) => each.span === span) ?? second))
      return { values: values.filter(isSecond), first: {} };
  }
  const period = candidates.find(isTime);
  const current = period && readTime(toCurrent(period.span.text), nowMs, 'past');
  if (!period || !current) return undefined;
  const found = toBounds(period.span.label, current, nowMs, false) ?? [];
  if (found.every(({ field, value }) => values.some((each) => each.field === field && each.value === value)))
    return undefined;
  return {
    values: values.filter(({ span }) => span === period.span),
    first: Object.fromEntries(found.map(({ field, value }) => [field, value])),
  };
}

export const comparative = /\b(?:more|fewer|less|faster|slower|quicker|better|worse|than)\b(?! than \d)/i;

const comparing = /\b(?:compare[ds]?|versus|vs|difference between)\b/i;

function hasTwoValues(values: readonly Value[]): boolean {
  return values.some(({ span, field, isDenied }) =>
    values.some((each) => each.field === field && each.span !== span && !isDenied && !/^(?:text|missing)$/.test(field)),
  );
}

/** The period to compare a past one with: "this week" for "last week", "this month" for "October". */
function toCurrent(text: string): string {
  const words = text.toLowerCase();
  if (/\byesterday\b/.test(words)) return 'today';
  const unit = /\b(week|month|quarter|year)\b/.exec(words)?.[1];
  return `this ${unit ?? 'month'}`;
}

/** Sets the filters. Returns the words that contradict others. */
function applyValues(values: readonly Value[], filters: Filters, kind: string): Span[] {
  const failed: Span[] = [];
  const { enums, open } = findKind(kind);
  for (const { span, field, value, isDenied } of values) {
    // No filter leaves these out.
    if (isDenied && /^(?:missing|text|active)$/.test(field)) failed.push(span);
    else if (typeof value === 'boolean') filters[field] = value !== isDenied;
    else if (field === 'missing') filters.missing = [...((filters.missing as string[]) ?? []), value];
    else if (field === 'text') filters.text = [filters.text, value].filter(Boolean).join(' ');
    else if (field in enums) applyEnum(filters, field, value as string[], isDenied, enums[field] ?? [], open);
    else if (typeof value !== 'string' || /_(after|before)$/.test(field)) {
      if (field in filters && filters[field] !== value) failed.push(span);
      else filters[field] = value;
    } else {
      if (isDenied) filters.not ??= {};
      const target = isDenied ? (filters.not as Filters) : filters;
      target[field] = [...new Set([...((target[field] as string[]) ?? []), value])];
    }
  }
  return failed;
}

function applyEnum(
  filters: Filters,
  field: string,
  value: string[],
  isDenied: boolean,
  all: readonly string[],
  open: readonly string[],
): void {
  const added = isDenied ? all.filter((each) => !value.includes(each)) : value;
  const chosen = [filters[field] ?? []].flat().map(String);
  // "Open tickets on hold" are those on hold.
  const narrowed = added.filter((each) => chosen.includes(each));
  const hasAllOpen = Math.max(chosen.length, added.length) === open.length;
  const isNarrowed = field === 'state' && hasAllOpen && chosen.length > 0 && narrowed.length > 0;
  const both = isDenied && chosen.length > 0 ? narrowed : isNarrowed ? narrowed : [...chosen, ...added];
  filters[field] = all.filter((each) => both.includes(each));
}

/** Fields by their names, for questions whose words the model does not know. */
const fieldWords: Readonly<Record<string, RegExp>> = {
  owner: /\b(?:owner|who owns)\b/i,
  created_by: /\b(?:author|who wrote)\b/i,
  location: /\blocation\b|^\s*where (?:is|are)\b/i,
  class: /\bclass\b/i,
  environment: /\benvironment\b/i,
  priority: /\bprio\w{0,8}\b|\bp\d\b/i,
  category: /\bcategory\b/i,
  subcategory: /\bsub-?category\b/i,
  impact: /\bimpact\b/i,
  urgency: /\burgency\b/i,
  risk: /\brisk\b/i,
  ip_address: /\bip(?: address)?\b/i,
  requested_by: /\brequester\b|\bwho requested\b/i,
  planned: /\bplanned\b/i,
  opened_by: /\breporter\b/i,
  assigned_to: /\bassignee\b|\b(?:implement|handl)ing\b/i,
  assignment_group: /\bteam\b/i,
  acknowledged: /\back(?:ed|nowledged)?\b/i,
  problem: /\bproblem\b/i,
  backout_plan: /\bback-?out plan\b/i,
  test_plan: /\btest plan\b/i,
  implementation_plan: /\bimplementation plan\b/i,
  work_notes_count: /\b(?:how many|number of) (?:work )?notes\b/i,
  notes: /\bnotes?\b/i,
};

/** The model gives these the label of a similar field. */
const exactField = /\b(?:impact|urgency|sub-?category|(?:how many|number of) (?:work )?notes)\b/i;

/** The words of a question that name one of the fields. */
export function findFieldWords(question: string, fields: readonly string[]): string[] {
  return fields.flatMap((field) => fieldWords[field]?.exec(question)?.[0].split(/[\s-]/) ?? []);
}

export const speed = /\b(?:fast|slow|quick)(?:er|est|ly)?\b/i;

/** Applies what follows from several labels together. */
function adjust(reading: Reading, kind: string, question: string): void {
  const { filters, groupBy, measures } = reading;
  const single = measures.length === 0 && groupBy.length > 0 ? superlative.exec(question) : null;
  if (single) {
    // "Which team has the oldest ticket" asks for a field of one record.
    reading.fields = [...reading.fields, ...groupBy.splice(0)];
    reading.limit = 1;
    if (/oldest/i.test(single[0])) reading.order = 'asc';
  }
  if (groupBy.length > 0) delete reading.order;
  if (groupBy.length > 0 && /\b(?:fewest|least|lowest|smallest|rarest)\b/i.test(question)) reading.order = 'asc';
  // The share of breaches among breached incidents is no figure.
  if (measures.includes('sla') && String(filters.sla) === 'breached') {
    reading.measures = measures.filter((measure) => measure !== 'sla');
    reading.flags = new Set([...reading.flags, 'share']);
  }
  const isRecord = kind === 'items' || kind === 'record';
  if (isRecord && (reading.fields.length === 0 || exactField.test(question)))
    reading.fields = Object.keys(fieldWords).filter((field) => fieldWords[field]?.test(question));
  if (measures.length === 0 && speed.test(question) && (reading.other || groupBy.length > 0)) measures.push('resolve');
  if (/^(priority|planned_start|sla_breach_at)$/.test(String(reading.sort))) reading.order ??= 'asc';
  if (kind === 'incidents') {
    const states = [filters.state ?? []].flat();
    // Resolved incidents close after a while, so those that were resolved last month are closed today.
    if (
      /^(?:resolved|closed)$/.test(String(states)) &&
      (filters.resolved_after ?? filters.resolved_before) !== undefined
    )
      filters.state = ['resolved', 'closed'];
    // Few incidents are in this state for long; people ask for those that came back.
    if (String(states) === 'reopened') {
      delete filters.state;
      filters.reopened = true;
    }
    // "New incidents this week" are those that came in.
    if (String(states) === 'new' && filters.created_after !== undefined) delete filters.state;
    // Without a resolution in the question, a time is that of the creation.
    if (
      !/\b(?:resolved|closed)\b/.test(String(states)) &&
      measures.length === 0 &&
      !/solv|clos|fix|finish|done/i.test(question)
    )
      renameTimes(filters, 'resolved', 'created');
    // In "did not breach", "not" may have the label of the incidents that kept their SLA.
    if (String(filters.sla) === 'breached,ok') filters.sla = ['ok'];
    if (keptSla.test(question)) filters.sla = ['ok'];
    // The state of a resolved incident follows from the figure.
    if (reading.measures.includes('resolve') && /^(resolved|closed|resolved,closed)$/.test(String(states)))
      delete filters.state;
  }
  // "In the test environment" is a filter, not a grouping.
  reading.groupBy = groupBy.filter((field) => [filters[field] ?? []].flat().length !== 1 || reading.other);
  if (kind === 'items' && (filters.depends_on ?? filters.needed_by) !== undefined) filters.transitive = true;
}

const toValue = (word: string, values: readonly string[]) =>
  values.find((value) => value.toLowerCase() === word.toLowerCase().replace(' ', '_').replace(/s$/, ''));

/** Words that are values mean themselves: "P1", "emergency or standard". Words for states may mean more. */
function toLiterals(span: Span, kind: string): Span[] {
  const [name = '', fixed] = span.label.split('=');
  const isLiteral = fixed !== undefined && (name !== 'state' || / (?:than|vs|versus) /i.test(span.text));
  const values = isLiteral ? (findKind(kind).enums[name] ?? []) : [];
  const named = [...span.text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: text, index }) => {
    const value = toValue(text, values);
    const from = span.from + index;
    return value ? [{ label: `${name}=${value}`, from, until: from + text.length, text }] : [];
  });
  if (denialWord.test(span.text) || named.length === 0) return [span];
  const isNamed = named.some(({ label }) => label === span.label);
  if (named.length === 1) return [{ ...span, label: named[0]?.label ?? span.label }];
  return isNamed && name !== 'state' ? [span] : named;
}

const leavingOut = 'neither|except(?: for)?|excluding|other than|apart from|(?:all|everything|ones|those) but';
const denying = "not|n['’]?t|without";

/**
 * Values that are left out, in the words of the question: "neither P3 nor P4", "except drafts". One state after "not" may
 * mean more ("not closed" is open), so the label decides unless it contradicts the word.
 */
function findDenied(question: string, spans: readonly Span[], kind: string): { value: Value; replaced: Span[] }[] {
  const { enums, open } = findKind(kind);
  return Object.entries(enums).flatMap(([field, values]) => {
    if (field === 'sla' || field === 'active') return [];
    const word = `(?:${values.map((value) => value.replace('_', '[ _]')).join('|')})s?(?![\\p{L}-])`;
    const small = String.raw`(?:\s+(?:in|a|an|the|of|on|yet|been|state|any)\b)*\s+`;
    const list = String.raw`${word}(?:(?:\s*,\s*|\s+(?:or|and|nor)\s+)(?:in\s+)?${word})*`;
    const pattern = new RegExp(String.raw`(?<![\p{L}])(${leavingOut}|${denying}|\w+n['’]t)${small}(${list})`, 'giu');
    return [...question.matchAll(pattern)].flatMap(({ 0: text, 1: denial = '', 2: named = '', index: from }) => {
      const value = [...named.matchAll(new RegExp(word, 'giu'))].flatMap(([each]) => toValue(each, values) ?? []);
      const until = from + text.length;
      const isLabel = ({ label }: Span) => label === 'not' || label.startsWith(`${field}=`);
      const replaced = spans.filter((span) => isLabel(span) && span.from < until && from < span.until);
      const labels = replaced.flatMap(({ label }) => label.split('=')[1] ?? []);
      const isOpen = labels.length > 0 && labels.every((label) => label === 'open' || open.includes(label));
      const isFinished = value.every((each) => done.test(each));
      const isPlain =
        field === 'state' && (value.length === 1 || isFinished) && !new RegExp(`^(?:${leavingOut})`, 'i').test(denial);
      if (value.length === 0 || (isPlain && isOpen)) return [];
      // What is not resolved is open.
      const isDenied = !(isPlain && isFinished);
      const found = { span: { label: field, from, until, text }, field, value: isDenied ? value : open, isDenied };
      return [{ value: found, replaced }];
    });
  });
}

export const keptSla = /\b(?:not|never)\b(?: \w+)? breach/i;

const done = /^(?:resolved|closed|completed|fulfilled)$/;

const superlative =
  /\b(latest|newest|oldest|most recent|last) (?:[\w-]+ ){0,2}?(?:incident|ticket|case|change|request|one|p\d)\b(?!s)/i;

export function renameTimes(filters: Filters, from: string, to: string): void {
  for (const bound of ['after', 'before']) {
    const value = filters[`${from}_${bound}`];
    if (value === undefined) continue;
    filters[`${to}_${bound}`] ??= value;
    delete filters[`${from}_${bound}`];
  }
}

function overlaps(a: Span, b: Span): boolean {
  return a.from < b.until && b.from < a.until;
}

/** Whether a longer span contains these words: "my team" in "not assigned to my team", or "VPN" in "VPN access". */
function isCovered(span: Span, spans: readonly Span[]): boolean {
  const isCopied = !span.label.includes('=') && !flagLabels.has(span.label);
  return spans.some(({ label, from, until }) => {
    const covers = from <= span.from && until >= span.until && until - from > span.until - span.from;
    return (
      covers &&
      ((label === 'unsupported' && !span.label.startsWith('by=')) ||
        (isCopied && !label.includes('=') && !flagLabels.has(label)))
    );
  });
}

function readNumber(text: string): number | undefined {
  const words = (text.toLowerCase().match(/[a-z]+|\d{1,4}/g) ?? []).flatMap(toWords);
  return words.find(({ kind, value }) => kind === 'number' && value > 0)?.value;
}

/** Extends a span that is only "in" of "in Lisbon" by the next word, or drops it if the next word has its own label. */
function completeSpans(question: string, spans: readonly Span[]): Span[] {
  return spans.flatMap((span) => {
    const words = span.text.toLowerCase().split(' ');
    const isName = !span.label.includes('=') && !flagLabels.has(span.label);
    if (!isName || !words.every((word) => beforeName.has(word))) return [span];
    const [next = ''] = /^\s*[^\s,.;?!]*/.exec(question.slice(span.until)) ?? [];
    const until = span.until + next.length;
    const isTaken = spans.some((each) => each.from >= span.until && each.from < until);
    return next.trim() === '' || isTaken ? [] : [{ ...span, until, text: question.slice(span.from, until) }];
  });
}

const beforeName = new Set('in on at of for with by from to about a an the our my this that ci word words'.split(' '));
const afterName = new Set('team group folks guys people department queue crew squad category'.split(' '));

/** Removes quotation marks, articles and nouns such as "team", which are not part of a name. */
function trimName(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/["“”‘’]/g, '')
    .replace(/'s$/, '');
  const words = plain.split(' ').filter(Boolean);
  while (words.length > 1 && beforeName.has(words[0] ?? '')) words.shift();
  while (words.length > 1 && afterName.has(words.at(-1) ?? '')) words.pop();
  return words.join(' ').replace(/^'|'$/g, '');
}

const dayMs = 86_400_000;

/** The period before that of the last question: by calendar months, or by its own length. */
export function shiftPeriod(filters: Filters, question: string, nowMs: number): Filters {
  const name = Object.keys(filters).find((each) => each.endsWith('_after'));
  if (!name) return {};
  const fromMs = Date.parse(String(filters[name])) + 1;
  const end = filters[name.replace('_after', '_before')];
  const untilMs = end === undefined ? nowMs : Date.parse(String(end));
  const from = new Date(fromMs);
  const isMonth = from.getUTCDate() === 1 && (/month/i.test(question) || untilMs - fromMs > 27 * dayMs);
  const months = isMonth ? Math.max(1, Math.round((untilMs - fromMs) / (30.4 * dayMs))) : 0;
  const weekMs = /\bweek/i.test(question) ? 7 * dayMs : Math.ceil((untilMs - fromMs) / dayMs) * dayMs;
  const startMs = isMonth ? Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - months, 1) : fromMs - weekMs;
  return {
    [name]: new Date(startMs - 1).toISOString(),
    [name.replace('_after', '_before')]: new Date(fromMs).toISOString(),
  };
}
