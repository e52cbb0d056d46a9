// Plans the tool calls for a question: its labelled words become filters, figures or fields. Whatever no call can express
// becomes a remark, and a question without a meaning here gets a reply that says what the copilot can answer.
import type { ToolSpec } from '../../local/bedrock/converse.ts';
import { isExpressed, listRankingWords } from './coverage.ts';
import { explainChange } from './explain-order.ts';
import { findFieldWords } from './field-words.ts';
import { continuesList, draftInContext, followUp, nameItems, ofIt } from './follow-ups.ts';
import {
  abilities,
  cannotAnswer,
  type Draft,
  describeUnknown,
  lists,
  maxWords,
  nothing,
  type Plan,
  type Planner,
  recordKind,
  type Talk,
  toReply,
} from './plan.ts';
import { isSharePerGroup, planCalls, planOnCall, planWebhooks } from './plan-calls.ts';
import { isAboutRecord, listRecordIds, ordinal, planItem, planRecord } from './plan-record.ts';
import { flagLabels, type Reading, toToolKind } from './reading.ts';
import type { Span, TaggedQuestion } from './tag-question.ts';
import { recordId, tagWithIds } from './tag-records.ts';
import { translate } from './translate.ts';

const forecast = /\b(?:will (?:we|there|it|they|our|the)|predict|forecast|expect to)\b/i;

const maxEarlier = 6;

const maxText = 1_000;

export async function planQuestion(question: string, planner: Planner, talk: Talk): Promise<Plan> {
  const [own, ...earlier] = [question, ...talk.earlier].map((text) => translate(text) ?? { text, left: [] });
  const left = new Set([own, ...earlier].flatMap((each) => each?.left ?? []));
  // A word that was not translated may be a name, but no label of the planner for it can be trusted.
  const tag = async (text: string) => {
    const tagged = await planner.tag(text);
    const isTrusted = ({ label, text: words }: Span) =>
      !(label.includes('=') || flagLabels.has(label)) || !words.split(/[^\p{L}\p{M}]+/u).some((word) => left.has(word));
    const spans = tagged.spans.map((span) => (isTrusted(span) ? span : { ...span, label: 'unsupported' }));
    return { ...tagged, spans };
  };
  const english = { earlier: earlier.map(({ text }) => text), lastAnswer: talk.lastAnswer };
  return planEnglish(own?.text ?? question, { ...planner, tag }, english);
}

/** A question without other languages. */
export async function planEnglish(asked: string, planner: Planner, talk: Talk): Promise<Plan> {
  const { lastAnswer } = talk;
  const resolved = await nameItems([...talk.earlier.slice(-maxEarlier), asked], planner);
  const [question = asked, earlier] = [resolved.at(-1), resolved.slice(0, -1)];
  const labelled = await tagWithIds(question, planner);
  const continues = earlier.length > 0 && followUp.test(question) && labelled.kind === 'other';
  const tagged = continues ? { ...labelled, kind: 'incidents' } : labelled;
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const listed = new Set(listRecordIds(lastAnswer));
  const isOneOfList = ordinal.test(question) && listed.size > 0;
  if (isOneOfList) return planRecord(question, tagged, ids, { earlier, lastAnswer }, planner);
  const isOrder = tagged.kind === 'order' && tagged.spans.some(({ label }) => label === 'action' || label === 'id');
  const isGibberish = tagged.spans.length === 0 && tagged.unknown.length > 1;
  if (isOrder && !isGibberish) return toReply(explainChange(question, ids));
  if (tagged.kind === 'order') return toReply(cannotAnswer);
  const item = /\bip\b/i.test(question) ? question.split(/[\s?,]/).find((word) => /-\d{1,3}$/.test(word)) : undefined;
  if (tagged.kind === 'other' && item === undefined) return toReply(cannotAnswer);
  if (tagged.kind === 'other') return planItem(question, String(item), planner);
  const isForecast =
    forecast.test(question) && !tagged.spans.some(({ label }) => /^(planned|sla_breach|depends_on)/.test(label));
  if (isForecast && tagged.kind !== 'knowledge') return toReply(`I cannot predict the future. ${abilities}`);
  const isRecord = tagged.kind === 'record' && !(ids.length === 0 && continuesList(question, listed));
  if (isRecord || (ids.length > 0 && isAboutRecord(ids, tagged)))
    return planRecord(question, tagged, ids, { earlier, lastAnswer }, planner);
  return planInContext(question, tagged, earlier, planner);
}

