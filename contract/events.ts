import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { limit, timestamp } from './records.ts';

// What happens in the service, as others are told about it: the types of events, the payload that webhooks deliver, and
// the feed by which a receiver proves that it missed nothing.

export const eventTypes = [
  'incident.created',
  'incident.updated',
  'incident.resolved',
  'incident.priority_changed',
  'change.submitted',
  'change.approved',
  'change.rejected',
  'request.submitted',
  'request.approved',
  'sla.breach_warning',
  'sla.breached',
  'ci.discovered',
] as const;

export type EventType = (typeof eventTypes)[number];

export const eventType = z.enum(eventTypes).meta({ id: 'EventType', description: 'What happened.' });

export const eventId = z
  .string()
  .regex(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({
    description: 'The id of the event, the same in every delivery of it (header `webhook-id`).',
    examples: ['evt_2Q8W4ZK1M7XB5T9N3RVC6JHF0D'],
  });

const change = z.strictObject({ from: z.unknown(), to: z.unknown() });

/** Resources differ in their title fields, so further members are allowed. */
const eventData = z
  .looseObject({
    id: z.string().meta({ description: 'The record that it is about.' }),
    url: z.string().meta({ format: 'uri', description: 'Where the record is.' }),
    changes: z.record(z.string(), change).optional().meta({ description: 'On updates: each field that changed.' }),
    withheld: z.literal('record_deleted').optional().meta({
      description: 'In the feed, instead of all fields but `id` and `url`: the record was deleted.',
    }),
  })
  .meta({
    id: 'EventData',
    description: 'Of an incident: `id`, `short_description`, `priority`, `state`, `url`, and on updates `changes`.',
  });

const payloadFields = {
  event: eventType,
  timestamp: timestamp('When the change was made that the event tells of.'),
  service_instance: z.string().meta({ description: 'The name of this instance of the service.' }),
  data: eventData,
};

export const eventPayload = z
  .strictObject(payloadFields)
  .meta({ id: 'EventPayload', description: 'The body of every delivery of the event.' });

export type EventPayload = z.infer<typeof eventPayload>;

const feedEntry = z
  .strictObject({
    sequence: z.int().min(1).meta({ description: 'Its number in the feed. There are no gaps.' }),
    id: eventId,
    version: z.int().min(1).meta({ description: 'The version of the record that the change made.' }),
    ...payloadFields,
  })
  .meta({ id: 'Event', description: 'An event in the feed: its payload, and its place.' });

export type FeedEntry = z.infer<typeof feedEntry>;

const sequence = (description: string) => z.int().min(0).meta({ description });

export const payloadExample: EventPayload = {
  event: 'incident.resolved',
  timestamp: '2026-03-01T10:12:45.318Z',
  service_instance: 'prod',
  data: {
    id: 'INC7Q2M4KX',
    short_description: 'Mail is not delivered to external addresses',
    priority: 'P2',
    state: 'resolved',
    url: 'https://incidents.example.com/prod/api/v1/incidents/INC7Q2M4KX',
    changes: { state: { from: 'in_progress', to: 'resolved' } },
  },
};

export const eventOperations = defineOperations({
  listEvents: {
    capability: 'events',
    method: 'GET',
    path: '/events',
    summary: 'List events after a sequence number',
    description:
      'The events of the last 30 days, oldest first. Events of one record are in the order of its changes. To follow ' +
      'the feed, ask again with `after` set to `next_after`; when the first event of an answer is not the one after ' +
      '`after`, those between have expired. Once a record is deleted, callers below `itsm_manager` still see its events, ' +
      'but their `data` is `{id, url, withheld: "record_deleted"}`.',
    access: 'viewer',
    rateLimit: 'general',
    query: z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .max(Number.MAX_SAFE_INTEGER)
        .default(0)
        .meta({ description: 'Only events with a higher sequence number.', examples: [1041] }),
      limit,
    }),
    responses: {
      200: {
        description: 'Events.',
        body: z
          .strictObject({
            data: z.array(feedEntry),
            next_after: sequence(
              'What to ask for next: the last sequence number shown, or `after` where there is none.',
            ),
            latest: sequence('The highest sequence number there is. Equal to `next_after` at the end of the feed.'),
          })
          .meta({ id: 'EventPage', description: 'A part of the feed.' }),
        example: {
          data: [{ sequence: 1042, id: 'evt_2Q8W4ZK1M7XB5T9N3RVC6JHF0D', version: 3, ...payloadExample }],
          next_after: 1042,
          latest: 1042,
        },
      },
    },
  },
});
