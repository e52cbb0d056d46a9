import * as z from 'zod';
import { ciId } from './ci-id.ts';
import { ciStatuses, relation } from './ci-parts.ts';
import { incidentId, incidentStates } from './incidents.ts';
import { priority } from './priority.ts';
import { timestamp } from './records.ts';

// What rests on a configuration item. Both the walk and the answer are bounded, and say so when a bound was reached.

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
  depth: whole(1, impactBounds.depth, 10, 'How many steps to follow.'),
  limit: whole(1, impactBounds.shown, 100, 'How many to show, the nearest first.'),
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
    distance: z.int().min(1).meta({ description: 'Steps from the one that was asked for, by the shortest way.' }),
    via: relation.meta({ description: 'The relation by which it depends on the one before it, and that one.' }),
  })
  .meta({ id: 'AffectedCi', description: 'Something that depends on the configuration item.' });

export type AffectedCi = z.infer<typeof affected>;

const openIncident = z
  .strictObject({
    id: incidentId,
    short_description: z.string(),
    priority,
    state: z.enum(incidentStates),
    assignment_group: z.string().nullable(),
    created_at: timestamp('When it was created.'),
  })
  .meta({ id: 'OpenIncident', description: 'An incident about it that is neither solved nor cancelled.' });

export const impact = z
  .strictObject({
    ci: z.strictObject(known),
    affected: z.array(affected).meta({ description: 'What depends on it, the nearest first.' }),
    affected_total: z
      .int()
      .min(0)
      .meta({ description: 'How many depend on it within the depth, as far as was walked.' }),
    open_incidents: z.array(openIncident).meta({ description: 'The newest first.' }),
    truncated: z
      .strictObject({
        affected: z.boolean().meta({ description: 'There are more than shown, or deeper ones.' }),
        open_incidents: z.boolean().meta({ description: 'There are more than shown.' }),
      })
      .meta({ description: 'Whether there is more than this answer shows.' }),
  })
  .meta({ id: 'CiImpact', description: 'What a configuration item carries.' });

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
