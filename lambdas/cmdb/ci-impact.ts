import { type Impact, impactBounds } from '../../contract/ci-relations.ts';
import type { routes } from '../../contract/routes.ts';
import { openIncidentStates } from '../../contract/states.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import type { ReadRecords } from '../lists/record-store.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { findRecord } from '../records/find-record.ts';
import type { FindOpenIncidentIds } from '../records/index-store.ts';
import type { ItemStore } from '../records/item-store.ts';
import type { CiDocument } from './ci.ts';
import { type CiGraph, followRelations } from './ci-graph.ts';

export interface ImpactTools {
  store: Pick<ItemStore, 'get'>;
  graph: () => Promise<CiGraph>;
  openIncidentIds: FindOpenIncidentIds;
  read: ReadRecords;
}

/** The walk happens in memory, so the number of calls does not depend on the number of dependents. */
export function getCiImpact(tools: ImpactTools): UseCase<typeof routes.getCiImpact> {
  return async ({ params: { id }, query: { depth, limit } }) => {
    const [{ document }, graph, incidents] = await Promise.all([
      findRecord<CiDocument>(tools.store, id),
      tools.graph(),
      findOpenIncidents(id, tools),
    ]);
    const { cis, total, truncated } = followRelations(graph, 'dependents', [id], { depth, limit });
    const { name, class: kind, status, environment } = document;
    return {
      status: 200,
      body: {
        ci: { id, name, class: kind, status, environment },
        affected: cis,
        affected_total: total,
        open_incidents: incidents.shown,
        truncated: { affected: truncated, open_incidents: incidents.truncated },
      },
    };
  };
}

async function findOpenIncidents(
  ciId: string,
  { openIncidentIds, read }: ImpactTools,
): Promise<{ shown: Impact['open_incidents']; truncated: boolean }> {
  const most = impactBounds.openIncidents;
  const ids = await openIncidentIds(ciId, most + 1);
  const found = ids.length > 0 ? await read<IncidentDocument>(ids.slice(0, most)) : [];
  // The index is eventually consistent, so check every incident again.
  const open = found.filter(
    ({ record: { document } }) => document.ci_id === ciId && openIncidentStates.includes(document.state),
  );
  const shown = open.map(({ record: { id, created_at, document } }) => {
    const { short_description, priority, state, assignment_group } = document;
    return { id, short_description, priority, state, assignment_group, created_at };
  });
  return { shown, truncated: ids.length > most };
}
