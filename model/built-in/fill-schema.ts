// Fills the forms of the service: an answer by quotation, or a report on a record from templates. The text of a report comes
// from the fields of the record, its notes, its change, similar cases and articles. A list without evidence is empty.
import { quote, removeInstructions } from './quote.ts';
import type { Document, Prompt } from './read-prompt.ts';

export const noEvidence = 'The available information does not say.';

type Form = (prompt: Prompt) => Record<string, unknown>;

/** By the first property that only this form has. */
const forms: Readonly<Record<string, Form>> = {
  answered: answerQuestion,
  probable_root_cause: reportCause,
  impact: reportImpact,
  key_points: reportSummary,
};

/** Empty for a form that asks for text of its own. */
export function fillForm(properties: Readonly<Record<string, unknown>>, prompt: Prompt): Record<string, unknown> {
  const form = Object.keys(forms).find((name) => name in properties);
  return form ? (forms[form]?.(prompt) ?? {}) : {};
}

const maxAnswerCharacters = 6_000;

function answerQuestion({ documents }: Prompt) {
  const quotation = quote(documents);
  return {
    answered: quotation !== undefined,
    answer: (quotation?.text ?? noEvidence).slice(0, maxAnswerCharacters),
    sources: quotation?.sources ?? [],
  };
}

const causeWords =
  /\b(because|caused? by|due to|root cause|reason|as a result of|turned out|the culprit|triggered by|comes from)\b/i;

/** Notes about the work instead of the fault. */
const workWords =
  /^(\W*)(we|i|waiting|requested|asked|ordered|opened|confirmed|raising|raised|duplicate|called|sent|informed|assigned|escalated|taking|please|thanks?|a technician|the service partner)\b|^the problem is back/i;

const riskWords =
  /\b(may|might|could|risk|otherwise|unless|will (fail|stop|run out|expire|be lost)|danger|growing|expires?)\b/i;
const openWords =
  /\?$|\b(unknown|unclear|not (yet )?(known|clear|confirmed|found)|to be (checked|clarified|confirmed)|waiting for)\b/i;
const impactWords =
  /\b(affect\w{0,10}|cannot|unable|unavailable|outage|offline|lost|dead|all (users|colleagues|sites|desks)|customers?|colleagues|offices?)\b/i;
const stepWords =
  /^(\*\*)?(add|apply|ask|check|clear|close|configure|delete|disable|empty|enable|extend|free|increase|install|lower|move|open|pause|reboot|remove|rename|renew|replace|reset|restart|restore|roll|rotate|run|send|set|start|stop|switch|turn|unlock|update|use|verify|wait|write)\b/i;
const remedyHeading = /^(resolution|repair|fix|steps?|what to do|workaround|solution|do this)\b/i;
const causeHeading = /^(cause|causes|reason|why|what happened)\b/i;

/** The record's own notes and its change say more about the cause than other incidents. A resolution is no cause. */
function reportCause({ documents }: Prompt) {
  const { fields, notes, details, changes, cases, articles } = sortMaterial(documents);
  const stated = [...notes.filter(says(causeWords)), ...details.filter(says(causeWords))];
  const found = notes.filter((note) => !workWords.test(note));
  const linked = changes.map(({ source, title }) => `Change ${source} is linked to it${title && `: ${title}`}.`);
  const described = cases.flatMap(({ source, lines }) => {
    const causes = toSentences(lines.description ?? '').filter(says(causeWords));
    return causes.map((text) => `In the similar incident ${source}: ${endSentence(text)}`);
  });
  const written = articles.filter(({ heading }) => causeHeading.test(heading)).flatMap(({ sentences }) => sentences);
  const [own = [], other = []] = [
    [...(stated.length > 0 ? stated : found), ...linked],
    [...described, ...written.map(endSentence)],
  ].map((texts) => [...new Set(texts.map(endSentence))]);
  const causes = (own.length > 0 ? own : other).slice(0, 2);
  const helped = cases.flatMap(({ lines }) => lines.resolution ?? []);
  const nothing =
    documents.length > 1 && helped.length > 0
      ? 'No cause is documented. The steps helped in similar incidents.'
      : 'No cause is documented.';
  const steps = [
    ...toSentences(fields.resolution ?? ''),
    ...helped.flatMap(toSentences),
    ...articles.flatMap(({ heading, sentences }) =>
      remedyHeading.test(heading) ? sentences : sentences.filter(says(stepWords)),
    ),
  ];
  return {
    probable_root_cause: causes.length > 0 ? causes.join(' ') : nothing,
    confidence: stated.length > 0 ? 0.85 : own.length > 0 ? 0.6 : other.length > 0 ? 0.4 : 0.15,
    resolution_steps: toList(steps, 6),
    related_problem: null,
    similar_past_incidents: cases.map(({ source }) => source),
    estimated_resolution_minutes: null,
  };
}

