// Questions that continue the ones before them: "and in September?", "only the P1s", "who has the second one?".
import { findFieldWords } from './field-words.ts';
import { type Draft, lists, maxWords, type Planner, recordKind } from './plan.ts';
import { readRecord } from './plan-record.ts';
import { readSpans } from './read-filters.ts';
import { renameTimes, shiftPeriod } from './read-periods.ts';
import type { Filters, Reading } from './reading.ts';
import type { Span, TaggedQuestion } from './tag-question.ts';
import { tagWithIds } from './tag-records.ts';

export async function draftInContext(
  question: string,
  tagged: TaggedQuestion,
  earlier: readonly string[],
  planner: Planner,
  asKind?: string,
): Promise<Draft & { isContinued: boolean }> {
  const draft = (kind: string, spans = tagged.spans): Draft => {
    const reading = readSpans(question, spans, kind, planner.nowMs);
    preferTeam(question, kind, reading.filters, planner);
    return { kind, reading, unknown: tagged.unknown, question };
  };
  const own = draft(asKind ?? tagged.kind);
  const namesKind = recordKind.test(question) || tagged.kind === 'problems';
  const previous = earlier.at(-1);
  const isFollowUp = followUp.test(question) || tagged.kind === 'record' || (isFragment(question) && !namesKind);
  const isNew = !isFollowUp && (namesKind || own.reading.filters.text !== undefined);
  // "And next week?" may look like a question about people on call.
  const isOther = !lists.has(tagged.kind) && (ownKind.test(question) || !isFollowUp);
  const isAlone = isOther || previous === undefined || (isNew && !own.reading.flags.has('previous'));
  if (isAlone) return { ...own, isContinued: false };
  const before = await tagWithIds(previous, planner);
  const others = earlier.slice(0, -1);
  // A question for an article or one record has no filters to keep.
  const isSame = unlisted.has(before.kind) && !namesKind && isFollowUp;
  if (!lists.has(before.kind) && !isSame) return draftInContext(question, tagged, others, planner, asKind);
  // "And changes?" after open incidents means open changes, which have other states.
  const wanted = isSame ? before.kind : (asKind ?? (namesKind ? tagged.kind : undefined));
  const last = await draftInContext(previous, before, others, planner, wanted);
  const next = draft(last.kind, alignTimes(question, tagged.spans, last));
  if (tagged.kind === 'record') {
    const { fields } = readRecord(question, tagged.spans, planner);
    const known = findFieldWords(question, fields);
    const unsupported = next.reading.unsupported.filter(
      (words) => !words.split(' ').some((word) => known.includes(word)),
    );
    next.reading = { ...next.reading, fields, unsupported };
  }
  return { ...merge(next, last, planner.nowMs), isContinued: true };
}

/** "MTTR for network" is about the team, "network incidents" about the category of that name. */
function preferTeam(question: string, kind: string, filters: Filters, { tools }: Planner): void {
  const [category, ...others] = [filters.category ?? []].flat().map(String);
  const { assignment_group } = tools.find(({ name }) => name === 'search')?.schema.properties ?? {};
  if (kind !== 'incidents' || category === undefined || others.length > 0 || filters.assignment_group) return;
  if (!assignment_group?.examples?.includes(category)) return;
  const text = ` ${question.toLowerCase()}`;
  const [, after] =
    [' for ', ' of ', ' for the ', ' of the ']
      .map((start) => text.split(`${start}${category.toLowerCase()}`))
      .find((parts) => parts.length > 1) ?? [];
  if (after === undefined || /^\w|^ (?:\w+ )?(?:incident|ticket|issue|problem|case|outage)/.test(after)) return;
  filters.assignment_group = filters.category;
  delete filters.category;
}

export const followUp =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but|same|ok|split|sort(?:ed)?|exclud(?:e|ing)|without|except|leave out|drop|skip|which ones)\b|\b(of (those|these|them)|(those|them|these)[?.! ]*$)/i;

const ownKind = /\b(?:on[- ]?call|on duty|webhooks?)\b/i;

/** "In Porto?" */
const isFragment = (question: string) =>
  /^(?:in|for|from|of|on|with|by|at|about) /i.test(question) && question.split(' ').length <= maxWords + 1;

const unlisted: ReadonlySet<string> = new Set(['oncall', 'webhooks']);

