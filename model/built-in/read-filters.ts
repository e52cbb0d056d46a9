// Turns the labelled words of a question into the input of a search: fixed values, time bounds, names, denials, and what the
// question asks for (figures, groups, fields).
import { listGroups } from '../../contract/searched-kinds.ts';
import { exactField, fieldWords } from './field-words.ts';
import { denialWord, findDenied, followsDenial, isAfter, keptSla, maxDenied, toValue } from './read-denials.ts';
import {
  alignCompared,
  comparesWords,
  hasTwoValues,
  readTimes,
  renameTimes,
  shiftPeriod,
  splitCompared,
} from './read-periods.ts';
import { beforeName, completeSpans, isCovered, listWords, readNumber, recordWord, trimName } from './read-words.ts';
import {
  type Filters,
  type Found,
  findKind,
  flagLabels,
  type Reading,
  timeLabel,
  toIso,
  type Value,
} from './reading.ts';
import type { Span } from './tag-question.ts';

/** Labels that another kind of record has under another name. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  opened_by: ['requested_by'],
  requested_by: ['opened_by'],
  name: ['ci'],
  id: ['ci'],
  author: ['created_by'],
  owner: ['assignment_group'],
  assignment_group: ['owner'],
};

export function readSpans(question: string, spans: readonly Span[], kind: string, nowMs: number): Reading {
  const denied = findDenied(question, spans, kind);
  const own = alignCompared(question, completeSpans(question, spans)).flatMap((span, _, all) =>
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
  if (comparesWords(question) && hasTwoValues(values)) flags.add('vs');
  const other = flags.has('vs') && !hasEarlier ? splitCompared(values, nowMs) : undefined;
  const used = other ? values.filter((value) => !other.values.includes(value)) : values;
  failed.push(...applyValues(used, reading.filters, kind));
  if (other) {
    reading.other = {};
    applyValues(other.values, reading.other, kind);
    Object.assign(reading.filters, other.first);
  }
  if (flags.has('vs') && hasEarlier) reading.other = shiftPeriod(reading.filters, question, nowMs);
  // Only finished records have a time until they are done.
  const isUnfinished = ({ field, value }: Value) =>
    field === 'state' && reading.measures.includes('resolve') && [value].flat().every((each) => isOpen(kind, each));
  failed.push(...used.filter(isUnfinished).map(({ span }) => span));
  adjust(reading, kind, question);
  if (reading.flags.has('share')) reading.whole = findWhole(question, values);
  const isEarlier = ({ text }: Span) => reading.other !== undefined && hasEarlier && /\bbefore\b/i.test(text);
  // Another label explains the words only if it has all of them.
  const isRead = (span: Span) =>
    isEarlier(span) ||
    listWords(span).every(({ from, until }) =>
      own.some((each) => !failed.includes(each) && each.from <= from && each.until >= until),
    );
  return { ...reading, unsupported: [...new Set(failed.filter((span) => !isRead(span)).map(({ text }) => text))] };
}

const isOpen = (kind: string, state: unknown) => findKind(kind).open.includes(String(state));

function findWhole(question: string, values: readonly Value[]): string[] {
  const among = /\bamong(?:st)?\b|\bout of\b/i.exec(question);
  const from = among?.index ?? question.search(/\bof\b/i);
  const until = among ? question.length : question.search(/\b(?:incident|ticket|change|request|article|problem)s?\b/i);
  const parts = values.filter(({ field }) => !/_(?:after|before)$/.test(field));
  const whole = parts.filter(({ span }) => from >= 0 && span.from > from && span.until <= until);
  return whole.length < parts.length ? whole.map(({ field }) => field) : [];
}

const rising = /\b(?:increas\w*|decreas\w*|ris(?:e|ing)|grow(?:s|ing)?|fall(?:s|ing)?|going (?:up|down))\b/i;

/** Words for properties that records have or not. */
const flagWords: Readonly<Record<string, RegExp>> = {
  reopened: /\breopen|\b(?:came|come|bounced) back\b/i,
  acknowledged: /acknowledg|\b(?:un)?acked\b/i,
};

/** Reads labels that are no filters. */
function readOption({ text }: Span, name: string, fixed: string | undefined, kind: string, reading: Reading): boolean {
  if (name === 'by' && fixed !== undefined) {
    if (/^(day|week|month)$/.test(fixed)) reading.interval = fixed;
    else if (!listGroups(findKind(kind)).includes(fixed)) return false;
    else if (!reading.groupBy.includes(fixed)) reading.groupBy.push(fixed);
  } else if (name === 'measure') reading.measures.push(String(fixed));
  else if (name === 'field') reading.fields = [...new Set([...reading.fields, String(fixed)])];
  else if (name === 'order') reading.order = fixed as 'asc' | 'desc';
  else if (name === 'sort') {
    if (!findKind(kind).sorts.includes(String(fixed))) return false;
    reading.sort = String(fixed);
  } else if (name === 'limit') reading.limit = fixed ? (reading.limit ?? 1) : (readNumber(text) ?? reading.limit ?? 1);
  else return false;
  return true;
}

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
  if (label === 'unsupported') return undefined;
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

export const speed = /\b(?:fast|slow|quick)(?:er|est|ly)?\b/i;

/** Applies what follows from several labels together. */
function adjust(reading: Reading, kind: string, question: string): void {
  const { filters, groupBy, measures } = reading;
  const single = measures.length === 0 && !reading.flags.has('count') ? superlative.exec(question) : null;
  if (single && !reading.interval && !/\b(?:each|every|per)\b/i.test(question)) {
    // "Which team has the oldest ticket" asks for a field of one record.
    reading.fields = [...reading.fields, ...groupBy.splice(0)];
    reading.limit ??= 1;
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
    if (openedAndClosed.test(question)) copyTimes(filters);
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

const superlative =
  /\b(latest|newest|oldest|most recent|last) (?:[\w-]+ ){0,2}?(?:incident|ticket|case|change|request|article|guide|problem|one|p\d)\b(?!s)/i;

const openedAndClosed =
  /\b(?:opened|created|raised|reported|logged|came in) and (?:then |also |got )?(?:closed|resolved|solved|fixed)\b/i;

/** "Opened and closed in October" means both times. */
function copyTimes(filters: Filters): void {
  for (const bound of ['after', 'before']) {
    const value = filters[`resolved_${bound}`] ?? filters[`created_${bound}`];
    if (value !== undefined) Object.assign(filters, { [`resolved_${bound}`]: value, [`created_${bound}`]: value });
  }
}
