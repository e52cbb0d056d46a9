import type { ExemplarsRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Assistant, embedderOnly, roundShare, startStopwatch, toResponseMetadata } from './assistant.ts';
import { toVersions } from './cache/answer-cache.ts';
import { calibration } from './knowledge/calibration.ts';

const ttlSeconds = 15 * 60;

/** Open incidents change often. */
const ttlSecondsWithOpen = 30;

/** Candidates beyond the requested number, because some may have changed their state since they were learned. */
const extraCandidates = 5;

export function findExemplars(assistant: Assistant): UseCase<typeof routes.findExemplars> {
  return async ({ body }, { caller }) => {
    const elapsedMs = startStopwatch();
    const question = {
      endpoint: 'exemplars',
      scope: [body.category ?? null, body.top_k, body.include_open],
      text: body.description,
      callerId: caller.id,
      ttlSeconds: body.include_open ? ttlSecondsWithOpen : ttlSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await assistant.cache(question, () => findSimilar(body, assistant));
    return {
      status: 200,
      body: { exemplars: value, count: value.length, ...toResponseMetadata(embedderOnly, elapsedMs(), match) },
    };
  };
}

async function findSimilar(request: ExemplarsRequest, { nearest, read }: Assistant) {
  const { description, category, top_k, include_open } = request;
  const filter = { ...(!include_open && { open: false }), ...(category !== undefined && { category }) };
  const found = await nearest(description, top_k + extraCandidates, filter);
  const similar = found.filter(({ cosine }) => cosine >= calibration.similarity.far);
  const records = await read<IncidentDocument>(similar.map(({ id }) => id));
  const isOpen = ({ state }: IncidentDocument) => openIncidentStates.includes(state);
  const shown = records
    .filter(({ record: { document } }) => (isOpen(document) ? include_open : document.resolved_at !== null))
    .slice(0, top_k);
  const value = shown.map(({ record: { id, document } }) => {
    const { facts, cosine } = requireValue(similar.find((each) => each.id === id));
    const { short_description: title, description: text } = document;
    return {
      incident_id: id,
      title,
      description: text ? `${title}\n${text}` : title,
      state: document.state,
      resolution: isOpen(document) ? '' : (document.resolution ?? ''),
      resolution_time_min: facts.minutes,
      similarity_score: roundShare(cosine),
    };
  });
  // Do not cache an empty result: similar incidents may be learned soon.
  return { value, usedVersions: toVersions(shown), ...(value.length === 0 && { ttlSeconds: 0 }) };
}
