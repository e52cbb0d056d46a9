// Fills a form, given as JSON Schema, from the material: an answer by quotation, a report on a record from its fields, its
// notes, similar cases and articles. A field that the material says nothing about gets a sentence that says so, null, or
// nothing.
import type { Schema } from '../converse.ts';
import type { Document, Prompt } from './documents.ts';
import { findIntent, type Intent } from './intents.ts';
import { type Quotation, quote, withoutOrders } from './quote.ts';

export const nothingSaid = 'The material that was given does not say.';

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
  document: Document;
  isOwn: boolean;
}

export function fillSchema(schema: Schema, prompt: Prompt): Record<string, unknown> {
  const { documents, hasQuestion } = prompt;
  const material: Material = {
    documents,
    hasQuestion,
    quotation: hasQuestion ? quote(documents) : undefined,
    statements: documents.flatMap((document, place) => toStatements(document, isOwn(document, place))),
  };
  return fillObject(schema, material);
}

function fillObject(schema: Schema, material: Material): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    fill(name, property, material),
  ]);
  return Object.fromEntries(entries);
}

function fill(name: string, property: Schema, material: Material): unknown {
  const { schema, isNullable } = withoutNull(property);
  const asked = `${name.replaceAll('_', ' ')} ${property.description ?? schema.description ?? ''}`;
  if (schema.enum) return isNullable ? null : schema.enum[0];
  switch (schema.type) {
    case 'boolean':
      return material.quotation !== undefined;
    case 'number':
    case 'integer':
      return numberFor(asked, schema, material) ?? (isNullable ? null : (schema.minimum ?? 0));
    case 'array':
      return listFor(asked, schema, material);
    case 'object':
      return fillObject(schema, material);
    default:
      return stringFor(asked, schema, material) ?? (isNullable ? null : nothingSaid);
  }
}

function stringFor(asked: string, schema: Schema, material: Material): string | undefined {
  if (material.hasQuestion) return material.quotation && shorten(material.quotation.text, schema);
  if (/\bids?\b/i.test(asked)) return undefined;
  const intent = findIntent(asked);
  if (!intent) return undefined;
  const found = find(intent, material, 2);
  if (found.length > 0) return shorten(found.map(({ text }) => endSentence(text)).join(' '), schema);
  const remedies = intent.fallback ? find(intent.fallback, material, 2) : [];
  if (remedies.length === 0) return undefined;
  return shorten(`${intent.fallbackText} ${remedies.map(({ text }) => endSentence(text)).join(' ')}`, schema);
}

function listFor(asked: string, schema: Schema, material: Material): string[] {
  const max = Math.min(schema.maxItems ?? 20, 20);
  if (/\bids?\b|\bsources?\b/i.test(asked)) {
    if (material.hasQuestion) return [...(material.quotation?.sources ?? [])].slice(0, max);
    return [...new Set(material.documents.filter(({ kind }) => kind === 'similar case').map(({ source }) => source))];
  }
  const intent = findIntent(asked);
  if (!intent) return [];
  return find(intent, material, Math.min(max, 6)).map(({ text }) => shorten(text, schema.items ?? {}));
}

function numberFor(asked: string, schema: Schema, material: Material): number | undefined {
  if (schema.minimum === 0 && schema.maximum === 1) return supportFor(material);
  if (!/\bminutes\b/i.test(asked)) return undefined;
  const minutes = material.statements.flatMap(({ label, text }) => (/minutes/.test(label) ? [Number(text)] : []));
  const sorted = minutes.filter(Number.isFinite).sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Without a writing model the evidence alone says how far a report may be trusted. */
function supportFor({ hasQuestion, quotation, documents }: Material): number {
  if (hasQuestion) return quotation ? 0.9 : 0;
  if (documents.some(({ kind }) => kind === 'similar case')) return 0.8;
  return documents.some(({ kind }) => kind === 'article') ? 0.4 : 0.1;
}

/** Statements that fit the intent, those of the most similar cases first, each text once. */
function find(intent: Intent, { statements }: Material, max: number): Statement[] {
  const fitting = statements.filter(({ label, text, isOwn: own, document }) => {
    if (text.length > 600 || !(own ? intent.fromOwn : intent.fromOthers)) return false;
    const isTrusted = document.kind !== 'article' || intent.fromArticles === true;
    if (!isTrusted && !intent.fromArticles) return false;
    return intent.label.test(label) || (isTrusted && intent.wording.test(text));
  });
  const seen = new Set<string>();
  return fitting
    .filter(({ text }) => {
      const key = text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim();
      if (key === '' || seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, max);
}

/** The first document is the record itself; notes belong to it. */
function isOwn({ kind }: Document, place: number): boolean {
  return place === 0 || kind === 'work note';
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

const fieldLine = /^([a-z_]{2,40}): ?(.*)$/;

function toStatements(document: Document, own: boolean): Statement[] {
  let label = document.title.split(' › ').at(-1) ?? '';
  return toLines(document).flatMap((line) => {
    const [, name, value = line] = document.kind === 'article' ? [] : (fieldLine.exec(line) ?? []);
    if (name !== undefined) label = name.replaceAll('_', ' ');
    const text = value.replace(/^\s*(?:[-*+]|\d{1,3}[.)])\s+/, '').trim();
    const current = label;
    return text
      .split(/(?<=[.!?]) (?=[\p{Lu}\p{N}"'(*`])/u)
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .map((sentence) => ({ label: current, text: sentence.trim(), document, isOwn: own }));
  });
}

export function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return { schema: others ? (others[0] ?? {}) : schema, isNullable: others !== undefined };
}

function endSentence(text: string): string {
  return /[.!?:;…]["”')*]*$/.test(text) ? text : `${text}.`;
}

function shorten(text: string, { maxLength }: Schema): string {
  if (maxLength === undefined || text.length <= maxLength) return text;
  return `${text.slice(0, Math.max(0, maxLength - 1))}…`;
}
