import type { EventType } from '../../contract/events.ts';
import { diffIncidents, type IncidentDocument } from '../incidents/incident.ts';
import { deriveId } from '../platform/ids.ts';
import type { Changes } from '../records/record.ts';
import type { RecordChange } from '../records/record-change.ts';
import { type ServiceEvent, toLinks } from '../records/service-event.ts';

interface Stateful {
  state?: string;
}

/** Emits an event when a record enters certain states, including when it is created in one of them. */
function createStateRule(
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

/** Emits an event when a new record meets a condition. */
function createCreationRule(
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

/** SLA marks and escalations emit their own events instead of field changes. */
export const incidentEvents: EventRule = {
  collection: 'incidents',
  toEvents({ before, after }) {
    const document = after.document as IncidentDocument;
    const { short_description, priority, state } = document;
    const data = { short_description, priority, state };
    if (!before) return [{ type: 'incident.created', data }];
    const { sla_warned_at, sla_breached_at, escalation, ...fields } = diffIncidents(
      before.document as IncidentDocument,
      document,
    );
    const { deleted } = before;
    const deletion = after.deleted === deleted ? {} : { deleted: { from: deleted, to: after.deleted } };
    return [
      ...toChangeEvents({ ...fields, ...deletion }, data),
      ...(sla_warned_at ? [{ type: 'sla.breach_warning' as const, data }] : []),
      ...(sla_breached_at ? [{ type: 'sla.breached' as const, data }] : []),
      ...(escalation ? [{ type: 'incident.escalated' as const, data: { ...data, escalation: escalation.to } }] : []),
    ];
  },
};

function toChangeEvents(changes: Changes, facts: Record<string, unknown>): NamedEvent[] {
  if (Object.keys(changes).length === 0) return [];
  const data = { ...facts, changes };
  return [
    { type: 'incident.updated', data },
    ...(changes.state?.to === 'resolved' ? [{ type: 'incident.resolved' as const, data }] : []),
    ...(changes.acknowledged_at && changes.acknowledged_at.to !== null
      ? [{ type: 'incident.acknowledged' as const, data }]
      : []),
    ...(changes.priority ? [{ type: 'incident.priority_changed' as const, data }] : []),
  ];
}

type Document = Readonly<Record<string, unknown>>;

const describeTitle = ({ short_description, state }: Document) => ({ short_description, state });

/** All record types that emit events. */
export const eventRules: EventRules = {
  incident: incidentEvents,
  change: createStateRule(
    { submitted: 'change.submitted', approved: 'change.approved', rejected: 'change.rejected' },
    'changes',
    describeTitle,
  ),
  request: createStateRule({ submitted: 'request.submitted', approved: 'request.approved' }, 'requests', describeTitle),
  ci: createCreationRule(
    'ci.discovered',
    'cmdb/cis',
    ({ discovered_at }) => typeof discovered_at === 'string',
    ({ name, class: kind, status }) => ({ name, class: kind, state: status }),
  ),
};

interface NamedEvent {
  type: EventType;
  /** The fields of the record in the payload, besides its id and URL. */
  data: Readonly<Record<string, unknown>>;
}

/** The events that changes of one record type emit. */
interface EventRule {
  /** Path of the record type below the root of the API. */
  collection: string;
  /** In delivery order. */
  toEvents(change: RecordChange): NamedEvent[];
}

/** By record type. Other types emit no events. */
type EventRules = Readonly<Record<string, EventRule>>;

export interface EventFormatter {
  rules: EventRules;
  serviceInstance: string;
  /** The root of the API, without a trailing slash. */
  apiUrl: string;
}

/** The events of a change, in delivery order. */
export function toEvents(change: RecordChange, { rules, serviceInstance, apiUrl }: EventFormatter): ServiceEvent[] {
  const rule = rules[change.type];
  if (!rule) return [];
  const { type: recordType, id: recordId, version, at, origin, after } = change;
  const document = after.document as Readonly<Record<string, unknown>>;
  const record = { number: recordId, ...document, ...after.computed, deleted: after.deleted, updated_at: at };
  return rule.toEvents(change).map(({ type, data: { changes, ...facts } }) => {
    const links = toLinks(`${apiUrl}/${rule.collection}/${recordId}`);
    const data = { id: recordId, ...facts, ...links, ...(changes === undefined ? {} : { changes }) };
    const payload = JSON.stringify({ event: type, timestamp: at, service_instance: serviceInstance, data });
    return { id: toEventId(recordId, version, type), type, recordType, recordId, version, at, origin, payload, record };
  });
}

function toEventId(recordId: string, version: number, type: EventType): string {
  return deriveId('event', `${recordId} ${version} ${type}`);
}
