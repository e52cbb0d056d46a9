import * as z from 'zod';
import { ciId, impact, impactExample, impactQuery, relation } from './ci-relations.ts';
import { filter, idList, listQuery, missing, not } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import {
  defaultToNull,
  enumList,
  flag,
  idParams,
  lifecycleFields,
  line,
  patchFields,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { ciStatuses } from './states.ts';

export const ciParams = idParams(ciId);

const attributesBounds = { keys: 100, depth: 5, bytes: 16_000 };

/** Any JSON, so that discovery can store what it finds. Bounded because history stores it again. */
export const attributes = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((value) => Object.keys(value).length <= attributesBounds.keys, {
    error: `must have at most ${attributesBounds.keys} keys`,
  })
  .refine((value) => measureDepth(value) <= attributesBounds.depth, {
    error: `must not be nested deeper than ${attributesBounds.depth} levels`,
  })
  .refine((value) => new TextEncoder().encode(JSON.stringify(value)).length <= attributesBounds.bytes, {
    error: `must be at most ${attributesBounds.bytes} bytes of JSON`,
  })
  .meta({ description: 'Additional attributes. In an update, null removes a key.' });

const maxRelations = 100;

const relations = z
  .array(relation)
  .max(maxRelations)
  .refine((value) => new Set(value.map(({ type, ci_id }) => `${type} ${ci_id}`)).size === value.length, {
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
  ...lifecycleFields('item'),
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
    .strictObject(patchFields({ ...requiredFields, ...optionalFields }))
    .meta({ id: 'CiPatch', description: 'Fields to update. null or an empty text clears an optional field.' }),
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
    depends_on: idList(
      ciId,
      'Return only items that directly depend on one of these items, comma-separated.',
      'CI0000042',
    ),
    needed_by: idList(
      ciId,
      'Return only items on which one of these items directly depends, comma-separated.',
      'CI0000042',
    ),
    transitive: flag('With `depends_on` or `needed_by`: also follow indirect dependencies.'),
    missing: missing(['class', 'environment', 'owner', 'location', 'ip_address']),
    not: not(['name', 'class', 'environment', 'owner', 'location']),
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
