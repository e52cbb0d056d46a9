import * as z from 'zod';
import { ciPatch } from './cis.ts';
import { incidentUpdate } from './incidents.ts';

// What may be asked for up to a hundred records at once. Each id and each record is checked when its turn comes, so that
// a bad one fails alone.

export const maximumBulkItems = 100;

/** The kinds of records that bulk work knows. */
export const bulkKinds = ['incident', 'ci'] as const;

export type BulkKind = (typeof bulkKinds)[number];

export const bulkOperations = ['update', 'create', 'discover'] as const;

/** Any of the requests below, as far as a job has to know it. */
export type BulkRequest =
  | { operation: 'update'; ids: readonly string[]; fields: Readonly<Record<string, unknown>> }
  | { operation: 'create' | 'discover'; records: readonly unknown[] };

const items = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).min(1).max(maximumBulkItems).meta({ description });

const update = <Fields extends z.ZodObject>(fields: Fields, things: string) =>
  z.strictObject({
    operation: z.literal('update'),
    ids: items(z.string().min(1).max(255), `The ${things} to change.`),
    fields: fields
      .refine((given) => Object.keys(given).length > 0, 'must name at least one field')
      .meta({ description: 'The new values, the same for all of them.' }),
  });

const records = <Name extends string>(operation: Name, description: string) =>
  z.strictObject({ operation: z.literal(operation), records: items(z.unknown(), description) });

const unknownOperation =
  (names: string) =>
  ({ code, input }: z.core.$ZodRawIssue): string | undefined =>
    code === 'invalid_union' && input ? `must be one of ${names}` : undefined;

export const bulkIncidentsBody = z.discriminatedUnion(
  'operation',
  [
    update(incidentUpdate, 'incidents').meta({
      id: 'BulkIncidentUpdate',
      description: 'Changes the same fields of several incidents.',
    }),
    records('create', 'The new incidents, each in the form of IncidentCreation.').meta({
      id: 'BulkIncidentCreation',
      description: 'Creates several incidents.',
    }),
  ],
  { error: unknownOperation('update, create') },
);

export const bulkCisBody = z.discriminatedUnion(
  'operation',
  [
    update(ciPatch, 'configuration items').meta({
      id: 'BulkCiUpdate',
      description: 'Changes the same fields of several configuration items.',
    }),
    records('create', 'The new configuration items, each in the form of CiCreation.').meta({
      id: 'BulkCiCreation',
      description: 'Creates several configuration items.',
    }),
    records('discover', 'What was found, each in the form of CiDiscovery.').meta({
      id: 'BulkCiDiscovery',
      description: 'Creates or updates configuration items by their name and class.',
    }),
  ],
  { error: unknownOperation('update, create, discover') },
);
