// Fills a form, given as JSON Schema, from the material. What each field asks for is read from its type, its bounds, its
// name and its description; a field that the material says nothing about gets a sentence that says so, null, or nothing.
import type { Schema } from '../converse.ts';
import { answerQuestion, type Extract } from './answer-question.ts';
import { CaseStudy, type Finding } from './case-study.ts';
import type { Prompt } from './documents.ts';
import { Evidence } from './evidence.ts';
import { intentOf } from './intents.ts';
import { plainWords, stem } from './words.ts';

interface Material {
  prompt: Prompt;
  evidence: Evidence;
  /** To the question, when there is one. */
  answer: Extract | undefined;
  cases: CaseStudy;
  form: Schema;
}

export const nothingSaid = 'The material that was given does not say.';

export function fillSchema(schema: Schema, prompt: Prompt, isQuestion: boolean): unknown {
  const evidence = new Evidence(prompt.documents);
  const answer = isQuestion ? answerQuestion(prompt.question, evidence) : undefined;
  const material: Material = { prompt, evidence, answer, cases: new CaseStudy(evidence), form: schema };
  return fillObject(schema, material, isQuestion);
}

function fillObject(schema: Schema, material: Material, isQuestion: boolean): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const value = fill(name, property, material, isQuestion);
    return [name, value] as const;
  });
  const required = new Set(schema.required ?? []);
  return Object.fromEntries(entries.filter(([name, value]) => value !== undefined || required.has(name)));
}

function fill(name: string, property: Schema, material: Material, isQuestion: boolean): unknown {
  const { schema, nullable } = withoutNull(property);
  const asked = askedBy(name, property);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return enumValue(schema.enum, material) ?? (nullable ? null : schema.enum[0]);
  switch (schema.type) {
    case 'boolean':
      return material.answer !== undefined;
    case 'number':
    case 'integer':
      return numberFor(asked, schema, material, isQuestion) ?? (nullable ? null : (schema.minimum ?? 0));
    case 'array':
      return listFor(name, asked, schema, material, isQuestion);
    case 'object':
      return fillObject(schema, material, isQuestion);
    default:
      return stringFor(name, asked, schema, material, isQuestion, nullable);
  }
}

function askedBy(name: string, property: Schema): string {
  const description = property.description ?? withoutNull(property).schema.description ?? '';
  return `${name.replaceAll('_', ' ')} ${description}`;
}

function stringFor(
  name: string,
  asked: string,
  schema: Schema,
  material: Material,
  isQuestion: boolean,
  nullable: boolean,
): string | null {
  if (wantsId(asked)) return idUnder(name, material) ?? (nullable ? null : '');
  const text = isQuestion ? material.answer?.text : findingFor(asked, material)?.text;
  if (text === undefined) return nullable ? null : bounded(nothingSaid, schema);
  return bounded(text, schema);
}

function listFor(name: string, asked: string, schema: Schema, material: Material, isQuestion: boolean): unknown[] {
  const most = Math.min(schema.maxItems ?? 5, 5);
  if (wantsId(asked) || /\bsources?\b/i.test(asked)) {
    if (isQuestion) return material.answer?.sources.slice(0, schema.maxItems ?? 20) ?? [];
    const ids = material.cases
      .similar()
      .filter(({ kind }) => fitsKind(kind, asked))
      .map(({ source }) => source);
    return [...new Set(ids)].slice(0, schema.maxItems ?? 20);
  }
  if (withoutNull(schema.items ?? {}).schema.type !== 'string') return [];
  if (/\baffected\b|\bnamed\b/i.test(`${name} ${asked}`)) return namesIn(material).slice(0, most);
  const finding = findingFor(asked, material, most);
  return (finding?.sentences ?? []).map(({ text }) => bounded(text, schema.items ?? {}));
}

function numberFor(asked: string, schema: Schema, material: Material, isQuestion: boolean): number | undefined {
  if (schema.minimum === 0 && schema.maximum === 1) return Math.round(100 * supportOf(material, isQuestion)) / 100;
  const unit = /\b(minutes?|hours?|days?|seconds?)\b/i.exec(asked)?.[1];
  const found = unit ? durations(material, unit.toLowerCase().replace(/s$/, '')) : [];
  if (found.length === 0) return undefined;
  const middle = found.sort((one, other) => one - other)[Math.floor(found.length / 2)]!;
  return Math.min(schema.maximum ?? middle, Math.max(schema.minimum ?? middle, Math.round(middle)));
}

