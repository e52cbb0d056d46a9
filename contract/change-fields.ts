import * as z from 'zod';
import { ciReference, line } from './records.ts';

// What a change is made of, for the change itself and for its entry in the calendar.

export const changeStates = [
  'draft',
  'submitted',
  'approved',
  'rejected',
  'implementing',
  'completed',
  'cancelled',
] as const;

export type ChangeState = (typeof changeStates)[number];

export const changeTypes = ['standard', 'normal', 'emergency'] as const;

export const changeRisks = ['low', 'medium', 'high'] as const;

export const changeId = z
  .string()
  .regex(/^CHG[0-9A-HJKMNP-TV-Z]{7}$/)
  .meta({ description: 'The id of the change.', examples: ['CHG4M8K2TX'] });

/** What a manager consents to. Once that is given, these stay as they are (docs/decisions/0024-what-was-approved.md). */
export const approvedChangeFields = ['type', 'risk', 'planned_start', 'planned_end', 'ci_ids'] as const;

const mostItems = 50;

export const changeFields = {
  short_description: line(255, 'What is to be done, in one line.'),
  type: z.enum(changeTypes).meta({ description: 'Whether it is routine, planned, or cannot wait.' }),
  risk: z.enum(changeRisks).meta({ description: 'How likely it is to break something.' }),
  state: z.enum(changeStates).meta({ description: 'How far it has come.' }),
  ci_ids: z
    .array(ciReference)
    .max(mostItems)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name an item twice')
    .meta({ description: 'The configuration items that it touches. They need not be known yet.' }),
};

/** Any offset is understood; what is stored and shown is UTC. */
const plannedTime = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp, such as 2026-03-01T09:30:00Z' })
    // Lists keep times as milliseconds since then.
    .refine((given) => !(Date.parse(given) < Date.UTC(1970, 0, 2)), 'must not be before 1970')
    .overwrite((given) => (Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString()))
    .nullable()
    .meta({ description, examples: ['2026-03-07T20:00:00Z'] });

export const plannedWindow = {
  planned_start: plannedTime('When the work is planned to begin.'),
  planned_end: plannedTime('When it is planned to be over; after planned_start.'),
};
