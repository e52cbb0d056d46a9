import * as z from 'zod';
import { priorities } from './states.ts';

export const priority = z.enum(priorities).meta({ id: 'Priority', description: 'Priority; P1 is the most urgent.' });

const time = z.iso.datetime();
const milliseconds = z.int().nonnegative();

const interval = z
  .strictObject({
    clock: z.enum(['running', 'paused']).meta({ description: 'Whether the interval counts towards the target.' }),
    from: time.meta({ description: 'Start of the interval (UTC).' }),
    to: time.nullable().meta({ description: 'End of the interval (UTC); null if it is ongoing.' }),
    duration_ms: milliseconds.meta({ description: 'Duration of the interval so far.' }),
  })
  .meta({ id: 'SlaInterval', description: 'Interval in which the SLA clock was running or paused.' });

export const slaView = z
  .strictObject({
    incident_id: z.string(),
    priority: priority.meta({ description: 'Priority that defines the target.' }),
    simulated: z.boolean().meta({ description: 'Whether the target is simulated for another priority.' }),
    at: time.meta({ description: 'Time of the calculation (UTC).' }),
    clock: z.enum(['running', 'paused', 'ended']).meta({ description: 'Current state of the SLA clock.' }),
    target_minutes: z.int().positive().meta({ description: 'SLA target in minutes.' }),
    started_at: time.meta({ description: 'Creation time of the incident (UTC).' }),
    ended_at: time.nullable().meta({ description: 'Time of resolution or cancellation (UTC); null if open.' }),
    elapsed_ms: milliseconds.meta({ description: 'Total duration of all intervals.' }),
    running_ms: milliseconds.meta({ description: 'Total duration of the running intervals.' }),
    paused_ms: milliseconds.meta({ description: 'Total duration of the paused intervals.' }),
    remaining_ms: z.int().meta({ description: 'Time remaining until the breach; negative if breached.' }),
    used_percent: z.number().nonnegative().meta({ description: 'Used share of the target in percent.' }),
    breached: z.boolean().meta({ description: 'Whether the SLA is breached.' }),
    warning_at: time
      .nullable()
      .meta({ description: 'Time at which 75% of the target is used; null while the clock is not running.' }),
    breach_at: time
      .nullable()
      .meta({ description: 'Time at which the SLA is breached; null while the clock is not running.' }),
    warned_at: time.nullable().meta({ description: 'Time of the breach warning.' }),
    breached_at: time.nullable().meta({ description: 'Time the breach was reported.' }),
    intervals: z.array(interval).min(1).meta({ description: 'Intervals without gaps, oldest first.' }),
  })
  .meta({ id: 'Sla', description: 'SLA of an incident.' });

export type SlaView = z.input<typeof slaView>;

export const slaQuery = z.strictObject({
  simulate: z
    .enum(priorities.map((name) => `priority:${name}` as const))
    .optional()
    .meta({
      description: 'Calculates the SLA for another priority without changing the incident.',
      examples: ['priority:P1'],
    }),
});

export const slaExample: SlaView = {
  incident_id: 'INC7Q2M4KX',
  priority: 'P2',
  simulated: false,
  at: '2026-03-01T11:00:00.000Z',
  clock: 'running',
  target_minutes: 480,
  started_at: '2026-03-01T08:00:00.000Z',
  ended_at: null,
  elapsed_ms: 10_800_000,
  running_ms: 9_000_000,
  paused_ms: 1_800_000,
  remaining_ms: 19_800_000,
  used_percent: 31.25,
  breached: false,
  warning_at: '2026-03-01T14:30:00.000Z',
  breach_at: '2026-03-01T16:30:00.000Z',
  warned_at: null,
  breached_at: null,
  intervals: [
    { clock: 'running', from: '2026-03-01T08:00:00.000Z', to: '2026-03-01T09:00:00.000Z', duration_ms: 3_600_000 },
    { clock: 'paused', from: '2026-03-01T09:00:00.000Z', to: '2026-03-01T09:30:00.000Z', duration_ms: 1_800_000 },
    { clock: 'running', from: '2026-03-01T09:30:00.000Z', to: null, duration_ms: 5_400_000 },
  ],
};
