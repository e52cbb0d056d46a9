import type { Fence } from './fence.ts';

/** A piece of text that an answer may rest on. */
export interface Passage {
  /** Id of the record or article that it is from; a model cites it. */
  source: string;
  /** One or two words: article, incident, similar case, work note. */
  kind: string;
  title?: string;
  /** Its place within its source, from 0. */
  part?: number;
  /** From 0 to 1: the score of the search. */
  relevance?: number;
  text: string;
}

export function toPromptText(fence: Fence, { source, kind, title, part, relevance, text }: Passage): string {
  return fence.around(text, { source, kind, title, part: part?.toString(), relevance: relevance?.toFixed(2) });
}

/** Fields of a record as lines of text, without unset ones. */
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
