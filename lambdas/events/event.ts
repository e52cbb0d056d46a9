import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { EventType } from '../../contract/events.ts';
import { idFrom } from '../platform/ids.ts';
import type { Origin } from '../records/record.ts';
import { recordSortKey } from '../records/record-item.ts';

/** Something that others are told of. Everything in it follows from the change, so telling it twice tells the same. */
export interface ServiceEvent {
  id: string;
  type: EventType;
  recordType: string;
  recordId: string;
  version: number;
  at: string;
  origin: ToldOrigin;
  /** The bytes of every delivery, as text. */
  payload: string;
}

/** What a change of a record means to others. */
export interface NamedEvent {
  type: EventType;
  /** What the payload says of the record, beside its id and its address. */
  data: Readonly<Record<string, unknown>>;
}

/** How one kind of record speaks of itself. */
export interface EventRule {
  /** Where records of the kind are, below the root of the interface. */
  collection: string;
  /** In the order in which they are told. */
  eventsOf(change: RecordChange): NamedEvent[];
}

/** By the kind of record. A kind that is not here is not spoken of. */
export type EventRules = Readonly<Record<string, EventRule>>;

export interface Speaker {
  rules: EventRules;
  serviceInstance: string;
  /** The root of the interface, without a trailing slash. */
  apiUrl: string;
}

/** The events of a change, in the order in which they are told. */
export function eventsOf(change: RecordChange, { rules, serviceInstance, apiUrl }: Speaker): ServiceEvent[] {
  const rule = rules[change.type];
  if (!rule) return [];
  const { type: recordType, id: recordId, version, at, origin } = change;
  return rule.eventsOf(change).map(({ type, data: { changes, ...told } }) => {
    const url = `${apiUrl}/${rule.collection}/${recordId}`;
    const data = { id: recordId, ...told, url, ...(changes === undefined ? {} : { changes }) };
    const payload = JSON.stringify({ event: type, timestamp: at, service_instance: serviceInstance, data });
    return { id: eventIdOf(recordId, version, type), type, recordType, recordId, version, at, origin, payload };
  });
}

/** What filters look at: the payload, with its data also under the name of the kind of record. */
export function filterView({ recordType, payload }: Pick<ServiceEvent, 'recordType' | 'payload'>): unknown {
  const parsed = JSON.parse(payload);
  return { ...parsed, [recordType]: parsed.data, changes: parsed.data.changes };
}

function eventIdOf(recordId: string, version: number, type: EventType): string {
  return idFrom('event', `${recordId} ${version} ${type}`);
}

/** A new version of a record, as the stream of the table tells of it. */
export interface RecordChange {
  /** The kind of record. */
  type: string;
  id: string;
  version: number;
  /** When the version was made. */
  at: string;
  origin: ToldOrigin;
  /** Null when the version is the first. */
  before: RecordImage | null;
  after: RecordImage;
}

/** Where a change came from, as far as those have to know who might have made it themselves. */
export interface ToldOrigin extends Origin {
  client?: string;
}

export interface RecordImage {
  document: unknown;
  deleted: boolean;
}

/**
 * The change that an entry of the stream tells of, if it is one: notes, history and stored answers are in the same
 * stream, and counting a note touches a record without making a version.
 */
export function recordChange({ dynamodb }: DynamoDBRecord): RecordChange | undefined {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  if (Keys?.sk?.S !== recordSortKey || NewImage?.version?.N === undefined) return undefined;
  if (NewImage.document?.S === undefined || NewImage.version.N === OldImage?.version?.N) return undefined;
  return {
    type: NewImage.type!.S!,
    id: Keys.pk!.S!,
    version: Number(NewImage.version.N),
    at: NewImage.updated_at!.S!,
    origin: JSON.parse(NewImage.origin!.S!),
    before: OldImage?.document?.S === undefined ? null : imageOf(OldImage),
    after: imageOf(NewImage),
  };
}

function imageOf(item: Record<string, AttributeValue>): RecordImage {
  return { document: JSON.parse(item.document!.S!), deleted: item.deleted?.BOOL === true };
}
