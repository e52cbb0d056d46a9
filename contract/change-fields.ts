import * as z from 'zod';
import { ciReference, line } from './records.ts';

// Fields shared by changes and calendar entries.

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
  .meta({ description: 'ID of the change.', examples: ['CHG4M8K2TX'] });

/** Cannot be changed after approval (docs/decisions/0024-what-was-approved.md). */
export const approvedChangeFields = ['type', 'risk', 'planned_start', 'planned_end', 'ci_ids'] as const;

const mostItems = 50;

export const changeFields = {
  short_description: line(255, 'Summary of the change in one line.'),
  type: z
    .enum(changeTypes)
    .meta({ description: 'Type of the change: `standard` is routine, `normal` is planned, `emergency` is urgent.' }),
  risk: z.enum(changeRisks).meta({ description: 'Risk of the change.' }),
  state: z.enum(changeStates).meta({ description: 'State of the change.' }),
  ci_ids: z
    .array(ciReference)
    .max(mostItems)
    .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates')
    .meta({ description: 'Affected configuration items. The service does not check that they exist.' }),
};

/** Accepts any UTC offset; stores and returns UTC. */
const plannedTime = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 timestamp, such as 2026-03-01T09:30:00Z' })
    // List indexes store milliseconds since the epoch.
    .refine((given) => !(Date.parse(given) < Date.UTC(1970, 0, 2)), 'must not be before 1970')
    .overwrite((given) => (Number.isNaN(Date.parse(given)) ? given : new Date(given).toISOString()))
    .nullable()
    .meta({ description, examples: ['2026-03-07T20:00:00Z'] });

export const plannedWindow = {
  planned_start: plannedTime('Planned start of the work.'),
  planned_end: plannedTime('Planned end of the work. Must be after `planned_start`.'),
};
