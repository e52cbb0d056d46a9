import * as z from 'zod';
import { enumList } from './records.ts';
import { priorities } from './states.ts';

export const priority = z.enum(priorities).meta({ id: 'Priority', description: 'Priority; P1 is the most urgent.' });

const time = z.iso.datetime();
const milliseconds = z.int().nonnegative();

const interval = z
  .strictObject({
    clock: z.enum(['running', 'paused', 'closed']).meta({
      description: 'Only `running` counts towards the target. `closed`: outside the open hours of the calendar.',
    }),
    from: time.meta({ description: 'Start of the interval (UTC).' }),
    to: time.nullable().meta({ description: 'End of the interval (UTC); null if it is ongoing.' }),
    duration_ms: milliseconds.meta({ description: 'Duration of the interval so far.' }),
  })
  .meta({
    id: 'SlaInterval',
    description: 'Interval in which the SLA clock was running, paused or outside the open hours.',
  });

export const slaView = z
  .strictObject({
    incident_id: z.string(),
    priority: priority.meta({ description: 'Priority that defines the target.' }),
    policy: z
      .strictObject({
        id: z.string().nullable().meta({ description: 'ID of the policy; null for the default targets.' }),
        name: z.string(),
      })
      .meta({ id: 'SlaPolicySummary', description: 'Policy that defines the targets.' }),
    calendar: z
      .strictObject({ id: z.string(), name: z.string(), time_zone: z.string() })
      .meta({ id: 'SlaCalendarSummary', description: 'Calendar of a policy.' })
      .nullable()
      .meta({ description: 'Calendar whose open hours count; null for around the clock.' }),
    simulated: z.boolean().meta({ description: 'Whether the target is simulated for another priority.' }),
    at: time.meta({ description: 'Time of the calculation (UTC).' }),
    clock: z
      .enum(['running', 'paused', 'closed', 'ended'])
      .meta({ description: 'Current state of the SLA clock. `closed`: it runs again when the calendar opens.' }),
    warning_percent: z.number().meta({ description: 'Share of the target after which a warning is sent.' }),
    target_minutes: z.int().positive().meta({ description: 'SLA target in minutes.' }),
    started_at: time.meta({ description: 'Creation time of the incident (UTC).' }),
    ended_at: time.nullable().meta({ description: 'Time of resolution or cancellation (UTC); null if open.' }),
    elapsed_ms: milliseconds.meta({ description: 'Total duration of all intervals.' }),
    running_ms: milliseconds.meta({ description: 'Total duration of the running intervals.' }),
    paused_ms: milliseconds.meta({ description: 'Total duration of the paused intervals.' }),
    closed_ms: milliseconds.meta({ description: 'Total duration of the intervals outside the open hours.' }),
    remaining_ms: z.int().meta({ description: 'Time remaining until the breach; negative if breached.' }),
    used_percent: z.number().nonnegative().meta({ description: 'Used share of the target in percent.' }),
    breached: z.boolean().meta({ description: 'Whether the SLA is breached.' }),
    warning_at: time
      .nullable()
      .meta({ description: 'Time at which the warning is due; null while the clock is paused or ended.' }),
    breach_at: time
      .nullable()
      .meta({ description: 'Time at which the SLA is breached; null while the clock is paused or ended.' }),
    warned_at: time.nullable().meta({ description: 'Time at which the warning was due; null before.' }),
    breached_at: time.nullable().meta({ description: 'Time of the breach; null if the target is not used up.' }),
    acknowledge: z
      .strictObject({
        target_minutes: z.int().positive().meta({ description: 'Target in minutes.' }),
        due_at: time
          .nullable()
          .meta({ description: 'Time at which the target is used up; null while paused or ended.' }),
        acknowledged_at: time.nullable().meta({ description: 'Time of the first acknowledgement.' }),
        breached_at: time.nullable().meta({ description: 'Time of the breach; null if the target was met so far.' }),
      })
      .meta({ id: 'SlaAcknowledgement', description: 'Target for the first acknowledgement.' })
      .nullable()
      .meta({ description: 'Target for the first acknowledgement; null if the policy has none.' }),
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
  policy: { id: null, name: 'Default' },
  calendar: null,
  simulated: false,
  at: '2026-03-01T11:00:00.000Z',
  clock: 'running',
  warning_percent: 75,
  target_minutes: 480,
  started_at: '2026-03-01T08:00:00.000Z',
  ended_at: null,
  elapsed_ms: 10_800_000,
  running_ms: 9_000_000,
  paused_ms: 1_800_000,
  closed_ms: 0,
  remaining_ms: 19_800_000,
  used_percent: 31.25,
  breached: false,
  warning_at: '2026-03-01T14:30:00.000Z',
  breach_at: '2026-03-01T16:30:00.000Z',
  warned_at: null,
  breached_at: null,
  acknowledge: null,
  intervals: [
    { clock: 'running', from: '2026-03-01T08:00:00.000Z', to: '2026-03-01T09:00:00.000Z', duration_ms: 3_600_000 },
    { clock: 'paused', from: '2026-03-01T09:00:00.000Z', to: '2026-03-01T09:30:00.000Z', duration_ms: 1_800_000 },
    { clock: 'running', from: '2026-03-01T09:30:00.000Z', to: null, duration_ms: 5_400_000 },
  ],
};

/** The fields that the SLA adds to a record. */
export const slaFields = {
  sla_breach_at: time.nullable().meta({
    description:
      'Time at which the SLA is breached; null while the clock is paused, after its end and without a target.',
  }),
  sla_breached_at: time
    .nullable()
    .meta({ description: 'Time of the breach of the current target; null if it is not breached.' }),
};

/** `due_soon`: the breach is less than an hour away. `at_risk`: the warning is due. `on_track`: it is not. `kept`: no breach so far. */
export const slaStatuses = ['breached', 'due_soon', 'at_risk', 'on_track', 'kept'] as const;

export type SlaStatus = (typeof slaStatuses)[number];

export const slaFilter = enumList(
  slaStatuses,
  'Filter by SLA status, comma-separated. `breached`: the target is used up, also of resolved records. `due_soon`: the clock ' +
    'runs and breaches within an hour. `at_risk`: the clock runs and the warning share of the target is used, 75% by default. ' +
    '`on_track`: the clock runs and less is used. `kept`: not breached, also of resolved records.',
);
