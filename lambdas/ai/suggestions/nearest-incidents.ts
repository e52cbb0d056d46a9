import type { Embed } from '../embedding/embedder.ts';
import type { FoundIncident } from '../knowledge/incident-search.ts';
import type { IncidentFacts } from '../knowledge/learned-item.ts';
import type { LiveIndex } from '../knowledge/live-index.ts';

export type Nearest = (
  text: string,
  count: number,
  accepts?: (facts: IncidentFacts, id: string) => boolean,
) => Promise<FoundIncident[]>;

const isResolved = ({ open }: IncidentFacts) => !open;

/** The incidents whose texts are nearest, most similar first; resolved ones unless `accepts` says otherwise. */
export function nearestIncidents(embed: Embed, index: LiveIndex): Nearest {
  return async (text, count, accepts = isResolved) => {
    const learned = await index();
    // Embedding takes most of the time, and is in vain without anything to compare with.
    if (!learned.incidents.rows.some(({ facts, id }) => accepts(facts, id))) return [];
    return learned.searchIncidents({ vector: await embed(text), text, count, accepts });
  };
}
