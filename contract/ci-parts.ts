import * as z from 'zod';
import { ciId } from './ci-id.ts';

/** From best to worst, which is also how they sort; what is retired is out of the way. */
export const ciStatuses = ['operational', 'degraded', 'down', 'retired'] as const;

export type CiStatus = (typeof ciStatuses)[number];

/** What the item with the relation is to the one that the relation names. */
export const relationTypes = ['depends_on', 'runs_on', 'part_of', 'connected_to'] as const;

export type RelationType = (typeof relationTypes)[number];

export const relation = z
  .strictObject({
    type: z.enum(relationTypes).meta({ description: 'What this one is to the other.' }),
    ci_id: ciId.meta({ description: 'The other one.' }),
  })
  .meta({ id: 'CiRelation', description: 'How one configuration item relates to another.' });

export type Relation = z.infer<typeof relation>;
