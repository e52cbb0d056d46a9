import type { EventType } from '../../contract/events.ts';
import { idFrom } from '../platform/ids.ts';
import type { EventRules } from './event-rules.ts';
import type { RecordChange, ToldOrigin } from './record-change.ts';

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
