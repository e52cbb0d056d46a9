import * as z from 'zod';
import { idPatterns } from './ids.ts';
import { incidentId } from './incidents.ts';
import { timestamp } from './records.ts';
import { priority } from './sla.ts';
import { ciStatuses, incidentStates } from './states.ts';

// Ids and relations of configuration items, to which other records refer, and the impact analysis.

export const ciId = z
  .string()
  .regex(idPatterns.ci, 'must be CI followed by seven digits')
  .meta({ description: 'ID of the configuration item.', examples: ['CI0000042'] });

/** In sort order. */
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

const wholeNumber = (minimum: number, maximum: number, fallback: number, description: string) =>
  z.coerce
    .number()
    .int()
    .min(minimum)
    .max(maximum)
    .default(fallback)
    .meta({ description, examples: [fallback] });

export const impactQuery = z.strictObject({
  depth: wholeNumber(1, impactBounds.depth, 10, 'Maximum number of dependency levels to follow.'),
  limit: wholeNumber(1, impactBounds.shown, 100, 'Maximum number of affected items to return, nearest first.'),
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
      short_description: 'Host 07 does not respond',
      priority: 'P2',
      state: 'in_progress',
      assignment_group: 'platform',
      created_at: '2026-03-01T09:30:00.000Z',
    },
  ],
  truncated: { affected: false, open_incidents: false },
};
