import type { ExemplarsRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { type AnswerCache, toVersions } from './cache/answer-cache.ts';
import { calibration } from './knowledge/calibration.ts';
import { embedderOnly, stopwatch, toResponseMetadata } from './response-metadata.ts';
import type { Nearest } from './suggestions/nearest-incidents.ts';
import { rounded } from './suggestions/votes.ts';

const cachedForSeconds = 15 * 60;

/** Open incidents come and go. */
const openCachedForSeconds = 30;

export function findExemplars(
  nearest: Nearest,
  read: ReadRecords,
  cache: AnswerCache,
): UseCase<typeof routes.findExemplars> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const question = {
      endpoint: 'exemplars',
      scope: [body.category ?? null, body.top_k, body.include_open],
      text: body.description,
      callerId: caller.id,
      ttlSeconds: body.include_open ? openCachedForSeconds : cachedForSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await cache(question, () => exemplarsFor(body, nearest, read));
    return {
      status: 200,
      body: { exemplars: value, count: value.length, ...toResponseMetadata(embedderOnly, elapsedMs(), match) },
    };
  };
}

async function exemplarsFor(request: ExemplarsRequest, nearest: Nearest, read: ReadRecords) {
  const { description, category, top_k, include_open } = request;
  // A few more than asked for, because the table has the last word on their states.
  const found = await nearest(description, top_k + 5, (facts) => {
    return (include_open || !facts.open) && (category === undefined || facts.category === category);
  });
  const similar = found.filter(({ cosine }) => cosine >= calibration.similarity.far);
  const records = await read<IncidentDocument>(similar.map(({ id }) => id));
  const isOpen = ({ state }: IncidentDocument) => openIncidentStates.includes(state);
  const shown = records
    .filter(({ record: { document } }) => (isOpen(document) ? include_open : document.resolved_at !== null))
    .slice(0, top_k);
  const value = shown.map(({ record }) => {
    const { document, id } = record;
    const { facts, cosine } = requireValue(similar.find((each) => each.id === id));
    const { short_description, description: text } = document;
    return {
      incident_id: id,
      title: short_description,
      description: text ? `${short_description}\n${text}` : short_description,
      state: document.state,
      resolution: isOpen(document) ? '' : (document.resolution ?? ''),
      resolution_time_min: facts.minutes,
      similarity_score: rounded(cosine),
    };
  });
  // Incidents may be learned a moment later.
  return { value, usedVersions: toVersions(shown), ...(value.length === 0 && { ttlSeconds: 0 }) };
}
