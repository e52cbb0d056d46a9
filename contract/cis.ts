import * as z from 'zod';
import { idPatterns } from './ids.ts';
import { incidentId } from './incidents.ts';
import { filter, idList, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { defaultToNull, enumList, idParams, line, timestamp, withReadOnlyFields } from './records.ts';
import { priority } from './sla.ts';
import { incidentStates } from './states.ts';

// Separate file because other records refer to configuration items.
export const ciId = z
  .string()
  .regex(idPatterns.ci, 'must be CI followed by seven digits')
  .meta({ description: 'ID of the configuration item.', examples: ['CI0000042'] });

/** In sort order. */
export const ciStatuses = ['operational', 'degraded', 'down', 'retired'] as const;

export type CiStatus = (typeof ciStatuses)[number];

/** Read as: this item `depends_on` the related item. */
export const relationTypes = ['depends_on', 'runs_on', 'part_of', 'connected_to'] as const;

export type RelationType = (typeof relationTypes)[number];

export const relation = z
  .strictObject({
    type: z.enum(relationTypes).meta({ description: 'Type of the relation.' }),
    ci_id: ciId.meta({ description: 'ID of the related configuration item.' }),
  })
  .meta({ id: 'CiRelation', description: 'Relation to another configuration item.' });

export type Relation = z.infer<typeof relation>;

// Impact analysis of a configuration item. The traversal and the response are bounded and report truncation.

export const impactBounds = { depth: 20, shown: 500, openIncidents: 50 };

const whole = (minimum: number, maximum: number, fallback: number, description: string) =>
  z.coerce
    .number()
    .int()
    .min(minimum)
    .max(maximum)
    .default(fallback)
    .meta({ description, examples: [fallback] });

export const impactQuery = z.strictObject({
  depth: whole(1, impactBounds.depth, 10, 'Maximum number of dependency levels to follow.'),
  limit: whole(1, impactBounds.shown, 100, 'Maximum number of affected items to return, nearest first.'),
});

const known = {
  id: ciId,
  name: z.string(),
  class: z.string(),
  status: z.enum(ciStatuses),
  environment: z.string().nullable(),
};

const affected = z
  .strictObject({
    ...known,
    distance: z.int().min(1).meta({ description: 'Length of the shortest path from the requested item.' }),
    via: relation.meta({ description: 'Relation to the previous item on the path.' }),
  })
  .meta({ id: 'AffectedCi', description: 'Item that depends on the configuration item.' });

export type AffectedCi = z.infer<typeof affected>;

const openIncident = z
  .strictObject({
    id: incidentId,
    short_description: z.string(),
    priority,
    state: z.enum(incidentStates),
    assignment_group: z.string().nullable(),
    created_at: timestamp('Time of creation.'),
  })
  .meta({ id: 'OpenIncident', description: 'Open incident of the configuration item.' });

export const impact = z
  .strictObject({
    ci: z.strictObject(known),
    affected: z.array(affected).meta({ description: 'Dependent items, nearest first.' }),
    affected_total: z.int().min(0).meta({ description: 'Number of dependent items found within `depth`.' }),
    open_incidents: z.array(openIncident).meta({ description: 'Open incidents, newest first.' }),
    truncated: z
      .strictObject({
        affected: z.boolean().meta({ description: 'Whether more items exist beyond `limit` or `depth`.' }),
        open_incidents: z.boolean().meta({ description: 'Whether more open incidents exist.' }),
      })
      .meta({ description: 'Which parts of the response are incomplete.' }),
  })
  .meta({ id: 'CiImpact', description: 'Items and open incidents that depend on a configuration item.' });

export type Impact = z.infer<typeof impact>;

export const impactExample: Impact = {
  ci: { id: 'CI0000007', name: 'host-07', class: 'host', status: 'down', environment: 'production' },
  affected: [
    {
      id: 'CI0000042',
      name: 'web-01',
      class: 'server',
      status: 'operational',
      environment: 'production',
      distance: 1,
      via: { type: 'runs_on', ci_id: 'CI0000007' },
    },
  ],
  affected_total: 1,
  open_incidents: [
    {
      id: 'INC7Q2M4KX',
      short_description: 'Host 07 does not answer',
      priority: 'P2',
      state: 'in_progress',
      assignment_group: 'platform',
      created_at: '2026-03-01T09:30:00.000Z',
    },
  ],
  truncated: { affected: false, open_incidents: false },
};

export const ciParams = idParams(ciId);

const attributesBounds = { keys: 100, depth: 5, bytes: 16_000 };

/** Any JSON, so that discovery can store what it finds. Bounded because history stores it again. */
export const attributes = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((given) => Object.keys(given).length <= attributesBounds.keys, {
    error: `must have at most ${attributesBounds.keys} keys`,
  })
  .refine((given) => measureDepth(given) <= attributesBounds.depth, {
    error: `must not be nested deeper than ${attributesBounds.depth} levels`,
  })
  .refine((given) => new TextEncoder().encode(JSON.stringify(given)).length <= attributesBounds.bytes, {
    error: `must be at most ${attributesBounds.bytes} bytes of JSON`,
  })
  .meta({ description: 'Additional attributes. In an update, null removes a key.' });

const maxRelations = 100;

const relations = z
  .array(relation)
  .max(maxRelations)
  .refine((given) => new Set(given.map(({ type, ci_id }) => `${type} ${ci_id}`)).size === given.length, {
    error: 'must not contain duplicate relations',
  })
  .meta({ description: 'Relations to other items, which need not exist yet. An update replaces the whole list.' });

const optionalFields = {
  environment: line(100, 'Environment, such as production.').nullable(),
  owner: line(254, 'Person or team responsible.').nullable(),
  location: line(200, 'Location.').nullable(),
  ip_address: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address' })
    .nullable()
    .meta({ description: 'IP address.', examples: ['10.20.0.15'] }),
};

const requiredFields = {
  name: line(255, 'Name of the item.'),
  class: line(100, 'Class of the item, such as server, database or service.'),
  status: z.enum(ciStatuses).meta({ description: 'Operational status.' }),
  attributes,
  relations,
};

const computed = {
  discovered_at: timestamp('Time of first discovery; null if the item was created manually.').nullable(),
  deleted: z.boolean().meta({ description: 'Whether the item is deleted.' }),
  created_at: timestamp('Time of creation.'),
  updated_at: timestamp('Time of the last update.'),
};

export const ci = z
  .strictObject({ id: ciId, ...requiredFields, ...optionalFields, ...computed })
  .meta({ id: 'Ci', description: 'Configuration item.' });

export type Ci = z.infer<typeof ci>;

const setByService = { id: ciId, ...computed };

export const ciCreation = withReadOnlyFields(
  z
    .strictObject({
      name: requiredFields.name,
      class: requiredFields.class,
      status: requiredFields.status.default('operational'),
      attributes: attributes.default({}),
      relations: relations.default([]),
      ...defaultToNull(optionalFields),
    })
    .meta({ id: 'CiCreation', description: 'New configuration item.' }),
  setByService,
);

export type CiCreation = z.output<typeof ciCreation>;

/** A JSON merge patch (RFC 7396), including attributes. */
export const ciPatch = withReadOnlyFields(
  z
    .strictObject(z.object({ ...requiredFields, ...optionalFields }).partial().shape)
    .meta({ id: 'CiPatch', description: 'Fields to update. null clears an optional field.' }),
  setByService,
);

export type CiPatch = z.output<typeof ciPatch>;

/** Name and class identify the item; the other fields work as in an update. */
export const ciDiscovery = withReadOnlyFields(
  z
    .strictObject({ ...ciPatch.shape, name: requiredFields.name, class: requiredFields.class })
    .meta({ id: 'CiDiscovery', description: 'Discovered configuration item.' }),
  setByService,
);

export type CiDiscovery = z.output<typeof ciDiscovery>;

export const ciSorts = ['created_at', 'updated_at', 'status'] as const;

export const ciListQuery = listQuery({
  things: 'configuration items',
  filters: {
    id: idList(ciId, 'Filter by ID, comma-separated. Unknown IDs are ignored.', 'CI0000042'),
    name: filter('Filter by name.'),
    class: filter('Filter by class.'),
    status: enumList(ciStatuses, 'Filter by status, comma-separated.'),
    environment: filter('Filter by environment.'),
    owner: filter('Filter by owner.'),
    location: filter('Filter by location.'),
    ip_address: filter('Filter by IP address.'),
  },
  sorts: ciSorts,
  searched: 'name, class, environment, owner, location, ip_address',
  order: 'Sort order. `sort=status&order=asc` lists operational first, then degraded, down, retired.',
});

export const ciExample: Ci = {
  id: 'CI0000042',
  name: 'web-01',
  class: 'server',
  status: 'operational',
  attributes: { cpus: 8, os: 'Debian 13' },
  relations: [{ type: 'runs_on', ci_id: 'CI0000007' }],
  environment: 'production',
  owner: 'platform',
  location: 'Zurich, rack 12',
  ip_address: '10.20.0.15',
  discovered_at: '2026-03-01T02:00:00.000Z',
  deleted: false,
  created_at: '2026-03-01T02:00:00.000Z',
  updated_at: '2026-03-01T02:00:00.000Z',
};

const operations = recordOperations({
  capability: 'cmdb',
  path: '/cmdb/cis',
  thing: 'configuration item',
  things: 'configuration items',
  params: ciParams,
  record: ci,
  example: ciExample,
});

export const ciOperations = defineOperations({
  listCis: operations.list(ciListQuery),
  createCi: operations.create(ciCreation, {
    description:
      'Creates a configuration item. Names need not be unique; discovery updates the oldest item with a name and class.',
    bodyExample: {
      name: 'web-01',
      class: 'server',
      environment: 'production',
      relations: [{ type: 'runs_on', ci_id: 'CI0000007' }],
    },
    created: { discovered_at: null },
  }),
  getCi: operations.get,
  updateCi: {
    ...operations.update(ciPatch, {
      description: '`attributes` are merged by key; `relations` are replaced.',
      bodyExample: { status: 'degraded', attributes: { disk_free_percent: 4 } },
    }),
    errors: ['precondition_failed'],
  },
  deleteCi: operations.delete,
  listCiHistory: operations.history,
  getCiImpact: {
    capability: 'cmdb',
    rateLimit: 'general',
    method: 'GET',
    path: '/cmdb/cis/{id}/impact',
    summary: 'Get the impact of a configuration item',
    description:
      'Returns the items that depend on it, directly or indirectly, nearest first, and its open incidents. An item depends ' +
      'on the targets of its `depends_on` and `runs_on` relations and on the items that are `part_of` it; `connected_to` ' +
      'implies no dependency. Cycles are followed once.',
    access: 'viewer',
    params: ciParams,
    query: impactQuery,
    responses: { 200: { description: 'Impact of the configuration item.', body: impact, example: impactExample } },
  },
});

function measureDepth(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(measureDepth));
}
