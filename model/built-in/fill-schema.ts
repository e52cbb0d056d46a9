// Fills a form, given as JSON Schema: an answer by quotation, or a report on a record from statements in its fields, its
// notes, similar cases and articles. A field without evidence says so, or is null or empty.
import type { Schema } from '../../local/bedrock/converse.ts';
import { type Quotation, quote, removeInstructions } from './quote.ts';
import type { Document, Prompt } from './read-prompt.ts';

export const noEvidence = 'The available information does not say.';

/** `own` is the record with its notes. `heading` is an article's section with a matching heading. */
type Source = 'own' | 'case' | 'article' | 'heading';

/** A field asks for something with its name and description; statements say it under a label or in a wording. */
interface Intent {
  field: RegExp;
  /** Matches headings of articles and names of fields. */
  label: RegExp;
  wording?: RegExp;
  sources: readonly Source[];
}

const remedy: Intent = {
  field: /\bsteps?\b|\bresolution\b|\bwhat to do\b/i,
  label: /^(resolution|repair|fix|steps?|what to do|workaround|solution|do this)\b/i,
  wording:
    /^(\*\*)?(add|apply|ask|check|clear|close|configure|delete|disable|empty|enable|extend|free|increase|install|lower|move|open|pause|reboot|remove|rename|renew|replace|reset|restart|restore|roll|rotate|run|send|set|start|stop|switch|turn|unlock|update|use|verify|wait)\b/i,
  sources: ['case', 'article'],
};

const cause: Intent = {
  field: /\bcauses?\b/i,
  label: /^(cause|causes|reason|why|what happened)\b/i,
  wording: /\b(because|caused? by|due to|root cause|reason|as a result of|turned out|the culprit|triggered by)\b/i,
  // Articles give reasons for many things, so only their sections about causes count.
  sources: ['own', 'case', 'heading'],
};

const intents: readonly Intent[] = [
  cause,
  remedy,
  {
    field: /\brisks?\b/i,
    // The field `risk` is a level and names no risk.
    label: /^(risks|warning|caution)\b/i,
    wording: /\b(may|might|could|risk|otherwise|unless|will (fail|stop|run out|expire|be lost)|danger)\b/i,
    sources: ['own', 'article'],
  },
  {
    field: /\bopen questions?\b|\bleaves open\b/i,
    label: /^(open|unknown|questions?)\b/i,
    wording:
      /\?$|\b(unknown|unclear|not (yet )?(known|clear|confirmed|found)|to be (checked|clarified|confirmed)|waiting for)\b/i,
    sources: ['own'],
  },
  {
    field: /\bimpact\b/i,
    label: /^(impact|short description|description)$/i,
    wording:
      /\b(affect\w{0,10}|cannot|unable|unavailable|outage|offline|all (users|colleagues|sites)|customers?|offices?)\b/i,
    sources: ['own'],
  },
  { field: /\baffected\b/i, label: /^(location|site|service|assignment group|ci id)$/i, sources: ['own'] },
  { field: /\bsummary\b|\bkey points?\b/i, label: /^(short description|description|resolution)$/i, sources: ['own'] },
];

interface Material extends Pick<Prompt, 'documents' | 'hasQuestion'> {
  quotation: Quotation | undefined;
  statements: readonly Statement[];
  asksForCause: boolean;
}

/** A sentence, a list item or a field of a record. */
interface Statement {
  label: string;
  text: string;
  source: Source;
}

export function fillSchema({ properties = {} }: Schema, { documents, hasQuestion }: Prompt): Record<string, unknown> {
  const quotation = hasQuestion ? quote(documents) : undefined;
  const statements = documents.flatMap(toStatements);
  const asksForCause = Object.keys(properties).some((name) => name.endsWith('cause'));
  const material = { documents, hasQuestion, quotation, statements, asksForCause };
  const fields = Object.entries(properties).map(([name, property]) => [name, fillField(name, property, material)]);
  return Object.fromEntries(fields);
}

function fillField(name: string, property: Schema, material: Material): unknown {
  const schema = unwrapNullable(property);
  const fieldText = `${name.replaceAll('_', ' ')} ${property.description ?? ''}`;
  if (schema.type === 'boolean') return material.quotation !== undefined;
  if (schema.type === 'number') return toConfidence(material);
  if (schema.type === 'array') return fillList(fieldText, schema, material);
  const text = schema.type === 'string' ? fillString(fieldText, schema, material) : undefined;
  return text ?? (property.anyOf ? null : noEvidence);
}

