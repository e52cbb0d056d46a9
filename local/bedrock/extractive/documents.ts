// Reads a prompt as people write them for language models: pieces of material between tags such as
// <data-1f3a… source="KB1" kind="article"> … </data-1f3a…>, and instructions around them. Only the first tag's name
// counts, so that a tag inside the material is text like any other.
import type { ConverseRequest } from '../converse.ts';
import { wordsOf } from './words.ts';

export interface Document {
  /** What is to be cited; empty when the tag names none. */
  source: string;
  kind: string;
  title: string;
  /** From 0 to 1, when whoever searched for it said so. */
  relevance: number | undefined;
  /** How the words of the question fit it, when whoever searched said so. */
  fit: Fit | undefined;
  text: string;
}

export interface Fit {
  /** From 0 to 1: how near what is said comes to each of the question's words, on average. */
  mean: number;
  /** Words that do not fit, as `wordsOf` gives them, and how little. */
  strange: ReadonlyMap<string, number>;
}

export interface Prompt {
  question: string;
  documents: readonly Document[];
}

const openingTag = /<([a-z]+-[0-9a-f]{8,64})((?:\s+[a-z_]+="[^"]*")*)\s*>/;

export function readPrompt({ messages }: ConverseRequest): Prompt {
  const texts = messages.filter(({ role }) => role === 'user').flatMap(({ content }) => content);
  const spoken = texts.flatMap((each) => (each.kind === 'text' ? [each.text] : []));
  const { documents, rest } = split(spoken.at(-1) ?? '');
  const question = documents.find(({ kind }) => kind === 'question');
  return {
    question: question?.text ?? rest,
    documents: documents.filter((each) => each !== question),
  };
}

/** What was asked before, oldest first, with what was answered. */
export function earlierTurns({ messages }: ConverseRequest): string[] {
  return messages.slice(0, -1).flatMap(({ content }) => {
    return content.flatMap((each) => (each.kind === 'text' ? [split(each.text).documents[0]?.text ?? each.text] : []));
  });
}

function split(text: string): { documents: Document[]; rest: string } {
  const name = openingTag.exec(text)?.[1];
  if (!name) return { documents: [], rest: text };
  const documents: Document[] = [];
  const piece = new RegExp(`<${name}((?:\\s+[a-z_]+="[^"]*")*)\\s*>\\n?([\\s\\S]*?)\\n?</${name}>`, 'g');
  const rest = text.replace(piece, (_all, attributes: string, body: string) => {
    documents.push(documentOf(attributes, body));
    return '';
  });
  return { documents, rest };
}

function documentOf(attributes: string, text: string): Document {
  const of = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  const relevance = Number(of('relevance') || Number.NaN);
  return {
    source: of('source') || of('id'),
    kind: of('kind').toLowerCase(),
    title: of('title'),
    relevance: Number.isFinite(relevance) ? Math.min(1, Math.max(0, relevance)) : undefined,
    fit: fitIn(of),
    text,
  };
}

function fitIn(of: (name: string) => string): Fit | undefined {
  const mean = Number(of('words') || Number.NaN);
  if (!Number.isFinite(mean)) return undefined;
  // "plotter 0.27, pink 0.12"
  const words = [...of('strange').matchAll(/(\S+) (\d\.\d+)/g)];
  const strange = words.flatMap(([, word, by]) => wordsOf(word!).map((each) => [each, Number(by)] as const));
  return { mean, strange: new Map(strange) };
}
