import type { IncidentDocument } from '../../incidents/incident.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import { requireValue } from '../../platform/require-value.ts';
import type { Embed } from '../embedding/embedder.ts';
import { calibration } from '../knowledge/calibration.ts';
import type { FoundIncident, IncidentFilter } from '../knowledge/incident-search.ts';
import type { LearnedEngine } from '../knowledge/learned-engine.ts';
import type { SuggestedResolution } from '../learning/learned-store.ts';

export type Nearest = (text: string, count: number, filter: IncidentFilter) => Promise<FoundIncident[]>;

/** Finds the most similar incidents, most similar first. */
export function createNearestFinder(embed: Embed, engine: LearnedEngine): Nearest {
  return async (text, count, filter) => {
    // Do not embed the text if there is nothing to compare it with.
    if (!(await engine.mayHaveIncidents(filter))) return [];
    return engine.searchIncidents({ vector: await embed(text), text, count, filter });
  };
}

const maxNeighbours = 7;

/** Quotes the resolution of similar incidents with its source. No model is called. */
export function createResolutionFinder(nearest: Nearest, read: ReadRecords) {
  return async (text: string): Promise<SuggestedResolution | undefined> => {
    const found = await nearest(text, maxNeighbours, { open: false, has_resolution: true });
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