function fillString(fieldText: string, schema: Schema, { hasQuestion, quotation, statements }: Material) {
  if (hasQuestion) return quotation && shorten(quotation.text, schema);
  const intent = intents.find((each) => each.field.test(fieldText));
  const find = (wanted: Intent) => findTexts(wanted, statements, 2).map(endSentence);
  const found = intent ? find(intent) : [];
  const remedies = found.length === 0 && intent === cause ? find(remedy) : [];
  if (remedies.length > 0) found.push('No cause is documented. What helped in similar cases:', ...remedies);
  return found.length > 0 ? shorten(found.join(' '), schema) : undefined;
}

function fillList(fieldText: string, { maxItems = 20, items = {} }: Schema, material: Material): string[] {
  const { documents, quotation, hasQuestion, statements } = material;
  if (/\bids?\b|\bsources?\b/i.test(fieldText)) {
    const cases = documents.filter(({ kind }) => kind === 'similar case').map(({ source }) => source);
    return [...new Set(hasQuestion ? quotation?.sources : cases)].slice(0, maxItems);
  }
  const intent = intents.find((each) => each.field.test(fieldText));
  return intent ? findTexts(intent, statements, Math.min(maxItems, 6)).map((text) => shorten(text, items)) : [];
}

/** This model cannot judge its own text, so the kind of evidence decides. What helped elsewhere proves no cause. */
function toConfidence({ hasQuestion, quotation, documents, statements, asksForCause }: Material): number {
  if (hasQuestion) return quotation ? 0.9 : 0;
  const has = (wanted: string) => documents.some(({ kind }) => kind === wanted);
  const confidence = has('similar case') ? 0.8 : has('article') ? 0.4 : 0.1;
  const isWithoutCause = asksForCause && findTexts(cause, statements, 1).length === 0;
  return isWithoutCause ? Math.min(confidence, 0.3) : confidence;
}

const maxTextCharacters = 600;

/** Returns distinct texts that match the intent, in the order of the documents. */
function findTexts({ label, wording, sources }: Intent, statements: readonly Statement[], max: number): string[] {
  const texts = new Map<string, string>();
  for (const { label: own, text, source } of statements) {
    const isSource = sources.includes(source);
    const isLabelled = (isSource || (source === 'article' && sources.includes('heading'))) && label.test(own);
    if (text.length > maxTextCharacters || !(isLabelled || (isSource && wording?.test(text)))) continue;
    const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
    if (!texts.has(words)) texts.set(words, text);
  }
  return [...texts.values()].slice(0, max);
}

const fieldLine = /^([a-z_]{2,40}): ?(.*)$/;
const listMarker = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;

/** "That is low enough" needs the sentence before it. */
const sentenceStart = /(?<=[.!?]) (?=[\p{Lu}\p{N}"'(*`])(?!(?:That|This|It|They|These|Otherwise) )/u;

/** The first document is the record. */
function toStatements(document: Document, index: number): Statement[] {
  const { kind, title } = document;
  const isOwn = index === 0 || kind === 'work note';
  const source = isOwn ? 'own' : kind === 'article' ? 'article' : 'case';
  let label = title.split(' › ').at(-1) ?? '';
  return toLines(document).flatMap((line) => {
    const [, name, value = line] = kind === 'article' ? [] : (fieldLine.exec(line) ?? []);
    label = name?.replaceAll('_', ' ') ?? label;
    const sentences = value.replace(listMarker, '').trim().split(sentenceStart);
    return sentences.flatMap((text) => (/[\p{L}\p{N}]/u.test(text) ? [{ label, text: text.trim(), source }] : []));
  });
}

const blockStart = /^\s*(?:[-*+]\s|\d{1,3}[.)]\s|[|>#])/;

/** Joins the wrapped lines of an article, because a sentence may continue on the next line. */
function toLines({ kind, text }: Document): string[] {
  const lines: string[] = [];
  for (const line of removeInstructions(text).split('\n')) {
    const last = lines.at(-1) ?? '';
    const continues = kind === 'article' && last.trim() !== '' && line.trim() !== '' && !blockStart.test(line);
    if (continues) lines[lines.length - 1] = `${last} ${line.trim()}`;
    else lines.push(line);
  }
  return lines;
}

export function unwrapNullable(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
}

function endSentence(text: string): string {
  return /[.!?:;…]["”')*]*$/.test(text) ? text : `${text}.`;
}

function shorten(text: string, { maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}