/** Of languages without a glossary, and small words of those with one. */
const foreignWords = new Set(
  `il la le i che di della dei delle quanti quante quali ci sono mostrami aperti tutti het een niet hoeveel wat zijn quantos quantas
  são ile jest w na pokaż otwarte zgłoszenia der die das les los las`.split(/\s+/),
);

const englishWords = new Set(
  'the how many what which who are is was were of for and with without show list my all not in on by to per from'.split(
    ' ',
  ),
);

/** A follow-up adds its filters to those of the questions before it. */
async function planInContext(
  question: string,
  tagged: TaggedQuestion,
  earlier: readonly string[],
  planner: Planner,
): Promise<Plan> {
  if (tagged.kind === 'knowledge') {
    const text = question.trim().slice(0, maxText) || '?';
    return { calls: [{ name: 'search_knowledge', input: { text } }], remarks: [], reading: nothing };
  }
  const draft = await draftInContext(question, tagged, earlier, planner);
  return finish(draft, planner, draft.isContinued);
}

const recordVerb = /^(?:created|updated|changed|published|written)$/i;

const webhookEvent = /\b(?:incident|problem|change|request|sla|ci)\.[a-z_]{2,30}\b/;

const switchedOff = /\b(?:disabled|inactive|deactivated|paused|(?:switched|turned) off)\b/i;