function reportImpact({ documents }: Prompt) {
  const { fields, notes, details, cases, articles } = sortMaterial(documents);
  const { priority, impact, urgency, state } = fields;
  const level = [priority, impact && `${impact} impact`, urgency && `${urgency} urgency`].filter(Boolean).join(', ');
  const said = toList([...details, ...notes].filter(says(impactWords)), 3).map(endSentence);
  const sentences = [
    ...said,
    ...(level ? [`Recorded as ${level}; state ${(state ?? 'unknown').replace('_', ' ')}.`] : []),
  ];
  return {
    impact: sentences.join(' ') || noEvidence,
    confidence: said.length > 0 ? 0.6 : 0.3,
    affected: toList(
      [fields.location, fields.site, fields.service, fields.ci_id].filter((name) => name !== undefined),
      6,
    ),
    risks: toList([...details, ...notes, ...articles.flatMap(({ sentences }) => sentences)].filter(says(riskWords)), 4),
    similar_past_incidents: cases.map(({ source }) => source),
  };
}

function reportSummary({ documents }: Prompt) {
  const { fields, notes, details, changes } = sortMaterial(documents);
  const { state = 'unknown', priority, assigned_to, assignment_group, resolution, created_at } = fields;
  const who = assigned_to ? `assigned to ${assigned_to}` : 'assigned to nobody';
  const group = assignment_group ? ` (${assignment_group})` : '';
  const since = created_at ? `, created ${created_at.slice(0, 10)}` : '';
  const last = notes.at(-1);
  const isOpen = !/^(resolved|closed|cancelled|implemented|rejected)$/.test(state);
  const sentences = [
    `${priority ? `${priority}, ` : ''}${state.replace('_', ' ')}${since}, ${who}${group}.`,
    ...(resolution ? [`Resolution: ${endSentence(resolution)}`] : last ? [`Last note: ${endSentence(last)}`] : []),
  ];
  return {
    summary: sentences.join(' '),
    confidence: 0.9,
    key_points: toList(
      [...changes.map(({ source, title }) => `Change ${source}${title && `: ${title}`}`), ...details, ...notes],
      6,
    ),
    open_questions: [
      ...toList([...details, ...notes].filter(says(openWords)), 4),
      ...(isOpen && !assigned_to ? ['Nobody is assigned yet.'] : []),
    ],
  };
}

const says = (words: RegExp) => (text: string) => words.test(text);

interface Material {
  /** Of the record. */
  fields: Readonly<Record<string, string | undefined>>;
  /** Sentences, oldest note first. */
  notes: readonly string[];
  /** The description after its first sentence, which the title repeats. All of it, if it is one sentence. */
  details: readonly string[];
  changes: readonly Document[];
  cases: readonly { source: string; lines: Readonly<Record<string, string | undefined>> }[];
  articles: readonly { heading: string; sentences: readonly string[] }[];
}

/** The first document is the record. */
function sortMaterial([record, ...others]: readonly Document[]): Material {
  const of = (kind: string) => others.filter((document) => document.kind === kind);
  const fields = record ? readFields(record) : {};
  return {
    fields,
    notes: of('work note').flatMap(({ text }) => toSentences(removeInstructions(text))),
    details: toSentences(fields.description ?? '').filter((text) => !isRepeated(text, fields.short_description ?? '')),
    changes: of('change'),
    cases: of('similar case').map((document) => ({ source: document.source, lines: readFields(document) })),
    articles: [...of('known error'), ...of('article')].map((document) => ({
      heading: document.title.split(' › ').at(-1) ?? '',
      sentences: toLines(removeInstructions(document.text)).flatMap(toSentences),
    })),
  };
}

/** Most of the words are in the title as well. */
function isRepeated(text: string, title: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(title.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return words.filter((word) => !known.has(word)).length <= words.length / 4;
}

const fieldLine = /^([a-z_]{2,40}): ?(.*)$/;

/** Lines without a name continue the field before them. */
function readFields({ text }: Document): Record<string, string> {
  const fields: Record<string, string> = {};
  let name = '';
  for (const line of removeInstructions(text).split('\n')) {
    const [, own, value = line] = fieldLine.exec(line) ?? [];
    if (own === undefined) fields[name] = `${fields[name] ?? ''}\n${value}`;
    else fields[own] = value;
    name = own ?? name;
  }
  return fields;
}

const blockStart = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|[|>#])/;

/** Joins wrapped lines, because a sentence may continue on the next line. */
function toLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const last = lines.at(-1) ?? '';
    const continues = last.trim() !== '' && line.trim() !== '' && !blockStart.test(line);
    if (continues) lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

const listMarker = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;

/** "That is low enough" needs the sentence before it. */
const sentenceStart = /(?<=[.!?]) (?=[\p{Lu}\p{N}"'(*`])(?!(?:That|This|It|They|These|Otherwise) )/u;

function toSentences(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(listMarker, '').trim());
  return lines.flatMap((line) => line.split(sentenceStart)).filter((each) => /[\p{L}\p{N}]/u.test(each));
}

const maxTextCharacters = 600;

/** Distinct texts, ignoring case and punctuation. */
function toList(texts: readonly string[], max: number): string[] {
  const distinct = new Map<string, string>();
  for (const text of texts) {
    const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
    if (text.length <= maxTextCharacters && !distinct.has(words)) distinct.set(words, text);
  }
  return [...distinct.values()].slice(0, max);
}

function endSentence(text: string): string {
  return /[.!?:;…]["”')*]*$/.test(text) ? text : `${text}.`;
}
