import * as z from 'zod';
import { ciId } from './ci-id.ts';

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
