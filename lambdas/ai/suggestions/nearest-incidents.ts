import type { Embed } from '../embedding/embedder.ts';
import type { Found } from '../knowledge/learned-index.ts';
import type { LiveIndex } from '../knowledge/live-index.ts';

export type Nearest = (
  text: string,
  count: number,
  accepts?: (facts: Found<'incident'>['facts'], id: string) => boolean,
) => Promise<Found<'incident'>[]>;

/** The resolved incidents whose texts are nearest, most similar first. */
export function nearestIncidents(embed: Embed, index: LiveIndex): Nearest {
  return async (text, count, accepts) => {
    const [vector, learned] = await Promise.all([embed(text), index()]);
    return learned.search({ kind: 'incident', vector, text, count, ...(accepts && { accepts }) });
  };
}
