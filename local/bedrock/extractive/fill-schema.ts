// Fills a form, given as JSON Schema, from the material: an answer by quotation, a report on a record from its fields, its
// notes, similar cases and articles. A field that the material says nothing about gets a sentence that says so, null, or
// nothing.
import type { Schema } from '../converse.ts';
import type { Document, Prompt } from './documents.ts';
import { type Quotation, quote, withoutOrders } from './quote.ts';

export const nothingSaid = 'The material that was given does not say.';

/** `own`: the record and its notes. `heading`: articles give reasons for much, so only a section with such a heading counts. */
type Source = 'own' | 'case' | 'article' | 'heading';

/** What a field asks for, by the words of its name and description, and how sentences look that say it. */
interface Intent {
  asked: RegExp;
  /** Headings and field names of such sentences. */
  label: RegExp;
  wording?: RegExp;
  sources: readonly Source[];
}

const remedy: Intent = {
  asked: /\bsteps?\b|\bresolution\b|\bwhat to do\b/i,
  label: /^(resolution|repair|fix|steps?|what to do|workaround|solution|do this)\b/i,
  wording:
    /^(\*\*)?(add|apply|ask|check|clear|close|configure|delete|disable|empty|enable|extend|free|increase|install|lower|move|open|pause|reboot|remove|rename|renew|replace|reset|restart|restore|roll|rotate|run|send|set|start|stop|switch|turn|unlock|update|use|verify|wait)\b/i,
  sources: ['case', 'article'],
};

const cause: Intent = {
  asked: /\bcauses?\b/i,
  label: /^(cause|causes|reason|why|what happened)\b/i,
  wording: /\b(because|caused? by|due to|root cause|reason|as a result of|turned out|the culprit|triggered by)\b/i,
  sources: ['own', 'case', 'heading'],
};

const intents: readonly Intent[] = [
  cause,
  remedy,
  {
    asked: /\brisks?\b/i,
    label: /^(risk|risks|warning|caution)\b/i,
    wording: /\b(may|might|could|risk|otherwise|unless|will (fail|stop|run out|expire|be lost)|danger)\b/i,
    sources: ['own', 'article'],
  },
  {
    asked: /\bopen questions?\b|\bleaves open\b/i,
    label: /^(open|unknown|questions?)\b/i,
    wording:
      /\?$|\b(unknown|unclear|not (yet )?(known|clear|confirmed|found)|to be (checked|clarified|confirmed)|waiting for)\b/i,
    sources: ['own'],
  },
  {
    asked: /\bimpact\b/i,
    label: /^(impact|short description|description)$/i,
    wording:
      /\b(affect\w{0,10}|cannot|unable|unavailable|outage|offline|all (users|colleagues|sites)|customers?|offices?)\b/i,
    sources: ['own'],
  },
  { asked: /\baffected\b/i, label: /^(location|site|service|assignment group|ci id)$/i, sources: ['own'] },
  { asked: /\bsummary\b|\bkey points?\b/i, label: /^(short description|description|resolution)$/i, sources: ['own'] },
];

interface Material {
  documents: readonly Document[];
  /** Undefined when there is no question, or nothing to quote. */
  quotation: Quotation | undefined;
  hasQuestion: boolean;
  statements: readonly Statement[];
}

/** A sentence, a list item or a field of a record. */
interface Statement {
  label: string;
  text: string;
  source: Source;
}

export function fillSchema({ properties = {} }: Schema, { documents, hasQuestion }: Prompt): Record<string, unknown> {
  const material: Material = {
    documents,
    hasQuestion,
    quotation: hasQuestion ? quote(documents) : undefined,
    statements: documents.flatMap(toStatements),
  };
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fill(name, property, material)]),
  );
}

function fill(name: string, property: Schema, material: Material): unknown {
  const { schema, isNullable } = withoutNull(property);
  const asked = `${name.replaceAll('_', ' ')} ${property.description ?? schema.description ?? ''}`;
  switch (schema.type) {
    case 'boolean':
      return material.quotation !== undefined;
    case 'number':
      return supportFor(material);
    case 'integer':
      return findMedian(
        material.statements.flatMap(({ label, text }) => (/minutes/.test(label) ? [Number(text)] : [])),
      );
    case 'array':
      return listFor(asked, schema, material);
    default:
      return stringFor(asked, schema, material) ?? (isNullable ? null : nothingSaid);
  }
}

