import type { IncidentDocument } from '../../incidents/incident.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { Embed } from '../embedding/embedder.ts';
import { calibration } from '../knowledge/calibration.ts';
import { type FoundIncident, searchIncidents } from '../knowledge/incident-search.ts';
import { getFacts } from '../knowledge/learned-index.ts';
import type { IncidentFacts } from '../knowledge/learned-item.ts';
import type { LiveIndex } from '../knowledge/live-index.ts';
import type { SuggestedResolution } from '../learning/learned-store.ts';

export type Nearest = (
  text: string,
  count: number,
  accepts?: (facts: IncidentFacts, id: string) => boolean,
) => Promise<FoundIncident[]>;

const isResolved = ({ open }: IncidentFacts) => !open;

/** The incidents whose texts are nearest, most similar first; resolved ones unless `accepts` says otherwise. */
export function createNearestFinder(embed: Embed, index: LiveIndex): Nearest {
  let none: { accepts: unknown; changes: number } | undefined;
  return async (text, count, accepts = isResolved) => {
    const learned = await index();
    const { changes } = learned;
    // Do not look at all incidents again for every new one of an import.
    if (none?.accepts === accepts && none.changes === changes) return [];
    // Embedding takes most of the time, and is in vain without anything to compare with.
    if (!learned.incidents.rows.some(({ record }) => accepts(getFacts(record), record.id))) {
      none = { accepts, changes };
      return [];
    }
    return searchIncidents(learned.incidents, { vector: await embed(text), text, count, accepts });
  };
}

// What solved similar incidents, in their own words and with its source. No model puts anything together: a new incident
// that nothing is similar to gets no suggestion.

const maxNeighbours = 7;

const hasResolution = ({ open, has_resolution }: IncidentFacts) => !open && has_resolution;

export function createResolutionFinder(nearest: Nearest, read: ReadRecords) {
  return async (text: string): Promise<SuggestedResolution | undefined> => {
    const found = await nearest(text, maxNeighbours, hasResolution);
    const similar = found.filter(({ cosine }) => cosine >= calibration.similarity.resolution);
    const votes = new Map<string, { weight: number; id: string; title: string; cosine: number }>();
    for (const { record } of await read<IncidentDocument>(similar.map(({ id }) => id))) {
      const { resolution, resolved_at, short_description: title } = record.document;
      if (!resolution || resolved_at === null) continue;
      const { cosine } = requireValue(similar.find(({ id }) => id === record.id));
      const known = votes.get(resolution) ?? { weight: 0, id: record.id, title, cosine };
      votes.set(resolution, { ...known, weight: known.weight + cosine ** 4 });
    }
    const [best] = [...votes].sort(([, a], [, b]) => b.weight - a.weight);
    if (!best) return undefined;
    const [resolution, { id, title, cosine }] = best;
    return { text: `${resolution}\n\nSource: ${id} "${title}", ${Math.round(cosine * 100)}% similar.`, sourceId: id };
  };
}
