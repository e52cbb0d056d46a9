import type { routes } from '../../../contract/routes.ts';
import type { ChangeState } from '../../../contract/states.ts';
import { maxSuspects, type SuspectChange } from '../../../contract/suspect-changes.ts';
import type { ChangeDocument } from '../../changes/change.ts';
import { type ReadCiGraph, walkGraph } from '../../cmdb/ci-graph.ts';
import type { IncidentDocument } from '../../incidents/incident.ts';
import type { ListQuery } from '../../lists/list-engine.ts';
import { findRecords, type ListSource } from '../../lists/list-records.ts';
import { dayMs } from '../../platform/clock.ts';
import type { UseCase } from '../../platform/http/response.ts';
import { findRecord } from '../../records/change-record.ts';
import type { ItemStore } from '../../records/item-store.ts';
import type { StoredRecord } from '../../records/record.ts';

// Changes on the item of an incident, or on an item that it depends on: the suspects behind an incident, and the changes in
// progress that explain an alert.

export interface ChangeTools {
  source: Pick<ListSource, 'engine' | 'read'>;
  graph: ReadCiGraph;
}

/** As in the calendar: on longer paths almost all items depend on each other. */
const bounds = { depth: 5, maxNodes: 200 };

const maxChanges = 200;

interface Related {
  change: StoredRecord<ChangeDocument>;
  ciId: string;
  distance: number;
}

/** The changes in these states on the item or its dependencies, each with its nearest item. */
async function findRelated(
  ciId: string,
  states: readonly ChangeState[],
  { source, graph }: ChangeTools,
): Promise<{ related: Related[]; truncated: boolean }> {
  const read = await graph([ciId], 'dependencies', bounds.depth);
  const { visits, truncated } = walkGraph([ciId], (id) => read.getSteps('dependencies', id), bounds);
  const distances = new Map([[ciId, 0], ...visits.map(({ node, distance }) => [node, distance] as const)]);
  const query: ListQuery = {
    enums: { state: states },
    strings: {},
    references: { ci_ids: [...distances.keys()] },
    times: {},
    text: undefined,
    sort: 'updated_at',
    order: 'desc',
  };
  const { total, records } = await findRecords<ChangeDocument>(source, query, maxChanges);
  const related = records.flatMap((change): Related[] => {
    const nearest = change.document.ci_ids
      .flatMap((id) => (distances.has(id) ? [{ id, distance: distances.get(id) ?? 0 }] : []))
      .sort((a, b) => a.distance - b.distance)[0];
    return nearest ? [{ change, ciId: nearest.id, distance: nearest.distance }] : [];
  });
  return { related, truncated: truncated || total > maxChanges };
}

/** A change in progress that explains alerts of the item, the nearest one. */
export async function findHoldingChange(
  ciId: string,
  tools: ChangeTools,
): Promise<{ id: string; text: string } | undefined> {
  const { related } = await findRelated(ciId, ['implementing'], tools);
  const [holding] = related
    .filter(({ change: { document } }) => document.suppress_pages)
    .sort((a, b) => a.distance - b.distance);
  if (!holding) return undefined;
  const { change, ciId: changed } = holding;
  const where = changed === ciId ? ciId : `${changed}, which ${ciId} depends on`;
  const text = `Nobody is paged: the change ${change.id} (${change.document.short_description}) is in progress on ${where}.`;
  return { id: change.id, text };
}

const suspectStates = ['implementing', 'completed'] as const;

const windowMs = 7 * dayMs;

/** After this time, a change is half as suspect. */
const halfLifeMs = 6 * 3_600_000;

export function getSuspectChanges(
  store: Pick<ItemStore, 'get'>,
  tools: ChangeTools,
): UseCase<typeof routes.getSuspectChanges> {
  return async ({ params: { id } }) => {
    const { document, created_at } = await findRecord<IncidentDocument>(store, id);
    if (document.ci_id === null) return { status: 200, body: { data: [], truncated: false } };
    const { related, truncated } = await findRelated(document.ci_id, suspectStates, tools);
    const data = related
      .flatMap((each) => toSuspect(each, Date.parse(created_at)))
      .sort((a, b) => b.score - a.score || (a.change.id < b.change.id ? -1 : 1))
      .slice(0, maxSuspects);
    return { status: 200, body: { data, truncated } };
  };
}

/** Not suspect: a change that began after the incident, or ended long before it. */
export function toSuspect({ change, ciId, distance }: Related, incidentMs: number): SuspectChange[] {
  const { short_description, state, planned_start, planned_end } = change.document;
  const isRunning = state === 'implementing';
  // The last update of a completed change is usually its completion.
  const changedMs = Date.parse(isRunning ? (planned_start ?? change.updated_at) : change.updated_at);
  const startedMs = Date.parse(planned_start ?? change.created_at);
  const beforeMs = Math.max(0, incidentMs - changedMs);
  if (startedMs > incidentMs || beforeMs > windowMs) return [];
  const minutes = isRunning ? 0 : Math.floor(beforeMs / 60_000);
  const score = (isRunning ? 1 : 0.5 ** (beforeMs / halfLifeMs)) / (1 + distance);
  const where =
    distance === 0
      ? `${ciId}, the item of the incident`
      : `${ciId}, which the item of the incident depends on (${distance} ${distance === 1 ? 'step' : 'steps'} away)`;
  const when = isRunning ? 'It is in progress on' : 'It was completed on';
  const reason = `${when} ${where}${isRunning ? '' : `, ${formatMinutes(minutes)} before`}.`;
  const facts = { id: change.id, short_description, state, planned_start, planned_end, updated_at: change.updated_at };
  return [
    { change: facts, ci_id: ciId, distance, minutes_before: minutes, score: Math.round(score * 1_000) / 1_000, reason },
  ];
}

function formatMinutes(minutes: number): string {
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  if (minutes < 2 * 24 * 60) return `${Math.round(minutes / 60)} hours`;
  return `${Math.round(minutes / (24 * 60))} days`;
}
