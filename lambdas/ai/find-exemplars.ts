import type { ExemplarsRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecord } from '../lists/record-store.ts';
import type { UseCase } from '../platform/http/response.ts';
import { requireValue } from '../platform/require-value.ts';
import { type Assistant, embedderOnly, roundShare, startStopwatch, toResponseMetadata } from './assistant.ts';
import { toVersions } from './cache/answer-cache.ts';
import { normalizeText } from './cache/same-question.ts';
import { calibration } from './knowledge/calibration.ts';
import { buildExemplarPrompt } from './prompts/reason-prompts.ts';

const ttlSeconds = 15 * 60;

/** Open incidents change often. */
const ttlSecondsWithOpen = 30;

/** Candidates beyond the requested number, because some have the same title or changed their state since they were learned. */
const candidatesPerResult = 3;
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
      matching: 'similar',
    } as const;
    const { value, match } = await assistant.cache(question, () => findSimilar(body, assistant));
    const { exemplars, usage } = value;
    const metadata = toResponseMetadata(usage, elapsedMs(), match);
    return { status: 200, body: { exemplars, count: exemplars.length, ...metadata } };
  };
}

async function findSimilar(request: ExemplarsRequest, { nearest, read, writeReasons }: Assistant) {
  const { description, category, top_k, include_open } = request;
  const filter = { ...(!include_open && { open: false }), ...(category !== undefined && { category }) };
  const found = await nearest(description, candidatesPerResult * top_k + extraCandidates, filter);
  const similar = found.filter(({ cosine }) => cosine >= calibration.similarity.far);
  const records = await read<IncidentDocument>(similar.map(({ id }) => id));
  const isOpen = ({ state }: IncidentDocument) => openIncidentStates.includes(state);
  const shown = groupByTitle(
    records.filter(({ record: { document } }) => (isOpen(document) ? include_open : document.resolved_at !== null)),
  ).slice(0, top_k);
  const exemplars = shown.map(({ record: { id, document }, count }) => {
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
      same_title_count: count,
    };
  });
  // Do not cache an empty result: similar incidents may be learned soon.
  if (exemplars.length === 0) return { value: { exemplars, usage: embedderOnly }, usedVersions: {}, ttlSeconds: 0 };
  const written = await writeReasons(buildExemplarPrompt(description, exemplars));
  const reasons = new Map(written?.value.reasons.map(({ incident_id, reason }) => [incident_id, reason]));
  const explained = exemplars.map((exemplar) => {
    const reason = reasons.get(exemplar.incident_id);
    return { ...exemplar, ...(reason !== undefined && { reason }) };
  });
  const { modelUsed, tokensUsed } = written ?? embedderOnly;
  return { value: { exemplars: explained, usage: { modelUsed, tokensUsed } }, usedVersions: toVersions(shown) };
}

/**
 * Keeps the most similar incident of each title, open and closed ones apart: a recurring fault would fill the list with equal
 * titles, or hide the open incident that is the same.
 */
export function groupByTitle<Own extends Pick<ReadRecord<IncidentDocument>, 'record'>>(records: readonly Own[]) {
  const groups = new Map<string, Own & { count: number }>();
  for (const each of records) {
    const { short_description, state } = each.record.document;
    const key = `${openIncidentStates.includes(state)} ${normalizeText(short_description)}`;
    const known = groups.get(key);
    if (known) known.count++;
    else groups.set(key, { ...each, count: 1 });
  }
  return [...groups.values()];
}
