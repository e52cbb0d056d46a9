import * as z from 'zod';
import { priorities, priority } from './priority.ts';

// What an incident's service-level clock has done so far, and what it is heading for.

const time = z.iso.datetime();
const milliseconds = z.int().nonnegative();

const interval = z
  .strictObject({
    clock: z.enum(['running', 'paused']).meta({ description: 'Whether the time counts towards the target.' }),
    from: time.meta({ description: 'When the interval began (UTC).' }),
    to: time.nullable().meta({ description: 'When it ended, where the next one begins; null for the one that lasts.' }),
    duration_ms: milliseconds.meta({ description: 'How long it lasted, or has lasted so far.' }),
  })
  .meta({ id: 'SlaInterval', description: 'A stretch of time in which the clock ran or stood still throughout.' });

export const slaView = z
  .strictObject({
    incident_id: z.string(),
    priority: priority.meta({ description: 'The priority whose target is shown.' }),
    simulated: z.boolean().meta({ description: 'True when another priority than the own one was asked for.' }),
    at: time.meta({ description: 'The moment for which this holds (UTC).' }),
    clock: z.enum(['running', 'paused', 'ended']).meta({ description: 'What the clock does now.' }),
    target_minutes: z.int().positive().meta({ description: 'How long the clock may run.' }),
    started_at: time.meta({ description: 'When the incident was created (UTC).' }),
    ended_at: time.nullable().meta({ description: 'When it was resolved or cancelled; null before.' }),
    elapsed_ms: milliseconds.meta({ description: 'From the start to now or to the end: the sum of all intervals.' }),
    running_ms: milliseconds.meta({ description: 'The sum of the running intervals.' }),
    paused_ms: milliseconds.meta({ description: 'The sum of the paused intervals.' }),
    remaining_ms: z.int().meta({ description: 'What is left of the target; negative when it was overrun.' }),
    used_percent: z.number().nonnegative().meta({ description: 'The share of the target that is used.' }),
    breached: z.boolean().meta({ description: 'Whether the target is used up.' }),
    warning_at: time.nullable().meta({ description: 'When 75 % is used up; null while the clock stands still.' }),
    breach_at: time.nullable().meta({ description: 'When all of it is used up; null while the clock stands still.' }),
    warned_at: time.nullable().meta({ description: 'When the warning for this target was given.' }),
    breached_at: time.nullable().meta({ description: 'When the breach of this target was reported.' }),
    intervals: z.array(interval).min(1).meta({ description: 'What happened, without gaps, oldest first.' }),
  })
  .meta({ id: 'Sla', description: 'The service-level clock of an incident.' });

export type SlaView = z.input<typeof slaView>;

export const slaQuery = z.strictObject({
  simulate: z
    .enum(priorities.map((name) => `priority:${name}` as const))
    .optional()
    .meta({ description: 'Shows the target of another priority and writes nothing.', examples: ['priority:P1'] }),
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