export function finish(draft: Draft, planner: Planner, isContinued: boolean): Plan {
  const { reading, question } = draft;
  const { kind, unknown: words } = applyKnownNames(draft, planner.tools);
  // An id needs no label.
  if (kind === 'problems' && /\bknown[- ]errors?\b/i.test(question)) reading.filters.known_error = true;
  const items = ['incidents', 'problems', 'changes'].includes(kind) ? (question.match(/\bCI\d{7}\b/gi) ?? []) : [];
  if (items.length > 0) reading.filters.ci ??= items.map((id) => id.toUpperCase());
  const named = findFieldWords(question, reading.fields);
  const unknown = [...new Set([...words, ...listRankingWords(question)])].filter(
    (word) => !named.includes(word) && !isExpressed(word, kind, reading),
  );
  const isNamed = (word: string) => reading.unsupported.some((words) => words.split(' ').includes(word));
  const remarks = [
    ...describeUnknown([...reading.unsupported, ...unknown.filter((word) => !isNamed(word))]),
    ...(reading.flags.has('vs') && !reading.other && reading.groupBy.length === 0
      ? ['I did not understand what to compare.']
      : []),
  ];
  const assumptions = describeAssumptions(draft, isContinued, planner.tools);
  const count = (known: ReadonlySet<string>) =>
    question
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => known.has(word)).length;
  if (unknown.length > 0 && count(foreignWords) > count(englishWords))
    return toReply(`I answer questions in English, German, French and Spanish. ${remarks.join(' ')}`);
  if (kind === 'oncall') {
    if (/\b(?:am i|i am|i'm|do i|my)\b/i.test(question)) reading.filters.assigned_to ??= ['me'];
    return { ...planOnCall(reading, planner), remarks, reading };
  }
  if (kind === 'webhooks') {
    const event = webhookEvent.exec(question)?.[0];
    if (event) reading.filters.event = [event];
    if (switchedOff.test(question))
      Object.assign(reading, { filters: { ...reading.filters, active: ['false'] }, flags: new Set() });
    return { ...planWebhooks(reading, planner), remarks, reading };
  }
  // Words without a label may occur in texts.
  const isWords =
    reading.unsupported.length === 0 &&
    lists.has(kind) &&
    !hasMeaning(reading) &&
    unknown.some((word) => !recordVerb.test(word)) &&
    unknown.length <= maxWords;
  if (isWords && recordKind.test(question)) {
    reading.filters.text = unknown.join(' ');
    const searched = `I looked for the words "${reading.filters.text}".`;
    return { calls: planCalls(toToolKind(kind), reading, question, planner.nowMs), remarks: [searched], reading };
  }
  // A list of everything in a period is no answer to words that were not understood.
  const isEverything = remarks.length > 0 && !hasCondition(reading, true);
  const namesKind = recordKind.test(question) || kind === 'problems';
  const isMeaningless = !isContinued && (isEverything || (!hasMeaning(reading) && !namesKind));
  if (isMeaningless) return toReply([...remarks, remarks.length > 0 ? abilities : cannotAnswer].join(' '));
  // Changes and requests wait for an approval.
  const isBoth =
    String(reading.filters.state) === 'submitted' && !isContinued && !/\b(?:chang|request|order|rfc)/i.test(question);
  const calls = (isBoth ? ['changes', 'requests'] : [toToolKind(kind)]).flatMap((each) =>
    planCalls(each, reading, question, planner.nowMs),
  );
  return { calls, remarks: [...assumptions, ...remarks], reading, isContinued };
}

/** What the plan leaves out or takes for granted, although all words were understood. */
function describeAssumptions(
  { kind, reading, question }: Draft,
  isContinued: boolean,
  tools: readonly ToolSpec[],
): string[] {
  const refers = followUp.test(question) && (!recordKind.test(question) || /^\s*(?:what|how) about\b/i.test(question));
  const classes = tools.find(({ name }) => name === 'search')?.schema.properties?.class?.examples ?? [];
  const limited = reading.groupBy.includes('ci')
    ? question.split(/[^\p{L}]+/u).filter((word) => classes.includes(word.toLowerCase().replace(/s$/, '')))
    : [];
  return [
    ...(refers && !isContinued && lists.has(kind)
      ? [`There is no earlier list to continue, so I assume that you mean all ${toToolKind(kind).replace('_', ' ')}.`]
      : []),
    ...(ofIt.test(question) && lists.has(kind)
      ? ['I did not understand "it": the question before names no configuration item.']
      : []),
    ...(reading.filters.reopened &&
    reading.filters.created_after &&
    !/\b(?:open|creat|rais|report|log)ed\b/i.test(question)
      ? ['The time is that of the creation: no filter has the time at which an incident was reopened.']
      : []),
    ...(String(reading.filters.state) === 'on_hold' && (reading.filters.created_before ?? reading.filters.created_after)
      ? ['The time is that of the creation: no filter has the time since when an incident is on hold.']
      : []),
    ...limited.map((word) => `I cannot limit the configuration items to ${word}; these are all of them.`),
    ...(isSharePerGroup(reading) ? ['I cannot show groups as percentages; these are their numbers.'] : []),
    ...(reading.flags.has('share') && reading.groupBy.length > 0 && !isSharePerGroup(reading)
      ? ['I cannot show a share for each group; this is the share of all together.']
      : []),
  ];
}

function hasCondition({ filters, groupBy, measures, fields, interval, other }: Reading, beyondTime = false): boolean {
  const names = Object.keys(filters).filter((name) => !beyondTime || !/^created_/.test(name));
  return [...groupBy, ...measures, ...fields, ...names].length > 0 || (interval ?? other) !== undefined;
}

function hasMeaning(reading: Reading): boolean {
  return hasCondition(reading) || reading.flags.size > 0 || (reading.sort ?? reading.order) !== undefined;
}

/** A word that is a known team, category or class is a filter, even if it has no label. */
function applyKnownNames(draft: Draft, tools: readonly ToolSpec[]): Pick<Draft, 'kind' | 'unknown'> {
  const { kind, reading, unknown } = draft;
  const properties = tools.find(({ name }) => name === 'search')?.schema.properties ?? {};
  const fields: Readonly<Record<string, readonly string[]>> = {
    incidents: ['assignment_group', 'category'],
    problems: ['assignment_group'],
    changes: ['assignment_group'],
    requests: ['item'],
    items: ['class', 'environment', 'owner', 'location'],
    articles: ['category'],
    oncall: ['assignment_group'],
  };
  const rest = unknown.filter((word) => {
    const field = fields[kind]?.find((name) =>
      (properties[name]?.examples ?? []).some((value) => String(value).toLowerCase() === word.toLowerCase()),
    );
    if (field !== undefined && reading.flags.has('vs') && reading.filters[field] && !reading.other) {
      reading.other = { [field]: [word.toLowerCase()] };
      return false;
    }
    if (field === undefined || field in reading.filters) return true;
    reading.filters[field] = [word.toLowerCase()];
    return false;
  });
  return { kind, unknown: rest };
}
