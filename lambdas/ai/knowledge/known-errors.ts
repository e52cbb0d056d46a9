import type { KnownErrors } from '../../../contract/known-errors.ts';
import { openProblemStates } from '../../../contract/states.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import { findRecords, type ListSource } from '../../lists/list-records.ts';
import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import { memoize } from '../../platform/memoize.ts';
import type { ProblemDocument } from '../../problems/problem.ts';
import { findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import { roundShare } from '../assistant.ts';
import type { Embed } from '../embedding/embedder.ts';
import { cosine } from '../embedding/vector.ts';
import { readVectors } from '../learning/learned-store.ts';
import { toIncidentText } from '../learning/subject.ts';
import { calibration } from './calibration.ts';
import type { LearnedEngine } from './learned-engine.ts';

// Finds the known errors that a text resembles: by the text of the problem, and by the incidents that belong to it. A
// problem often names the cause, while incidents describe what people notice.

export interface KnownError extends ReadRecord<ProblemDocument> {
  cosine: number;
  /** The incident of the problem that resembles the text more than the problem itself. */
  incidentId: string | undefined;
}

/** Most similar first. */
export type FindKnownErrors = (text: string, exceptId?: string) => Promise<KnownError[]>;

export interface KnownErrorSources {
  /** The list of problems. */
  problems: Pick<ListSource, 'engine' | 'read'>;
  store: Pick<ItemStore, 'getMany'>;
  embed: Embed;
  engine: LearnedEngine;
  read: ReadRecords;
}

/** The newest known errors; older ones are found by their incidents. */
const maxListed = 200;
const maxNeighbours = 15;
const maxFound = 3;

/** Reading the vectors of all known errors for every incident would cost more than data that is ten seconds old. */
const recentMs = 10_000;

export function createKnownErrorFinder(sources: KnownErrorSources): FindKnownErrors {
  const { problems, store, embed, engine, read } = sources;
  const listVectors = memoize(async () => {
    const query = { enums: { state: openProblemStates }, strings: { is_known_error: 'yes' }, times: {} };
    const { records } = await findRecords(
      problems,
      { ...query, ids: undefined, text: undefined, sort: 'created_at', order: 'desc' },
      maxListed,
    );
    return readVectors(
      store,
      records.map(({ id }) => id),
    );
  }, recentMs);
  return async (text, exceptId) => {
    const known = await listVectors('');
    if (known.size === 0) return [];
    const vector = await embed(text);
    const filter = exceptId === undefined ? {} : { exceptId };
    const neighbours = await engine.searchIncidents({ vector, text, count: maxNeighbours, filter });
    const best = new Map<string, Pick<KnownError, 'cosine' | 'incidentId'>>();
    const add = (id: string, similarity: number, incidentId?: string) => {
      const isBest = similarity >= calibration.similarity.resolution && similarity > (best.get(id)?.cosine ?? 0);
      if (isBest) best.set(id, { cosine: similarity, incidentId });
    };
    for (const [id, own] of known) add(id, cosine(vector, own));
    for (const { id, facts, cosine: similarity } of neighbours) if (facts.problem) add(facts.problem, similarity, id);
    const ids = [...best].sort(([, a], [, b]) => b.cosine - a.cosine).map(([id]) => id);
    const records = await read<ProblemDocument>(ids);
    return records
      .filter(({ record: { document } }) => isKnownError(document))
      .slice(0, maxFound)
      .map((each) => ({ ...each, ...(best.get(each.record.id) as Pick<KnownError, 'cosine' | 'incidentId'>) }));
  };
}

/** The index may not know yet that a problem changed. */
function isKnownError({ known_error, workaround, root_cause, state }: ProblemDocument): boolean {
  return known_error === true && (workaround ?? root_cause) !== null && openProblemStates.includes(state);
}

export function toKnownErrorPassage({ record: { id, document }, cosine: similarity }: KnownError) {
  const { short_description: title, root_cause, workaround } = document;
  const text = [workaround, root_cause && `Root cause: ${root_cause}`].filter((part) => part).join('\n\n');
  return { source: id, kind: 'known error', title, part: 0, relevance: roundShare(similarity), text };
}

/** The known errors that an incident resembles, with the one that it belongs to first. */
export function getKnownErrors(find: FindKnownErrors, store: Pick<ItemStore, 'get'>) {
  return async ({ params: { id } }: { params: { id: string } }): Promise<{ status: 200; body: KnownErrors }> => {
    const { document } = await findRecord<IncidentDocument>(store, id);
    const found = await find(toIncidentText(document), id);
    const known_errors = found.map(({ record, cosine: similarity, incidentId }) => {
      const { short_description, state, root_cause, workaround } = record.document;
      const percent = `${Math.round(100 * similarity)}%`;
      const reason = incidentId
        ? `${percent} similar to ${incidentId}, which belongs to this problem.`
        : `${percent} similar to the description of this problem.`;
      const similarity_score = roundShare(similarity);
      return { problem_id: record.id, short_description, state, root_cause, workaround, similarity_score, reason };
    });
    return { status: 200, body: { known_errors } };
  };
}
