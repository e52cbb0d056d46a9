import type { Embed } from '../embedding/embedder.ts';
import type { Found } from '../knowledge/best-found.ts';
import type { LiveIndex } from '../knowledge/live-index.ts';

export type Nearest = (
  text: string,
  count: number,
  accepts?: (facts: Found<'incident'>['facts'], id: string) => boolean,
) => Promise<Found<'incident'>[]>;

/** The resolved incidents whose texts are nearest, most similar first. */
export function nearestIncidents(embed: Embed, index: LiveIndex): Nearest {
  return async (text, count, accepts) => {
    const learned = await index();
    // Reading a text is what takes time, and it is in vain where there is nothing to compare it with.
    if (!learned.has('incident', accepts)) return [];
    return learned.search({ kind: 'incident', vector: await embed(text), text, count, ...(accepts && { accepts }) });
  };
}
