import * as z from 'zod';
import { ciId } from './ci-id.ts';
import { impact, impactExample, impactQuery } from './ci-impact.ts';
import { ciStatuses, relation } from './ci-parts.ts';
import { filter, listOfIds, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { idParams, line, listOf, timestamp, withReadOnlyFields } from './records.ts';

// Configuration items: what the organisation runs, and how one thing rests on another.

export const ciParams = idParams(ciId);

const attributesBounds = { keys: 100, depth: 5, bytes: 16_000 };

/** Anything that JSON can say, so that discovery may tell what it finds; bounded, because it is stored twice. */
export const attributes = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((given) => Object.keys(given).length <= attributesBounds.keys, {
    error: `must have at most ${attributesBounds.keys} names`,
  })
  .refine((given) => depthOf(given) <= attributesBounds.depth, {
    error: `must not be nested deeper than ${attributesBounds.depth} levels`,
  })
  .refine((given) => new TextEncoder().encode(JSON.stringify(given)).length <= attributesBounds.bytes, {
    error: `must have at most ${attributesBounds.bytes} bytes as JSON`,
  })
  .meta({ description: 'What else is known of it. In an update, null removes a name.' });

const mostRelations = 100;

const relations = z
  .array(relation)
  .max(mostRelations)
  .refine((given) => new Set(given.map(({ type, ci_id }) => `${type} ${ci_id}`)).size === given.length, {
    error: 'must not name the same relation twice',
  })
  .meta({ description: 'How it relates to others, which need not be known yet. An update replaces all of them.' });

const optionalFields = {
  environment: line(100, 'Where it belongs, such as production.').nullable(),
  owner: line(254, 'The person or the team that answers for it.').nullable(),
  location: line(200, 'Where it is.').nullable(),
  ip_address: z
    .union([z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address' })
    .nullable()
    .meta({ description: 'Its address.', examples: ['10.20.0.15'] }),
};

const requiredFields = {
  name: line(255, 'What it is called.'),
  class: line(100, 'What kind of thing it is, such as server, database or service.'),
  status: z.enum(ciStatuses).meta({ description: 'Whether it works.' }),
  attributes,
  relations,
};

const computed = {
  discovered_at: timestamp('When discovery found it; null for one that somebody entered.').nullable(),
  deleted: z.boolean().meta({ description: 'True for a deleted one, which is shown on request only.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When a field of it last changed.'),
};

export const ci = z
  .strictObject({ id: ciId, ...requiredFields, ...optionalFields, ...computed })
  .meta({ id: 'Ci', description: 'A configuration item: something the organisation runs.' });

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
      ...z.object(optionalFields).partial().shape,
    })
    .meta({ id: 'CiCreation', description: 'A new configuration item.' }),
  setByService,
);

export type CiCreation = z.output<typeof ciCreation>;

/** What an update may change, as a JSON merge patch (RFC 7396), attributes included. */
export const ciPatch = withReadOnlyFields(
  z
    .strictObject(z.object({ ...requiredFields, ...optionalFields }).partial().shape)
    .meta({ id: 'CiPatch', description: 'The fields to change; null clears an optional one.' }),
  setByService,
);

export type CiPatch = z.output<typeof ciPatch>;

/** What discovery tells: the name and the class say which one is meant, the rest is as in an update. */
export const ciDiscovery = withReadOnlyFields(
  z
    .strictObject({ ...ciPatch.shape, name: requiredFields.name, class: requiredFields.class })
    .meta({ id: 'CiDiscovery', description: 'A configuration item as discovery found it.' }),
  setByService,
);

export type CiDiscovery = z.output<typeof ciDiscovery>;

export const ciSorts = ['created_at', 'updated_at', 'status'] as const;

export const ciListQuery = listQuery({
  things: 'configuration items',
  filters: {
    id: listOfIds(ciId, 'Only those with these ids; several separated by commas. Ids of none are no error.'),
    name: filter('Only those with this name.'),
    class: filter('Only those of this class.'),
    status: listOf(ciStatuses, 'Only these statuses; several separated by commas.'),
    environment: filter('Only those of this environment.'),
    owner: filter('Only those of this owner.'),
    location: filter('Only those at this location.'),
    ip_address: filter('Only those with this address.'),
  },
  sorts: ciSorts,
  searched: 'name, class, environment, owner, location, ip_address',
  order: 'With `sort=status`, `asc` is operational first, then degraded, down, retired.',
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
    description: 'Two may have the same name and class; discovery then knows the older one.',
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
      description: '`attributes` are merged name by name, `relations` are replaced as a whole.',
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
    summary: 'Show what a configuration item carries',
    description:
      'Everything that depends on it, directly or through others, the nearest first, and the open incidents about it. ' +
      'Who `depends_on` or `runs_on` something depends on it; a whole depends on what is `part_of` it; `connected_to` ' +
      'carries nothing. Circles are walked once.',
    access: 'viewer',
    params: ciParams,
    query: impactQuery,
    responses: { 200: { description: 'What depends on it.', body: impact, example: impactExample } },
  },
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
