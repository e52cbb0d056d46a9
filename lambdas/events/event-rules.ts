import type { EventType } from '../../contract/events.ts';
import { diffIncidents, type IncidentDocument } from '../incidents/incident.ts';
import type { Changes } from '../records/record.ts';
import type { EventRule, EventRules, NamedEvent } from './event.ts';

interface Stateful {
  state?: string;
}

/** Events of a record that enters certain states, also when it is created in one of them. */
export function onEntering(
  types: Readonly<Record<string, EventType>>,
  collection: string,
  describe: (document: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): EventRule {
  return {
    collection,
    toEvents({ before, after }) {
      const [old, current] = [before?.document, after.document] as [Stateful | undefined, Stateful];
      const type = types[current.state ?? ''];
      if (!type || after.deleted || old?.state === current.state) return [];
      return [{ type, data: describe(current as Record<string, unknown>) }];
    },
  };
}

/** An event of a record that is new and meets a condition. */
export function onCreation(
  type: EventType,
  collection: string,
  applies: (document: Readonly<Record<string, unknown>>) => boolean,
  describe: (document: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): EventRule {
  return {
    collection,
    toEvents({ before, after }) {
      const document = after.document as Record<string, unknown>;
      return before || !applies(document) ? [] : [{ type, data: describe(document) }];
    },
  };
}

/** SLA marks emit their own events instead of field changes. */
export const incidentEvents: EventRule = {
  collection: 'incidents',
  toEvents({ before, after }) {
    const document = after.document as IncidentDocument;
    const { short_description, priority, state } = document;
    const data = { short_description, priority, state };
    if (!before) return [{ type: 'incident.created', data }];
    const { sla_warned_at, sla_breached_at, ...fields } = diffIncidents(before.document as IncidentDocument, document);
    const deletion = after.deleted && !before.deleted ? { deleted: { from: false, to: true } } : {};
    return [
      ...changeEvents({ ...fields, ...deletion }, data),
      ...(sla_warned_at ? [{ type: 'sla.breach_warning' as const, data }] : []),
      ...(sla_breached_at ? [{ type: 'sla.breached' as const, data }] : []),
    ];
  },
};

function changeEvents(changes: Changes, facts: Record<string, unknown>): NamedEvent[] {
  if (Object.keys(changes).length === 0) return [];
  const data = { ...facts, changes };
  return [
    { type: 'incident.updated', data },
    ...(changes.state?.to === 'resolved' ? [{ type: 'incident.resolved' as const, data }] : []),
    ...(changes.priority ? [{ type: 'incident.priority_changed' as const, data }] : []),
  ];
}

type Document = Readonly<Record<string, unknown>>;

const titled = ({ short_description, state }: Document) => ({ short_description, state });

/** Every kind of record that emits events. */
export const eventRules: EventRules = {
  incident: incidentEvents,
  change: onEntering(
    { submitted: 'change.submitted', approved: 'change.approved', rejected: 'change.rejected' },
    'changes',
    titled,
  ),
  request: onEntering({ submitted: 'request.submitted', approved: 'request.approved' }, 'requests', titled),
  ci: onCreation(
    'ci.discovered',
    'cmdb/cis',
    ({ discovered_at }) => typeof discovered_at === 'string',
    ({ name, class: kind, status }) => ({ name, class: kind, state: status }),
  ),
};
