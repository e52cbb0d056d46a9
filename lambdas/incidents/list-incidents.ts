import type { IncidentListQuery } from '../../contract/incidents.ts';
import type { routes } from '../../contract/routes.ts';
import type { ListQuery } from '../lists/list-query.ts';
import { type ListSource, listRecords } from '../lists/list-records.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { type IncidentDocument, showIncident } from './incident.ts';

export function listIncidents(source: ListSource): UseCase<typeof routes.listIncidents> {
  return async ({ query }) => {
    const body = await listRecords<IncidentDocument, ReturnType<typeof showIncident>>(
      source,
      incidentQuery(query),
      query,
      showIncident,
    );
    return { status: 200, body };
  };
}

function incidentQuery(given: IncidentListQuery): ListQuery {
  const { state, priority, assignment_group, assigned_to, category, created_after, created_before, q } = given;
  const created = {
    ...(created_after !== undefined && { afterMs: Date.parse(created_after) }),
    ...(created_before !== undefined && { beforeMs: Date.parse(created_before) }),
  };
  return {
    enums: present({ state, priority }),
    strings: present({ assignment_group, assigned_to, category }),
    times: Object.keys(created).length > 0 ? { created_at: created } : {},
    text: q,
    sort: given.sort,
    order: given.order,
  };
}

function present<Value>(filters: Readonly<Record<string, Value | undefined>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(filters).filter((entry): entry is [string, Value] => entry[1] !== undefined),
  );
}
