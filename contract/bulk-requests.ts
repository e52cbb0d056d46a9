import * as z from 'zod';
import { ciPatch } from './cis.ts';
import { incidentUpdate } from './incidents.ts';

// Bulk requests for up to 100 records. The job validates each record separately, so an invalid one fails alone.

export const maximumBulkItems = 100;

export const bulkKinds = ['incident', 'ci'] as const;

export type BulkKind = (typeof bulkKinds)[number];

export const bulkOperations = ['update', 'create', 'discover'] as const;

/** A bulk request of any record type, as jobs see it. */
export type BulkRequest =
  | { operation: 'update'; ids: readonly string[]; fields: Readonly<Record<string, unknown>> }
  | { operation: 'create' | 'discover'; records: readonly unknown[] };

const items = <Item extends z.ZodType>(item: Item, description: string) =>
  z.array(item).min(1).max(maximumBulkItems).meta({ description });

const update = <Fields extends z.ZodObject>(fields: Fields, things: string) =>
  z.strictObject({
    operation: z.literal('update'),
    ids: items(z.string().min(1).max(255), `IDs of the ${things} to update.`),
    fields: fields
      .refine((given) => Object.keys(given).length > 0, 'must name at least one field')
      .meta({ description: 'New values, applied to every record.' }),
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
      description: 'Updates the same fields of several incidents.',
    }),
    records('create', 'New incidents, each an IncidentCreation object.').meta({
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
      description: 'Updates the same fields of several configuration items.',
    }),
    records('create', 'New configuration items, each a CiCreation object.').meta({
      id: 'BulkCiCreation',
      description: 'Creates several configuration items.',
    }),
    records('discover', 'Discovered configuration items, each a CiDiscovery object.').meta({
      id: 'BulkCiDiscovery',
      description: 'Creates or updates configuration items by name and class.',
    }),
  ],
  { error: unknownOperation('update, create, discover') },
);
