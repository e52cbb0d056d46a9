// Plans the tool calls for a question: its labelled words become filters, figures or fields. Whatever no call can express
// becomes a remark, and a question without a meaning here gets a reply that says what the copilot can answer.
import { createIdFinder } from '../../contract/ids.ts';
import type { ToolSpec } from '../../local/bedrock/converse.ts';
import type { Fields } from './describe-call.ts';
import {
  comparative,
  type Filters,
  findFieldWords,
  flagLabels,
  keptSla,
  type Reading,
  readSpans,
  renameTimes,
  shiftPeriod,
  speed,
  toToolKind,
} from './read-filters.ts';
import type { Prompt } from './read-prompt.ts';
import type { TimeSpan } from './read-time.ts';
import type { Span, TaggedQuestion, TagQuestion } from './tag-question.ts';
import { translate } from './translate.ts';

export interface ToolCall {
  name: string;
  input: Fields;
}

export interface Plan {
  /** Empty if the reply is the answer. */
  calls: ToolCall[];
  reply?: string;
  /** Sentences about how the question was understood. */
  remarks: readonly string[];
  /** What the answer leads with. */
  reading: Pick<Reading, 'fields' | 'measures' | 'flags' | 'groupBy' | 'filters' | 'order'>;
  isContinued?: boolean;
}

export interface Planner {
  tag: TagQuestion;
  tools: readonly ToolSpec[];
  nowMs: number;
}

export const abilities =
  'I can look up and count incidents, problems, changes, requests, configuration items, knowledge articles, webhooks and people on call; ' +
  'compare teams or periods; and show how long things took. For example: "open P1 incidents of my team", "mean time to resolve ' +
  'per team last month", "who resolved INC…", "changes next week".';

const cannotAnswer = `I cannot answer that from the records of this service. ${abilities}`;

const forecast = /\b(?:will (?:we|there|it|they|our|the)|predict|forecast|expect to)\b/i;
const maxRecords = 4;
const maxEarlier = 6;
const maxText = 1_000;

const recordId = createIdFinder(['incident', 'problem', 'change', 'request', 'ci', 'article'], 'gi');

type Talk = Pick<Prompt, 'earlier' | 'lastAnswer'>;

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
  const tagged = await tagWithIds(question, planner);
  const ids = [...new Set((question.match(recordId) ?? []).map((id) => id.toUpperCase()))];
  const listed = new Set(lastAnswer.match(recordId));
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

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
const ordinal = new RegExp(`\\bthe (?:${ordinals.join('|')})(?: one)?[?.! ]*$`, 'i');

/** "When are they planned?" asks about all records of the last answer; "until when?" after people on call about no record. */
const continuesList = (question: string, listed: ReadonlySet<string>) =>
  listed.size === 0
    ? /^\s*(?:until|since) when\b/i.test(question)
    : listed.size > 1 && /\b(?:they|their)\b/i.test(question);

const ofIt = /\b(?:on|for|of|to|with|from|by|affect(?:s|ing)?|behind) it\b/;

