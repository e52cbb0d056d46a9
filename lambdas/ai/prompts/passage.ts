import type { Fence } from './fence.ts';

/** A piece of text that an answer may rest on. */
export interface Passage {
  /** Id of the record or article that it is from; what a model cites. */
  source: string;
  /** What it is, in a word or two: article, incident, similar case, work note. */
  kind: string;
  title?: string;
  /** From 0 to 1: how near the search found it. */
  relevance?: number;
  fit?: Fit;
  text: string;
}

/** How the words of a question fit what a passage is from. */
export interface Fit {
  /** Those that do not, and how little. */
  strange: readonly { word: string; by: number }[];
  /** From 0 to 1: how near what is said there comes to each of its words, on average. */
  mean: number;
}

export function passageText(fence: Fence, { source, kind, title, relevance, fit, text }: Passage): string {
  const strange = fit?.strange.map(({ word, by }) => `${word} ${by.toFixed(2)}`).join(', ');
  return fence.around(text, {
    source,
    kind,
    title,
    relevance: relevance?.toFixed(2),
    words: fit?.mean.toFixed(2),
    strange: strange || undefined,
  });
}

/** Fields of a record as lines of text; what is not set is left out. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** The sources that were really given, each once, in the order in which a model named them. */
export function knownSources(named: readonly string[], passages: readonly Passage[]): string[] {
  const given = new Set(passages.map(({ source }) => source));
  return [...new Set(named)].filter((source) => given.has(source));
}
