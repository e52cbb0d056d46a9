import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { EventType } from '../../contract/events.ts';
import { diffIncidents, type IncidentDocument } from '../incidents/incident.ts';
import { deriveId } from '../platform/ids.ts';
import { readString } from '../records/item-store.ts';
import type { Changes, Origin } from '../records/record.ts';
import { readDocument, recordSortKey } from '../records/record-item.ts';

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

/** SLA marks emit their own events instead of field changes. */
export const incidentEvents: EventRule = {
  collection: 'incidents',
  toEvents({ before, after }) {
    const document = after.document as IncidentDocument;
    const { short_description, priority, state } = document;
    const data = { short_description, priority, state };
    if (!before) return [{ type: 'incident.created', data }];
    const { sla_warned_at, sla_breached_at, ...fields } = diffIncidents(before.document as IncidentDocument, document);
    const { deleted } = before;
    const deletion = after.deleted === deleted ? {} : { deleted: { from: deleted, to: after.deleted } };
    return [
      ...toChangeEvents({ ...fields, ...deletion }, data),
      ...(sla_warned_at ? [{ type: 'sla.breach_warning' as const, data }] : []),
      ...(sla_breached_at ? [{ type: 'sla.breached' as const, data }] : []),
    ];
  },
};

function toChangeEvents(changes: Changes, facts: Record<string, unknown>): NamedEvent[] {
  if (Object.keys(changes).length === 0) return [];
  const data = { ...facts, changes };
  return [
    { type: 'incident.updated', data },
    ...(changes.state?.to === 'resolved' ? [{ type: 'incident.resolved' as const, data }] : []),
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

/** Derived only from a record change, so emitting it twice yields the same event. */
export interface ServiceEvent {
  id: string;
  type: EventType;
  recordType: string;
  recordId: string;
  version: number;
  at: string;
  origin: ChangeOrigin;
  /** The bytes of every delivery, as text. */
  payload: string;
  /** The whole record after the change, for filters. */
  record: Readonly<Record<string, unknown>>;
}

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

/** The address that people open in a browser, and the one that programs read. */
export function toLinks(apiUrl: string): { url: string; api_url: string } {
  return { url: toConsoleUrl(apiUrl), api_url: apiUrl };
}

/** The console has the same paths as the API, on the same origin. Leaves an address of the console as it is. */
export function toConsoleUrl(apiUrl: string): string {
  const { origin, pathname } = new URL(apiUrl);
  return origin + pathname.replace(/^\/[^/]+\/api\/v1\//, '/console/').replace('/cmdb/cis/', '/cis/');
}

/** The input of filters: the payload, and the whole record under the name of its type. */
export function toFilterView({
  recordType,
  payload,
  record,
}: Pick<ServiceEvent, 'recordType' | 'payload' | 'record'>): unknown {
  const parsed = JSON.parse(payload);
  return { ...parsed, [recordType]: { ...record, ...parsed.data }, changes: parsed.data.changes };
}

function toEventId(recordId: string, version: number, type: EventType): string {
  return deriveId('event', `${recordId} ${version} ${type}`);
}

/** A new version of a record, from the table's stream. */
export interface RecordChange {
  /** The record type. */
  type: string;
  id: string;
  version: number;
  /** When the version was written. */
  at: string;
  /** The email address or the system component that wrote the version. */
  actor: string;
  origin: ChangeOrigin;
  /** Null for the first version. */
  before: RecordImage | null;
  after: RecordImage;
}

/** The origin of a change. Consumers use it to recognize their own changes. */
export interface ChangeOrigin extends Origin {
  client?: string;
}

export interface RecordImage {
  document: unknown;
  deleted: boolean;
  /** Fields of the record that are not part of its document. */
  computed?: Readonly<Record<string, unknown>> | undefined;
}

/** The changes of a stream entry, one per version. A transaction can write several versions of one record. */
export function toRecordChanges(entry: DynamoDBRecord): RecordChange[] {
  const change = toRecordChange(entry);
  if (!change) return [];
  const through = entry.dynamodb?.NewImage?.through?.S;
  if (through === undefined) return [change];
  const passed: { version: number; document: unknown }[] = JSON.parse(through);
  const { computed } = change.after;
  const steps = passed.map(({ version, document }) => ({ version, after: { document, deleted: false, computed } }));
  let { before } = change;
  return [...steps, change].map(({ version, after }) => {
    const step = { ...change, version, before, after };
    before = after;
    return step;
  });
}

/**
 * The change of a stream entry from its first to its last version. Undefined for notes, history and stored responses,
 * which share the stream, and for note counts, which do not create a version.
 */
export function toRecordChange({ dynamodb }: DynamoDBRecord): RecordChange | undefined {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  if (Keys?.sk?.S !== recordSortKey || NewImage?.version?.N === undefined) return undefined;
  if (NewImage.document?.S === undefined || NewImage.version.N === OldImage?.version?.N) return undefined;
  return {
    type: readString(NewImage, 'type'),
    id: readString(Keys, 'pk'),
    version: Number(NewImage.version.N),
    at: readString(NewImage, 'updated_at'),
    actor: NewImage.actor?.S ?? '',
    origin: JSON.parse(readString(NewImage, 'origin')),
    before: OldImage?.document?.S === undefined ? null : toImage(OldImage),
    after: toImage(NewImage),
  };
}

function toImage(item: Record<string, AttributeValue>): RecordImage {
  const computed = {
    work_notes_count: Number(item.notes_count?.N ?? 0),
    ai_suggested_resolution: item.suggested_resolution?.S ?? null,
    created_at: item.created_at?.S,
  };
  return { document: readDocument(item), deleted: item.deleted?.BOOL === true, computed };
}