function merge(own: Draft, last: Draft, nowMs: number): Draft {
  const [a, b] = [own.reading, last.reading];
  if (b.filters.resolved_after !== undefined && !creation.test(own.question))
    renameTimes(a.filters, 'created', 'resolved');
  const period = a.flags.has('previous') ? shiftPeriod(last.reading.filters, own.question, nowMs) : {};
  const hasTime = (filters: Filters) => Object.keys(filters).some((name) => /_(after|before)$/.test(name));
  const namesItem = itemFilters.some((name) => name in a.filters);
  const kept = Object.entries(b.filters).filter(
    ([name]) =>
      !(name in a.filters) &&
      !(namesItem && itemFilters.includes(name)) &&
      !(/_(after|before)$/.test(name) && (hasTime(a.filters) || hasTime(period))),
  );
  const asksForRecords = list.test(own.question) || a.fields.length > 0;
  const reading: Reading = {
    ...b,
    ...a,
    filters: { ...Object.fromEntries(kept), ...period, ...a.filters },
    measures: a.measures.length > 0 ? a.measures : b.measures,
    groupBy: a.groupBy.length > 0 || a.flags.has('count') ? a.groupBy : b.groupBy,
    fields: a.fields.length > 0 || a.flags.has('count') ? a.fields : b.fields,
    flags: new Set([
      ...a.flags,
      ...[...b.flags].filter(
        (flag) =>
          !(flag === 'share' && a.groupBy.length > 0) &&
          !(flag === 'count' && asksForRecords) &&
          !/^(?:vs|not)$/.test(flag),
      ),
    ]),
  };
  if (a.limit === undefined && reading.groupBy.length === 0) delete reading.limit;
  // "The oldest one" does not sort the next list.
  if (b.limit !== undefined && a.order === undefined) delete reading.order;
  if (a.other === undefined) delete reading.other;
  return { ...own, reading };
}

/** "Which ones?" after "how many …". */
const list =
  /^\s*(?:(?:ok|and|so|please|then|can you)[, ]+)*(?:which|what are|list|show|name|give|let me see|details)\b/i;

/** "And this month?" after changes that were planned last month. */
function alignTimes(question: string, spans: readonly Span[], { kind, reading }: Draft): Span[] {
  const times = Object.keys(reading.filters).flatMap((name) => /^(.+)_(?:after|before)$/.exec(name)?.[1] ?? []);
  const [time = kind === 'changes' ? 'planned' : undefined, ...others] = [...new Set(times)];
  const isOther = time === undefined || time === 'resolved' || others.length > 0 || creation.test(question);
  return spans.map((span) => (span.label === 'created' && !isOther ? { ...span, label: time } : span));
}

const itemFilters = ['name', 'depends_on', 'needed_by', 'transitive'];

const creation = /\b(?:creat|open|came|come|rais|report|log|new)/i;

/** "When are they planned?" asks about all records of the last answer; "until when?" after people on call about no record. */
export const continuesList = (question: string, listed: ReadonlySet<string>) =>
  listed.size === 0
    ? /^\s*(?:until|since) when\b/i.test(question)
    : listed.size > 1 && /\b(?:they|their)\b/i.test(question);

export const ofIt = /\b(?:on|for|of|to|with|from|by|affect(?:s|ing)?|behind) it\b/;

/** Replaces "it" by the item that the question before names: "any open incidents on it?" after "tell me about vpn-gateway-1". */
export async function nameItems(questions: readonly string[], planner: Planner): Promise<string[]> {
  const named: string[] = [];
  for (const question of questions) {
    const previous = named.at(-1);
    const item =
      previous && /\bit\b/.test(question) ? await findItem(previous, recordKind.test(question), planner) : undefined;
    named.push(item === undefined ? question : question.replace(/\bit\b/, () => item));
  }
  return named;
}

/** After a list of incidents, "it" may be one of them. */
async function findItem(question: string, asksForList: boolean, planner: Planner): Promise<string | undefined> {
  const { kind, spans } = await tagWithIds(question, planner);
  if (kind !== 'items' && !(asksForList && lists.has(kind))) return undefined;
  const { name, depends_on, needed_by, ci } = readSpans(question, spans, kind, planner.nowMs).filters;
  const items = [name ?? depends_on ?? needed_by ?? ci ?? []].flat();
  return items.length === 1 ? String(items[0]) : undefined;
}
