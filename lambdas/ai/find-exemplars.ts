import type { ExemplarsRequest } from '../../contract/ai.ts';
import type { routes } from '../../contract/routes.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type AnswerCache, versionsOf } from './cache/answer-cache.ts';
import { incidentText } from './learning/subject.ts';
import type { Nearest } from './suggestions/nearest-incidents.ts';
import { rounded } from './suggestions/votes.ts';
import { embedderOnly, stopwatch, told } from './told.ts';

const rememberedForSeconds = 15 * 60;

/** What is less similar is not an example of anything. */
const leastSimilarity = 0.25;

export function findExemplars(
  nearest: Nearest,
  read: ReadRecords,
  cache: AnswerCache,
): UseCase<typeof routes.findExemplars> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const question = {
      endpoint: 'exemplars',
      scope: [body.category ?? null, body.top_k],
      text: body.description,
      callerId: caller.id,
      rememberedForSeconds,
      matching: 'exact',
    } as const;
    const { value, match } = await cache(question, () => exemplarsFor(body, nearest, read));
    return {
      status: 200,
      body: { exemplars: value, count: value.length, ...told(embedderOnly, elapsedMs(), match) },
    };
  };
}

async function exemplarsFor({ description, category, top_k }: ExemplarsRequest, nearest: Nearest, read: ReadRecords) {
  const accepts = (facts: { category: string | null }) => category === undefined || facts.category === category;
  // A few more than asked for, because the table has the last word on which of them are still resolved.
  const found = await nearest(description, top_k + 5, accepts);
  const similar = found.filter(({ cosine }) => cosine >= leastSimilarity);
  const records = await read<IncidentDocument>(similar.map(({ id }) => id));
  const solved = records.filter(({ record }) => record.document.resolved_at !== null).slice(0, top_k);
  const value = solved.map(({ record }) => {
    const { facts, cosine } = similar.find(({ id }) => id === record.id)!;
    return {
      incident_id: record.id,
      description: incidentText(record.document),
      resolution: record.document.resolution ?? '',
      resolution_time_min: facts.minutes,
      similarity_score: rounded(cosine),
    };
  });
  return { value, usedVersions: versionsOf(solved) };
}
