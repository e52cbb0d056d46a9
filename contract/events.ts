import * as z from 'zod';
import { orders } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { acrossFields, enumList, id, limit, timestamp } from './records.ts';

// Event types, the payload of webhook deliveries, and the event feed with which receivers detect gaps.

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
  'incident.acknowledged',
  'incident.escalated',
  'problem.created',
  'problem.updated',
  'problem.resolved',
] as const;

export type EventType = (typeof eventTypes)[number];

export const eventType = z.enum(eventTypes).meta({ id: 'EventType', description: 'Type of the event.' });

export const eventId = id(
  'event',
  'ID of the event, identical in every delivery (header `webhook-id`).',
  'evt_2Q8W4ZK1M7XB5T9N3RVC6JHF0D',
);

const change = z.strictObject({ from: z.unknown(), to: z.unknown() });

/** Loose because the fields depend on the record type. */
const eventData = z
  .looseObject({
    id: z.string().meta({ description: 'ID of the record.' }),
    url: z.string().meta({ format: 'uri', description: 'URL of the record in the console, for people.' }),
    api_url: z
      .string()
      .optional()
      .meta({ format: 'uri', description: 'URL of the record in the API; absent in events of earlier releases.' }),
    changes: z.record(z.string(), change).optional().meta({ description: 'Changed fields, on updates.' }),
    withheld: z.literal('record_deleted').optional().meta({
      description:
        'Present in the feed if the record was deleted; all fields except `id` and the URLs are then omitted.',
    }),
  })
  .meta({
    id: 'EventData',
    description:
      'Record data. For incidents: `id`, `short_description`, `priority`, `state`, `url`, `api_url`, and `changes` on updates.',
  });

const feedEntry = z
  .strictObject({
    sequence: z.int().min(1).meta({ description: 'Sequence number in the feed, without gaps.' }),
    id: eventId,
    version: z.int().min(1).meta({ description: 'Version of the record after the change.' }),
    event: eventType,
    timestamp: timestamp('Time of the change.'),
    service_instance: z.string().meta({ description: 'Name of this service instance.' }),
    data: eventData,
  })
  .meta({ id: 'Event', description: 'Event in the feed.' });

export type FeedEntry = z.infer<typeof feedEntry>;

const sequence = (description: string) => z.int().min(0).meta({ description });

export const payloadExample: Omit<FeedEntry, 'sequence' | 'id' | 'version'> = {
  event: 'incident.resolved',
  timestamp: '2026-03-01T10:12:45.318Z',
  service_instance: 'prod',
  data: {
    id: 'INC7Q2M4KX',
    short_description: 'Mail is not delivered to external addresses',
    priority: 'P2',
    state: 'resolved',
    url: 'https://incidents.example.com/console/incidents/INC7Q2M4KX',
    api_url: 'https://incidents.example.com/prod/api/v1/incidents/INC7Q2M4KX',
    changes: { state: { from: 'in_progress', to: 'resolved' } },
  },
};

const position = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const eventOperations = defineOperations({
  listEvents: {
    capability: 'events',
    method: 'GET',
    path: '/events',
    summary: 'List events',
    description:
      'Lists the events of the last 30 days, oldest first. Events of one record are in the order of its changes. To follow ' +
      'the feed, repeat the request with `after` set to `next_after`. If the first event does not directly follow `after`, ' +
      'the events in between have expired. For deleted records, callers without the role `itsm_manager` see ' +
      '`{id, url, api_url, withheld: "record_deleted"}` as `data`. The events of one record (`record_id`) are found directly and ' +
      'can be listed newest first. A request that filters by type searches a limited part of the feed.',
    access: 'viewer',
    rateLimit: 'general',
    query: z
      .strictObject({
        after: position
          .default(0)
          .meta({ description: 'Return only events with a higher sequence number.', examples: [1041] }),
        before: position.optional().meta({
          description: 'With `order=desc`: return only events with a lower sequence number.',
          examples: [1041],
        }),
        type: enumList(eventTypes, 'Return only events of these types, comma-separated.'),
        record_id: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .meta({ description: 'Return only events of this record.', examples: ['INC7Q2M4KX'] }),
        order: z.enum(orders).default('asc').meta({
          description: 'With `record_id`: `desc` lists the newest events first. To continue, repeat with `before`.',
        }),
        limit,
      })
      .refine(
        ({ order, record_id }) => order === 'asc' || record_id !== undefined,
        acrossFields({ of: ['order', 'record_id'], at: 'order', error: 'needs record_id to be desc' }),
      )
      .refine(
        ({ order, after }) => order === 'asc' || after === 0,
        acrossFields({ of: ['after'], at: 'after', error: 'cannot be used with order=desc; use before' }),
      )
      .refine(
        ({ order, before }) => order === 'desc' || before === undefined,
        acrossFields({ of: ['before'], at: 'before', error: 'needs order=desc' }),
      ),
    responses: {
      200: {
        description: 'A page of events.',
        body: z
          .strictObject({
            data: z.array(feedEntry),
            next_after: sequence(
              'Value of `after` for the next request: the last sequence number that was searched. With a filter by type, a ' +
                'page can be empty before the end of the feed. With `order=desc`, where to start to follow the feed.',
            ),
            next_before: sequence(
              'With `order=desc`: value of `before` for the next page. Absent at the end.',
            ).optional(),
            latest: sequence('Highest sequence number in the feed. Equals `next_after` at the end of the feed.'),
          })
          .meta({ id: 'EventPage', description: 'A page of the event feed.' }),
        example: {
          data: [{ sequence: 1042, id: 'evt_2Q8W4ZK1M7XB5T9N3RVC6JHF0D', version: 3, ...payloadExample }],
          next_after: 1042,
          latest: 1042,
        },
      },
    },
  },
});