/** Replaces "it" by the item that the question before names: "any open incidents on it?" after "tell me about vpn-gateway-1". */
async function nameItems(questions: readonly string[], planner: Planner): Promise<string[]> {
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

/** A field that the model does not know, of an item with a number: "IP of core-switch-2". */
function planItem(question: string, name: string, { nowMs }: Planner): Plan {
  const reading = readSpans(question, [], 'items', nowMs);
  reading.filters.name = [name.toLowerCase()];
  return { calls: planCalls('configuration_items', reading, question, nowMs), remarks: [], reading };
}

/**
 * The letters of an id are random, so the planner reads one that it knows in its place. Lists of problems are read like those
 * of incidents, which it knows.
 */
async function tagWithIds(question: string, { tag }: Planner): Promise<TaggedQuestion> {
  const known = question
    .replace(recordId, (id) => {
      const example = examples[id.slice(0, 3).toUpperCase()];
      return example?.length === id.length ? example : id;
    })
    .replace(problemRecords, (words) => 'tickets'.padEnd(words.length));
  const { spans, kind: tagged, unknown } = await tag(known);
  const kind = tagged === 'oncall' && !duty.test(question) ? 'incidents' : tagged;
  return {
    kind: kind === 'incidents' && question.search(problemRecords) >= 0 ? 'problems' : kind,
    unknown,
    spans: spans.map((span) => ({ ...span, text: question.slice(span.from, span.until) })),
  };
}

const examples: Readonly<Record<string, string>> = {
  INC: 'INC7Q2M4KX',
  PRB: 'INC7Q2M4KX',
  CHG: 'CHG4M8K2TX',
  REQ: 'REQ1A2B3C4',
};

/** "Problems with the printer" are incidents. */
const problemRecords =
  /\bknown[- ]errors?\b|\bproblem records?\b|(?<=\b(?:open|unresolved|active|resolved|closed|new|our|all|many) )problems\b(?! (?:with|in|at|on|for)\b)/gi;

const nothing: Plan['reading'] = { fields: [], measures: [], flags: new Set(), groupBy: [], filters: {} };

function toReply(reply: string): Plan {
  return { calls: [], reply, remarks: [], reading: nothing };
}

/** "Open incidents of CI0000042" asks for incidents. */
function isAboutRecord(ids: readonly string[], { spans }: TaggedQuestion): boolean {
  return ids.some((id) => !id.startsWith('CI')) || spans.every(({ label }) => label === 'id');
}

async function planRecord(
  question: string,
  { spans, unknown }: TaggedQuestion,
  named: readonly string[],
  { earlier, lastAnswer }: Talk,
  planner: Planner,
): Promise<Plan> {
  const last = [...new Set(lastAnswer.match(recordId) ?? [])];
  const place = Math.max(
    0,
    ordinals.findIndex((word) => new RegExp(`\\b${word}\\b`, 'i').test(question)),
  );
  const ids = named.length > 0 ? named : last.slice(place, place + 1);
  if (ids.length === 0 && spans.length === 0 && !ordinal.test(question)) return toReply(cannotAnswer);
  if (ids.length === 0)
    return toReply('I do not know which record you mean. Name its id, such as INC7Q2M4KX, or ask for a list first.');
  const reading = readRecord(question, spans, planner);
  if (reading.fields.length === 0) reading.fields = await continueField(question, earlier.at(-1), planner);
  const include = ['notes', 'history'].filter((part) => reading.fields.includes(part));
  const calls = ids
    .slice(0, maxRecords)
    .map((id) => ({ name: 'get_record', input: { id, ...(include.length > 0 && { include }) } }));
  const known = findFieldWords(question, reading.fields);
  const unsupported = spans.filter(({ label }) => label === 'unsupported').map(({ text }) => text);
  const missed = [...unsupported, ...unknown].filter((words) => !words.split(' ').some((word) => known.includes(word)));
  const isUnclear = reading.fields.length === 0 && missed.length === 0 && interrogative.test(question);
  const remarks = isUnclear ? ['I do not know which field you mean; this is the record.'] : describeUnknown(missed);
  return { calls, remarks, reading };
}

/** One record has no groups: "who requested the first one?" asks for a field. */
const readRecord = (question: string, spans: readonly Span[], { nowMs }: Planner) =>
  readSpans(
    question,
    spans.map((span) => ({ ...span, label: span.label.replace(/^by=/, 'field=') })),
    'record',
    nowMs,
  );

const interrogative = /\b(?:who|whose|whom|when|where|why|how|which|did|does|is|was|has|have|are)\b/i;

/** "And when?" after "who reported it?". */
async function continueField(question: string, previous: string | undefined, planner: Planner): Promise<string[]> {
  const field = /\bwhen\b/i.test(question) ? 1 : /\bwho(?:m)?\b/i.test(question) ? 0 : undefined;
  if (field === undefined || previous === undefined || question.split(' ').length > maxWords) return [];
  const { spans } = await tagWithIds(previous, planner);
  const before = readRecord(previous, spans, planner).fields;
  return personAndTime.filter((pair) => pair.some((name) => before.includes(name))).map((pair) => pair[field]);
}

const personAndTime: readonly (readonly [person: string, time: string])[] = [
  ['opened_by', 'created_at'],
  ['requested_by', 'created_at'],
  ['resolved_by', 'resolved_at'],
  ['decision', 'decision'],
  ['acknowledged', 'acknowledged'],
];

const way: readonly (readonly [verb: RegExp, way: string])[] = [
  [
    /\b(reset|unlock|restart|reboot|install|patch|deploy|switch off|block)\b/,
    'I cannot operate systems or accounts either: create a request or an incident for the responsible team',
  ],
  [
    /\b(create|open|raise|log|file|make|new)\b/,
    'Create it in the console with *New incident*, *New change* or *New request*, or with `POST /incidents`, `/changes` or `/requests`',
  ],
  [
    /\b(approve|reject|decline|sign)\b/,
    'Managers decide on the page of the record, or with `POST /changes/{id}/approve` or `/reject`',
  ],
  [/\b(note|comment)\b/, 'Add the note on the page of the incident, or with `POST /incidents/{id}/work-notes`'],
  [/\b(delete|remove)\b/, 'Managers delete a record on its page, or with `DELETE /incidents/{id}`'],
  [/\b(order|laptop|access)\b/, 'Order it in the console with *New request*, or with `POST /requests`'],
  [
    /\b(article|publish)\b/,
    'Managers write and publish articles on the page *Knowledge*, or with `POST /knowledge/articles`',
  ],
  [/\bwebhook/, 'Managers change webhooks on the page *Webhooks*, or with `PATCH /webhooks/outbound/{id}`'],
  [
    /\b(page|call|wake)\b/,
    'Page somebody on the page of the incident (*Escalation*), or with `POST /incidents/{id}/pages`',
  ],
];

/** The copilot only reads. */
function explainChange(question: string, ids: readonly string[]): string {
  const [, found] = way.find(([verb]) => verb.test(question.toLowerCase())) ?? [];
  const record = ids[0] ?? 'the record';
  const fallback = `Change ${record} on its page in the console, or with \`PATCH /incidents/{id}\` (also \`/changes\`, \`/requests\`)`;
  return `I can only look things up; nothing was changed. ${found ?? fallback}.`;
}

function describeUnknown(words: readonly string[]): string[] {
  if (words.length === 0) return [];
  return [`I did not understand "${[...new Set(words)].join('", "')}".`];
}

const ownKind = /\b(?:on[- ]?call|on duty|webhooks?)\b/i;
const duty = /call|duty|pag(?:e|ing)|wake|shift|rota|reach|stand-?by|phone|ring\b|schedule/i;
const followUp =
  /^\s*(and|or|only|just|what about|how about|which of|of (those|these|them)|those|these|now|also|but|same|ok|split|sort)\b|\b(of (those|these|them)|(those|them|these)[?.! ]*$)/i;
const recordKind =
  /\b(incidents?|known errors?|tickets?|tix|cases?|outages?|changes?|rfcs?|maintenance|deployments?|releases?|requests?|orders?|items?|cis?|assets?|servers?|systems?|machines?|articles?|knowledge|runbooks?|guides?|webhooks?)\b/i;
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

interface Draft {
  kind: string;
  reading: Reading;
  unknown: readonly string[];
  question: string;
}

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

async function draftInContext(
  question: string,
  tagged: TaggedQuestion,
  earlier: readonly string[],
  planner: Planner,
  asKind?: string,
): Promise<Draft & { isContinued: boolean }> {
  const draft = (kind: string): Draft => ({
    kind,
    reading: readSpans(question, tagged.spans, kind, planner.nowMs),
    unknown: tagged.unknown,
    question,
  });
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
  const next = draft(last.kind);
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

/** "In Porto?" */
const isFragment = (question: string) =>
  /^(?:in|for|from|of|on|with|by|at|about) /i.test(question) && question.split(' ').length <= maxWords + 1;

const unlisted: ReadonlySet<string> = new Set(['oncall', 'webhooks']);
const lists: ReadonlySet<string> = new Set(['incidents', 'problems', 'changes', 'requests', 'items', 'articles']);

function merge(own: Draft, last: Draft, nowMs: number): Draft {
  const [a, b] = [own.reading, last.reading];
  // "And in September?" after those that were resolved in October.
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
  const reading: Reading = {
    ...b,
    ...a,
    filters: { ...Object.fromEntries(kept), ...period, ...a.filters },
    measures: a.measures.length > 0 ? a.measures : b.measures,
    groupBy: a.groupBy.length > 0 || a.flags.has('count') ? a.groupBy : b.groupBy,
    fields: a.fields.length > 0 || a.flags.has('count') ? a.fields : b.fields,
    flags: new Set([
      ...a.flags,
      ...[...b.flags].filter((flag) => !(flag === 'share' && a.groupBy.length > 0) && !/^(?:vs|not)$/.test(flag)),
    ]),
  };
  if (a.limit === undefined && reading.groupBy.length === 0) delete reading.limit;
  // "The oldest one" does not sort the next list.
  if (b.limit !== undefined && a.order === undefined) delete reading.order;
  if (a.other === undefined) delete reading.other;
  return { ...own, reading };
}

const itemFilters = ['name', 'depends_on', 'needed_by', 'transitive'];
const recordVerb = /^(?:created|updated|changed|published|written)$/i;
const switchedOff = /\b(?:disabled|inactive|deactivated|paused|(?:switched|turned) off)\b/i;
const creation = /\b(?:creat|open|came|come|rais|report|log|new)/i;

const dayMs = 86_400_000;

const maxWords = 3;

function finish(draft: Draft, planner: Planner, isContinued: boolean): Plan {
  const { reading, question } = draft;
  const { kind, unknown: words } = applyKnownNames(draft, planner.tools);
  // An id needs no label.
  if (kind === 'problems' && /\bknown[- ]errors?\b/i.test(question)) reading.filters.known_error = true;
  const items = ['incidents', 'problems', 'changes'].includes(kind) ? (question.match(/\bCI\d{7}\b/gi) ?? []) : [];
  if (items.length > 0) reading.filters.ci ??= items.map((id) => id.toUpperCase());
  const named = findFieldWords(question, reading.fields);
  const isRead = (word: string) =>
    named.includes(word) ||
    (kind === 'oncall' && /^(?:until|next)$/i.test(word)) ||
    (kind === 'webhooks' && (switchedOff.test(word) || /^errors?$/i.test(word))) ||
    (reading.measures.length > 0 && speed.test(word)) ||
    (reading.other !== undefined && comparative.test(word)) ||
    (keptSla.test(question) && /^(?:not|never)$/i.test(word)) ||
    (/^(?:breach|sla$)/i.test(word) && Object.keys(reading.filters).some((name) => name.startsWith('sla')));
  const unknown = words.filter((word) => !isRead(word));
  const isNamed = (word: string) => reading.unsupported.some((words) => words.split(' ').includes(word));
  const isRanked =
    [...reading.groupBy, ...reading.measures].length > 0 || (reading.sort ?? reading.order ?? reading.limit);
  const isSorted = isRanked || reading.interval || (kind === 'webhooks' && reading.flags.has('failing'));
  const ranking = isSorted ? null : /\b(?:most|fewest|least)\b(?! recent)/i.exec(question);
  const remarks = [
    ...describeUnknown([...reading.unsupported, ...unknown.filter((word) => !isNamed(word)), ...(ranking ?? [])]),
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
    return { ...planOnCall(reading), remarks, reading };
  }
  if (kind === 'webhooks') {
    if (switchedOff.test(question))
      Object.assign(reading, { filters: { ...reading.filters, active: ['false'] }, flags: new Set() });
    return { ...planWebhooks(reading, planner), remarks, reading };
  }
  // Words without a label may occur in texts.
  const isWords =
    lists.has(kind) &&
    !hasMeaning(reading) &&
    unknown.some((word) => !recordVerb.test(word)) &&
    unknown.length <= maxWords;
  if (isWords && recordKind.test(question)) {
    reading.filters.text = unknown.join(' ');
    return { calls: planCalls(toToolKind(kind), reading, question, planner.nowMs), remarks: [], reading };
  }
  // A list of everything in a period is no answer to words that were not understood.
  const isEverything = remarks.length > 0 && !hasCondition(reading, true);
  const isMeaningless = !isContinued && (isEverything || (!hasMeaning(reading) && !recordKind.test(question)));
  if (isMeaningless) return toReply([...remarks, remarks.length > 0 ? abilities : cannotAnswer].join(' '));
  const calls = planCalls(toToolKind(kind), reading, question, planner.nowMs);
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
    ...limited.map((word) => `I cannot limit the configuration items to ${word}; these are all of them.`),
    ...(isSharePerGroup(reading) ? ['I cannot show groups as percentages; these are their numbers.'] : []),
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

function planCalls(kind: string, reading: Reading, question: string, nowMs: number): ToolCall[] {
  const { filters, other, measures, groupBy, interval, flags, sort, order, limit } = reading;
  const isMeasured =
    measures.length > 0 || groupBy.length > 0 || other || interval || flags.has('share') || flags.has('trend');
  if (!isMeasured) {
    const options = {
      ...(sort && { sort }),
      ...(order && { order }),
      ...(flags.has('count') ? { limit: 1 } : limit && { limit: Math.min(limit, 20) }),
    };
    return [{ name: 'search', input: { kind, ...filters, ...options } }];
  }
  if (flags.has('share') && !isSharePerGroup(reading)) {
    // A part of the incidents of a period is a part of those that were created in it.
    const part = Object.fromEntries(
      Object.entries(filters).map(([name, value]) => [name.replace(/^(sla_breach|resolved)_/, 'created_'), value]),
    );
    const whole = Object.fromEntries(Object.entries(part).filter(([name]) => isWhole(name, reading)));
    return [part, whole].map((each) => ({ name: 'statistics', input: { kind, filters: each } }));
  }
  const period = interval ?? (flags.has('trend') ? chooseInterval(filters, nowMs) : undefined);
  const ranking = groupBy.length > 0 ? rankGroups(measures, question, order) : {};
  const input = {
    kind,
    filters,
    ...(other && { compare: other }),
    ...(groupBy.length > 0 && { group_by: groupBy.slice(0, 2) }),
    ...(period && { interval: period }),
    ...(flags.has('median') && { median: true }),
    ...ranking,
    // "Which team has the most" shows the others as well.
    ...(groupBy.length > 0 && limit && limit > 1 && { top: Math.min(limit, 20) }),
  };
  return [{ name: 'statistics', input }];
}

const isWhole = (name: string, { whole }: Reading) => /_(after|before)$/.test(name) || whole?.includes(name);

/** "As a percentage?" after incidents per team: nothing says which part of them. */
const isSharePerGroup = (reading: Reading) =>
  reading.flags.has('share') &&
  reading.groupBy.length > 0 &&
  Object.keys(reading.filters).every((name) => isWhole(name, reading));

const figures: Readonly<Record<string, string>> = {
  resolve: 'mean_time_to_resolve_minutes',
  acknowledge: 'mean_time_to_acknowledge_minutes',
  sla: 'sla_attainment',
  reopened: 'reopened',
};

/** Sorts groups by the figure: the slowest first, unless the question asks for the fastest. */
function rankGroups([measure]: readonly string[], question: string, order: string | undefined): Fields {
  const sort = measure && figures[measure];
  if (!sort) return order === 'asc' ? { order } : {};
  const isLowest =
    measure === 'sla' ? /\b(worst|miss\w*|lowest|poor\w*)\b/i : /\b(fast\w*|quick\w*|best|shortest|lowest)\b/i;
  return { sort, order: order ?? (isLowest.test(question) ? 'asc' : 'desc') };
}

function chooseInterval(filters: Filters, nowMs: number): string {
  const start = Object.entries(filters).find(([name]) => name.endsWith('_after'))?.[1];
  const days = start === undefined ? 90 : (nowMs - Date.parse(String(start))) / dayMs;
  return days <= 15 ? 'day' : days <= 120 ? 'week' : 'month';
}

/** The middle of a short period: the night, the day or the weekend. */
function planOnCall({ filters }: Reading): Pick<Plan, 'calls'> {
  const { fromMs, untilMs } = (filters.time ?? {}) as TimeSpan;
  const isShort = fromMs !== undefined && untilMs !== undefined && untilMs - fromMs <= 4 * dayMs;
  const atMs = isShort ? (fromMs + untilMs) / 2 : fromMs;
  const team = [filters.assignment_group ?? []].flat()[0];
  const input = {
    ...(team !== undefined && { team }),
    ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
  };
  return { calls: [{ name: 'on_call', input }] };
}

function planWebhooks({ filters }: Reading, { tools, nowMs }: Planner): Pick<Plan, 'calls' | 'reply'> {
  if (!tools.some(({ name }) => name === 'list_webhooks'))
    return { calls: [], reply: 'Only managers can see webhooks and their deliveries.' };
  const { fromMs } = (filters.time ?? {}) as TimeSpan;
  const days = fromMs === undefined ? undefined : Math.min(30, Math.max(1, Math.ceil((nowMs - fromMs) / dayMs)));
  return { calls: [{ name: 'list_webhooks', input: days === undefined ? {} : { days } }] };
}
