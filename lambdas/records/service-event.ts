import type { EventType } from '../../contract/events.ts';
import type { ChangeOrigin } from './record-change.ts';

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
