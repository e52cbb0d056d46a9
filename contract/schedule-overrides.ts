import * as z from 'zod';
import { defineOperations } from './operation.ts';
import {
  acrossFields,
  defaultToNull,
  id,
  idParams,
  instant,
  line,
  timeBound,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { personEmail, scheduleId } from './schedules.ts';

// Overrides: somebody takes a period, whatever the layers say.

export const overrideId = id('override', 'ID of the override.', 'ovr_01HZX3V9K4M2Q8R7T6Y5W0ABCD');

export const maxOverrideDays = 92;

export const override = z
  .strictObject({
    id: overrideId,
    person: z.string().meta({ format: 'email', description: 'Person who is on call.' }),
    starts_at: timestamp('Start of the override.'),
    ends_at: timestamp('End of the override.'),
    reason: z.string().nullable().meta({ description: 'Reason for the override.' }),
    created_by: z.string().meta({ format: 'email', description: 'Caller who created the override.' }),
    created_at: timestamp('Time of creation. Of overlapping overrides, the newest one applies.'),
  })
  .meta({ id: 'Override', description: 'Period that a person takes over.' });

export type Override = z.infer<typeof override>;

const periodFields = {
  person: personEmail('Person who is on call.'),
  starts_at: instant.meta({ description: 'Start of the period.', examples: ['2026-03-07T20:00:00Z'] }),
  ends_at: instant.meta({
    description: `End of the period, at most ${maxOverrideDays} days after \`starts_at\`.`,
    examples: ['2026-03-07T20:00:00Z'],
  }),
};

type PeriodFields = { starts_at: string; ends_at: string };

const dayMs = 86_400_000;

const periodError = (error: string) =>
  acrossFields<PeriodFields>({ of: ['starts_at', 'ends_at'], at: 'ends_at', error });

const withPeriodChecks = <Period extends z.ZodType<PeriodFields>>(period: Period) => {
  const getLengthMs = ({ starts_at, ends_at }: PeriodFields) => Date.parse(ends_at) - Date.parse(starts_at);
  return period
    .refine((given) => getLengthMs(given) > 0, periodError('must be after starts_at'))
    .refine(
      (given) => getLengthMs(given) <= maxOverrideDays * dayMs,
      periodError(`must be at most ${maxOverrideDays} days after starts_at`),
    );
};

export const overrideCreation = withReadOnlyFields(
  withPeriodChecks(
    z.strictObject({ ...periodFields, ...defaultToNull({ reason: line(200, 'Reason for the override.').nullable() }) }),
  ).meta({ id: 'OverrideCreation', description: 'New override.' }),
  { id: true, created_by: true, created_at: true },
);

export type OverrideCreation = z.output<typeof overrideCreation>;

const swappedPeriod = withPeriodChecks(z.strictObject(periodFields)).meta({
  id: 'SwappedPeriod',
  description: 'Period in which the person is on call.',
});

export type SwappedPeriod = z.output<typeof swappedPeriod>;

const swap = z
  .strictObject({ first: swappedPeriod, second: swappedPeriod })
  .meta({ id: 'ShiftSwap', description: 'Two periods whose people take the place of each other.' });

const overrideExample: Override = {
  id: 'ovr_01HZX3V9K4M2Q8R7T6Y5W0ABCD',
  person: 'manager@example.com',
  starts_at: '2036-03-07T20:00:00.000Z',
  ends_at: '2036-03-08T08:00:00.000Z',
  reason: 'Day off of the agent.',
  created_by: 'manager@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
};

const base = { capability: 'oncall', rateLimit: 'general' } as const;

export const overrideOperations = defineOperations({
  getOverrides: {
    ...base,
    method: 'GET',
    path: '/schedules/{id}/overrides',
    summary: 'Get the overrides of a schedule',
    description: 'Returns the overrides that end after `from`, by start.',
    access: 'viewer',
    params: idParams(scheduleId),
    query: z.strictObject({ from: timeBound('Return only overrides that end after this time. The default is now.') }),
    responses: {
      200: {
        description: 'The overrides.',
        body: z
          .strictObject({ overrides: z.array(override) })
          .meta({ id: 'OverrideList', description: 'Overrides of a schedule.' }),
        example: { overrides: [overrideExample] },
      },
    },
  },
  createOverride: {
    ...base,
    method: 'POST',
    path: '/schedules/{id}/overrides',
    summary: 'Create an override',
    description:
      'Makes a person on call for a period, whatever the layers say. Of overlapping overrides, the newest one applies. ' +
      'Agents can take periods themselves; an override for somebody else requires the role `itsm_manager`. Repeating a ' +
      'request returns the override that exists. A schedule has at most 200 overrides that have not ended.',
    access: 'itsm_agent',
    params: idParams(scheduleId),
    body: overrideCreation,
    bodyExample: {
      person: overrideExample.person,
      starts_at: overrideExample.starts_at,
      ends_at: overrideExample.ends_at,
      reason: overrideExample.reason,
    },
    responses: { 201: { description: 'The override.', body: override, example: overrideExample } },
    errors: ['limit_reached'],
  },
  deleteOverride: {
    ...base,
    method: 'DELETE',
    path: '/schedules/{id}/overrides/{override_id}',
    summary: 'Delete an override',
    description:
      'Deletes an override. Agents can delete those that they created or that make them on call; others require the role ' +
      '`itsm_manager`. The history of the schedule shows the deleted override.',
    access: 'itsm_agent',
    params: z.strictObject({ id: scheduleId, override_id: overrideId }),
    responses: { 204: { description: 'The override was deleted.' } },
  },
  swapShifts: {
    ...base,
    method: 'POST',
    path: '/schedules/{id}/swaps',
    summary: 'Swap two shifts',
    description:
      'Creates two overrides at once: each person takes the period of the other. Each person must be on call during the ' +
      'whole own period. Agents can swap their own shifts; other swaps require the role `itsm_manager`. Repeating a ' +
      'request returns the overrides that exist.',
    access: 'itsm_agent',
    params: idParams(scheduleId),
    body: swap,
    bodyExample: {
      first: {
        person: 'agent@example.com',
        starts_at: '2036-03-04T09:00:00Z',
        ends_at: '2036-03-05T09:00:00Z',
      },
      second: {
        person: 'manager@example.com',
        starts_at: '2036-03-11T09:00:00Z',
        ends_at: '2036-03-12T09:00:00Z',
      },
    },
    responses: {
      201: {
        description: 'The two overrides.',
        body: z
          .strictObject({ overrides: z.array(override) })
          .meta({ id: 'SwapResult', description: 'Overrides of a swap.' }),
        example: { overrides: [overrideExample] },
      },
    },
    errors: ['limit_reached'],
  },
});
