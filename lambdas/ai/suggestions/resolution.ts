import type { IncidentDocument } from '../../incidents/incident.ts';
import type { ReadRecords } from '../../lists/record-store.ts';
import type { SuggestedResolution } from '../learning/learned-store.ts';
import type { Nearest } from './nearest-incidents.ts';

// What solved similar incidents, in their own words and with the incident to look at. Nothing is put together by a
// model: a new incident that nothing is similar to gets no suggestion.

/** Incidents below this are about something else too often to be followed. */
const leastSimilarity = 0.6;

const mostLooked = 7;

export function resolutionFinder(nearest: Nearest, read: ReadRecords) {
  return async (text: string): Promise<SuggestedResolution | undefined> => {
    const found = await nearest(text, mostLooked, ({ has_resolution }) => has_resolution);
    const similar = found.filter(({ cosine }) => cosine >= leastSimilarity);
    const votes = new Map<string, { weight: number; id: string; cosine: number }>();
    for (const { record } of await read<IncidentDocument>(similar.map(({ id }) => id))) {
      const { resolution, resolved_at } = record.document;
      if (!resolution || resolved_at === null) continue;
      const { cosine } = similar.find(({ id }) => id === record.id)!;
      const vote = votes.get(resolution) ?? { weight: 0, id: record.id, cosine };
      votes.set(resolution, { ...vote, weight: vote.weight + cosine ** 4 });
    }
    const [best] = [...votes].sort(([, a], [, b]) => b.weight - a.weight);
    if (!best) return undefined;
    const [resolution, { id, cosine }] = best;
    const suggestion = `${resolution}\n\nThis solved ${id}, whose text is ${Math.round(cosine * 100)} % similar.`;
    return { text: suggestion, sourceId: id };
  };
}
