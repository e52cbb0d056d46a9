import type { EventType } from '../../contract/events.ts';
import type { IncidentDocument } from '../incidents/incident.ts';
import { deriveId } from '../platform/ids.ts';
import type { ProblemDocument } from '../problems/problem.ts';
import { diffFields } from '../records/change-record.ts';
import type { Changes } from '../records/record.ts';
import type { RecordChange } from '../records/record-change.ts';
import { type ServiceEvent, toLinks } from '../records/service-event.ts';
import { diffMarks } from '../sla/sla.ts';
import { diffTracked, type Tracked } from '../sla/track-sla.ts';

interface Stateful {
  state?: string;
}

/** Emits an event when a record enters certain states, including when it is created in one of them, and those of its SLA. */
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
      const data = describe(current as Record<string, unknown>);
      const entered = !type || after.deleted || old?.state === current.state ? [] : [{ type, data }];
      return [...entered, ...(old ? toSlaEvents(old as Tracked, current as Tracked, data) : [])];
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
const incidentEvents: EventRule = {
  collection: 'incidents',
  toEvents({ before, after }) {
    const document = after.document as IncidentDocument;
    const { short_description, priority, state } = document;
    const data = { short_description, priority, state };
    if (!before) return [{ type: 'incident.created', data }];
    const old = before.document as IncidentDocument;
    const { escalation, ...changed } = diffTracked(old, document);
    const fields = Object.fromEntries(Object.entries(changed).filter(([name]) => !reported.has(name)));
    const { deleted } = before;
    const deletion = after.deleted === deleted ? {} : { deleted: { from: deleted, to: after.deleted } };
    return [
      ...toChangeEvents({ ...fields, ...deletion }, data),
      ...toSlaEvents(before.document as Tracked, document, data),
      ...(escalation ? [{ type: 'incident.escalated' as const, data: { ...data, escalation: escalation.to } }] : []),
    ];
  },
};

const problemEvents: EventRule = {
  collection: 'problems',
  toEvents({ before, after }) {
    const { short_description, priority, state, known_error } = after.document as ProblemDocument;
    const data = { short_description, priority, state, known_error };
    if (!before) return [{ type: 'problem.created', data }];
    const deletion = after.deleted === before.deleted ? {} : { deleted: { from: before.deleted, to: after.deleted } };
    const changes: Changes = { ...diffFields(before.document as object, after.document as object), ...deletion };
    if (Object.keys(changes).length === 0) return [];
    const types = [
      'problem.updated',
      ...(changes.state?.to === 'resolved' ? ['problem.resolved' as const] : []),
    ] as const;
    return types.map((type) => ({ type, data: { ...data, changes } }));
  },
};

/** History fields that have events of their own, or that no receiver needs. */
const reported = new Set(['sla_warned_at', 'sla_breached_at', 'sla_acknowledge_breached_at', 'sla_revision']);

function toSlaEvents(before: Tracked, after: Tracked, facts: Record<string, unknown>): NamedEvent[] {
  const { sla_warned_at, sla_breached_at, sla_acknowledge_breached_at } = diffMarks(before.sla, after.sla);
  const data = { ...facts, target: 'resolve' };
  return [
    ...(sla_warned_at ? [{ type: 'sla.breach_warning' as const, data: { ...data, warned_at: sla_warned_at.to } }] : []),
    ...(sla_acknowledge_breached_at
      ? [
          {
            type: 'sla.breached' as const,
            key: 'sla.breached acknowledge',
            data: { ...data, target: 'acknowledge', breached_at: sla_acknowledge_breached_at.to },
          },
        ]
      : []),
    ...(sla_breached_at ? [{ type: 'sla.breached' as const, data: { ...data, breached_at: sla_breached_at.to } }] : []),
  ];
}

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
  problem: problemEvents,
  ci: createCreationRule(
    'ci.discovered',
    'cmdb/cis',
    ({ discovered_at }) => typeof discovered_at === 'string',
    ({ name, class: kind, status }) => ({ name, class: kind, state: status }),
  ),
};

interface NamedEvent {
  type: EventType;
  /** Identifies the event within its version; by default its type. */
  key?: string;
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
  return rule.toEvents(change).map(({ type, key = type, data: { changes, ...facts } }) => {
    const links = toLinks(`${apiUrl}/${rule.collection}/${recordId}`);
    const data = { id: recordId, ...facts, ...links, ...(changes === undefined ? {} : { changes }) };
    const payload = JSON.stringify({ event: type, timestamp: at, service_instance: serviceInstance, data });
    return { id: toEventId(recordId, version, key), type, recordType, recordId, version, at, origin, payload, record };
  });
}

function toEventId(recordId: string, version: number, key: string): string {
  return deriveId('event', `${recordId} ${version} ${key}`);
}
