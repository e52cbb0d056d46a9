import type { ProblemCandidate } from '../../contract/problem-candidates.ts';
import type { CiDocument } from '../cmdb/ci.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { findRecords, type ListSource } from '../lists/list-records.ts';
import { type Clock, dayMs } from '../platform/clock.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { StoredRecord } from '../records/record.ts';
import { recordSortKey, toItemKey, toRecord } from '../records/record-item.ts';
import { cosine, type Vector } from './embedding/vector.ts';
import { calibration } from './knowledge/calibration.ts';
import { readVectors } from './learning/learned-store.ts';

// Groups of similar recent incidents that no problem explains. The vectors exist already, and the number of incidents is
// bounded, so a request compares at most 125,000 pairs.

const maxExamined = 500;
const maxGroups = 20;

/** Between the similarity that suggests a resolution and that of almost equal texts. */
const minCosine = (calibration.similarity.resolution + calibration.similarity.near) / 2;

type Recent = StoredRecord<IncidentDocument>;

export interface CandidateSources {
  incidents: Pick<ListSource, 'engine' | 'read'>;
  store: Pick<ItemStore, 'getMany'>;
}

interface CandidateInput {
  query: { days: number; min_incidents: number };
}

export function findProblemCandidates({ incidents, store }: CandidateSources) {
  return async ({ query: { days, min_incidents } }: CandidateInput, { clock }: { clock: Clock }) => {
    const query = {
      ids: undefined,
      enums: {},
      strings: { parent_problem_id: null },
      times: { created_at: { afterMs: clock.now() - days * dayMs } },
      text: undefined,
      sort: 'created_at',
      order: 'desc' as const,
    };
    const { records, total } = await findRecords<IncidentDocument>(incidents, query, maxExamined);
    const unexplained = records.filter(({ document }) => !document.links?.some(({ id }) => id.startsWith('PRB')));
    const vectors = await readVectors(
      store,
      unexplained.map(({ id }) => id),
    );
    const groups = groupSimilar(unexplained, vectors).filter(({ members }) => members.length >= min_incidents);
    const largest = groups.sort((a, b) => b.members.length - a.members.length).slice(0, maxGroups);
    const names = await readItemNames(store, largest);
    const candidates = largest.map((group) => toCandidate(group, names));
    return { status: 200 as const, body: { candidates, examined: records.length, total } };
  };
}

export interface Group {
  /** The first one is the incident that the others resemble. */
  members: Recent[];
  /** Of the least similar member. */
  minCosine: number;
}

/** The incident with the most similar ones leads the first group; the rest is grouped the same way. */
export function groupSimilar(records: readonly Recent[], vectors: ReadonlyMap<string, Vector>): Group[] {
  const known = records.flatMap((record) => {
    const vector = vectors.get(record.id);
    return vector ? [{ record, vector, near: [] as { place: number; cosine: number }[] }] : [];
  });
  for (const [place, one] of known.entries()) {
    for (const [offset, other] of known.slice(place + 1).entries()) {
      const similarity = cosine(one.vector, other.vector);
      if (similarity < minCosine) continue;
      one.near.push({ place: place + 1 + offset, cosine: similarity });
      other.near.push({ place, cosine: similarity });
    }
  }
  const taken = new Set<number>();
  const groups: Group[] = [];
  for (const [place, { record, near }] of [...known.entries()].sort(([, a], [, b]) => b.near.length - a.near.length)) {
    if (taken.has(place)) continue;
    const free = near.filter((each) => !taken.has(each.place));
    for (const each of [{ place }, ...free]) taken.add(each.place);
    const members = [record, ...free.flatMap((each) => known[each.place]?.record ?? [])];
    groups.push({ members, minCosine: Math.min(1, ...free.map((each) => each.cosine)) });
  }
  return groups;
}

/** An incident can name an item that does not exist or was deleted. */
async function readItemNames(store: CandidateSources['store'], groups: readonly Group[]): Promise<Map<string, string>> {
  const ids = new Set(groups.flatMap(({ members }) => findMajority(members, 'ci_id').value ?? []));
  const items = await store.getMany([...ids].map((id) => toItemKey(id, recordSortKey)));
  const found = items.map((item) => toRecord<CiDocument>(item)).filter(({ deleted }) => !deleted);
  return new Map(found.map(({ id, document }) => [id, document.name]));
}

function toCandidate({ members, minCosine: similarity }: Group, names: ReadonlyMap<string, string>): ProblemCandidate {
  const times = members.map(({ created_at }) => created_at).sort();
  const [first_at = '', last_at = ''] = [times[0], times.at(-1)];
  const pick = (field: 'ci_id' | 'assignment_group' | 'category') => findMajority(members, field);
  const [ci_id, assignment_group, category] = [pick('ci_id'), pick('assignment_group'), pick('category')];
  const days = Math.max(1, Math.ceil((Date.parse(last_at) - Date.parse(first_at)) / dayMs));
  const about = ci_id.value === null ? '' : `; ${ci_id.count} of them about ${names.get(ci_id.value) ?? ci_id.value}`;
  const percent = Math.round(100 * similarity);
  const likeness = percent === 100 ? 'are nearly the same' : `are at least ${percent}% similar`;
  const period = `within ${days} ${days === 1 ? 'day' : 'days'}`;
  const reason = `${members.length} incidents ${period} ${likeness} and belong to no problem${about}.`;
  return {
    short_description: members[0]?.document.short_description ?? '',
    incident_ids: members.map(({ id }) => id),
    count: members.length,
    ci_id: ci_id.value,
    assignment_group: assignment_group.value,
    category: category.value,
    first_at,
    last_at,
    reason,
  };
}

/** The value that more than half of the incidents have. */
function findMajority(members: readonly Recent[], field: 'ci_id' | 'assignment_group' | 'category') {
  const values = members.map(({ document }) => document[field]);
  const count = (value: string | null) => values.filter((each) => each === value).length;
  const value = values.find((each) => each !== null && 2 * count(each) > values.length) ?? null;
  return { value, count: count(value) };
}