function stringFor(asked: string, schema: Schema, material: Material): string | undefined {
  if (material.hasQuestion) return material.quotation && shorten(material.quotation.text, schema);
  const intent = findIntent(asked);
  if (!intent) return undefined;
  const found = find(intent, material, 2).map(endSentence);
  const remedies = found.length === 0 && intent === cause ? find(remedy, material, 2).map(endSentence) : [];
  if (remedies.length > 0) found.push('The material names no cause. What helped in similar cases:', ...remedies);
  return found.length > 0 ? shorten(found.join(' '), schema) : undefined;
}

function listFor(asked: string, { maxItems = 20, items = {} }: Schema, material: Material): string[] {
  const { documents, quotation, hasQuestion } = material;
  if (/\bids?\b|\bsources?\b/i.test(asked)) {
    const cases = documents.filter(({ kind }) => kind === 'similar case').map(({ source }) => source);
    return [...new Set(hasQuestion ? quotation?.sources : cases)].slice(0, maxItems);
  }
  const intent = findIntent(asked);
  return intent ? find(intent, material, Math.min(maxItems, 6)).map((text) => shorten(text, items)) : [];
}

/** Fields for an id are filled from the data, not from sentences. */
function findIntent(asked: string): Intent | undefined {
  return /\bids?\b/i.test(asked) ? undefined : intents.find((intent) => intent.asked.test(asked));
}

function findMedian(numbers: readonly number[]): number | null {
  const sorted = numbers.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Without a writing model the evidence alone says how far a report may be trusted. */
function supportFor({ hasQuestion, quotation, documents }: Material): number {
  if (hasQuestion) return quotation ? 0.9 : 0;
  if (documents.some(({ kind }) => kind === 'similar case')) return 0.8;
  return documents.some(({ kind }) => kind === 'article') ? 0.4 : 0.1;
}

/** Texts that fit the intent, those of the most similar cases first, each once. */
function find({ label, wording, sources }: Intent, { statements }: Material, max: number): string[] {
  const texts = new Map<string, string>();
  for (const { label: own, text, source } of statements) {
    const isTrusted = sources.includes(source);
    const isLabelled = (isTrusted || (source === 'article' && sources.includes('heading'))) && label.test(own);
    if (text.length > 600 || !(isLabelled || (isTrusted && wording?.test(text)))) continue;
    const key = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    if (!texts.has(key.trim())) texts.set(key.trim(), text);
  }
  return [...texts.values()].slice(0, max);
}

/** Joins the wrapped lines of an article: a sentence may go on in the next line. */
function toLines({ kind, text }: Document): string[] {
  const lines: string[] = [];
  for (const line of withoutOrders(text).split('\n')) {
    const before = lines.at(-1) ?? '';
    const continues = kind === 'article' && before.trim() !== '' && line.trim() !== '' && !blockStart.test(line);
    if (continues) lines[lines.length - 1] = `${before} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

const blockStart = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|[|>#])/;

/** "That is low enough" says nothing without the sentence before it. */
const sentenceStart = /(?<=[.!?]) (?=[\p{Lu}\p{N}"'(*`])(?!(?:That|This|It|They|These|Otherwise) )/u;

const fieldLine = /^([a-z_]{2,40}): ?(.*)$/;

/** The first document is the record itself. */
function toStatements(document: Document, place: number): Statement[] {
  const { kind, title } = document;
  const isOwn = place === 0 || kind === 'work note';
  const source = isOwn ? 'own' : kind === 'article' ? 'article' : 'case';
  let label = title.split(' › ').at(-1) ?? '';
  return toLines(document).flatMap((line) => {
    const [, name, value = line] = kind === 'article' ? [] : (fieldLine.exec(line) ?? []);
    if (name !== undefined) label = name.replaceAll('_', ' ');
    const current = label;
    return value
      .replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '')
      .trim()
      .split(sentenceStart)
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .map((sentence) => ({ label: current, text: sentence.trim(), source }));
  });
}

export function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return { schema: others ? (others[0] ?? {}) : schema, isNullable: others !== undefined };
}

function endSentence(text: string): string {
  return /[.!?:;…]["”')*]*$/.test(text) ? text : `${text}.`;
}

function shorten(text: string, { maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
