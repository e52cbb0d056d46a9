import type { receivedStatuses } from '../../contract/inbound-events.ts';
import type { Processed } from './process-event.ts';

/** What a sender is told; a repeat is told what became of the event when it came first. */
export function receivedAnswer({ event, repeated }: Processed) {
  // A failed event is never an answer: it is thrown.
  const status = event.status as (typeof receivedStatuses)[number];
  return {
    status: 202 as const,
    ...(repeated && { headers: { 'Idempotent-Replayed': 'true' } }),
    body: { event_id: event.id, status, incident_id: event.incident_id },
  };
}
