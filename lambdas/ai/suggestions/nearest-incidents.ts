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

/** Finds the most similar incidents, most similar first. By default, only resolved incidents are accepted. */
export function createNearestFinder(embed: Embed, index: LiveIndex): Nearest {
  let none: { accepts: unknown; changes: number } | undefined;
  return async (text, count, accepts = isResolved) => {
    const learned = await index();
    const { changes } = learned;
    // Skip the check of all incidents for every new incident of an import.
    if (none?.accepts === accepts && none.changes === changes) return [];
    // Do not embed the text if there is nothing to compare it with.
    if (!learned.incidents.rows.some(({ record }) => accepts(getFacts(record), record.id))) {
      none = { accepts, changes };
      return [];
    }
    return searchIncidents(learned.incidents, { vector: await embed(text), text, count, accepts });
  };
}

const maxNeighbours = 7;

const hasResolution = ({ open, has_resolution }: IncidentFacts) => !open && has_resolution;

/** Quotes the resolution of similar incidents with its source. No model is called. */
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