/** How sure one may be: of the answer, or of what the form asks for first. */
function supportOf(material: Material, isQuestion: boolean): number {
  const { answer, form } = material;
  if (isQuestion) return answer?.support ?? 0;
  const texts = Object.entries(form.properties ?? {}).filter(([, property]) => property.type === 'string');
  const [name, property] = texts[0] ?? ['summary', {}];
  const finding = findingFor(askedBy(name, property), material);
  return Math.max(0.1, finding?.support ?? 0);
}

function findingFor(asked: string, { cases }: Material, most = 2): Finding | undefined {
  const intent = intentOf(asked);
  const finding = intent && cases.saying(intent, most);
  if (finding || intent !== intentOf('cause')) return finding;
  // Who does not know the cause may still know what helped.
  const remedy = cases.saying(intentOf('steps')!, most);
  return remedy && { ...remedy, text: `${noCause} ${remedy.text}`, support: remedy.support / 2 };
}

const noCause = 'The material names no cause. What helped in similar cases:';

function wantsId(asked: string): boolean {
  return /\bids?\b/i.test(asked);
}

/** Whether a kind of document is among those that a field speaks of: "similar case" fits "similar past cases". */
function fitsKind(kind: string, asked: string): boolean {
  const wanted = new Set(plainWords(asked).map(stem));
  return plainWords(kind).some((word) => wanted.has(stem(word)));
}

/** The value of a field of the record whose name shares a word with the one asked for, when it is an id. */
function idUnder(name: string, { evidence }: Material): string | undefined {
  const wanted = name.split('_').map(stem);
  const said = evidence.sentences.find(({ label, text, document }) => {
    const fits = label.split(' ').some((word) => wanted.includes(stem(word)));
    return fits && document === evidence.documents[0] && /^[A-Z]{2,8}[-_]?[0-9A-Z]{3,}$/.test(text);
  });
  return said?.text;
}

function durations({ cases, evidence }: Material, unit: string): number[] {
  const similar = new Set(cases.similar());
  const short = unit.slice(0, 3);
  return evidence.sentences.flatMap(({ label, text, document }) => {
    if (!similar.has(document)) return [];
    const labelled = label.split(' ').some((word) => word.startsWith(short)) && /^\d+(\.\d+)?$/.test(text);
    const written = new RegExp(`\\b(\\d+(?:\\.\\d+)?)\\s*${short}`, 'i').exec(text)?.[1];
    return labelled ? [Number(text)] : written ? [Number(written)] : [];
  });
}

/** Machines, services and places that the record itself names. */
function namesIn({ evidence }: Material): string[] {
  const own = evidence.sentences.filter(({ document }) => document === evidence.documents[0]);
  const machine = /\b(?:CI\d+|[a-z]+(?:-[a-z0-9]+)*-\d+|[a-z]+-[a-z]+-[a-z0-9]+)\b/g;
  const place = /\b(?:in|at|of|from) (?:the )?((?:[A-Z][\p{L}]+)(?: [A-Z][\p{L}]+)?)/gu;
  return [
    ...new Set(
      own.flatMap(({ text }) => [...(text.match(machine) ?? []), ...[...text.matchAll(place)].map((m) => m[1]!)]),
    ),
  ];
}

/** The value that the material speaks of most; undefined when it speaks of none. */
function enumValue(values: readonly unknown[], { evidence }: Material): unknown {
  const scored = values.map((value) => {
    const words = plainWords(String(value).replaceAll('_', ' ')).map(stem);
    const said = evidence.sentences.filter(({ words: own }) => words.every((word) => own.includes(word)));
    return { value, score: said.length };
  });
  const best = scored.sort((one, other) => other.score - one.score)[0];
  return best && best.score > 0 ? best.value : undefined;
}

export function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const others = options.filter(({ type }) => type !== 'null');
    return {
      schema: { ...others[0], ...(schema.description && { description: schema.description }) },
      nullable: others.length < options.length,
    };
  }
  if (Array.isArray(schema.type)) {
    const [first] = schema.type.filter((type) => type !== 'null');
    return { schema: { ...schema, type: first as string }, nullable: schema.type.includes('null') };
  }
  return { schema, nullable: false };
}

function bounded(text: string, { maxLength }: Schema): string {
  if (maxLength === undefined || text.length <= maxLength) return text;
  return `${text.slice(0, Math.max(0, maxLength - 1))}…`;
}
