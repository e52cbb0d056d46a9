import * as z from 'zod';
import { changeId } from './change-calendar.ts';
import { defineOperations } from './operation.ts';
import { id, idParams, timestamp } from './records.ts';
import { changeStates } from './states.ts';

// Changes that may have caused an incident.

const suspectChange = z
  .strictObject({
    change: z.strictObject({
      id: changeId,
      short_description: z.string().meta({ description: 'Summary in one line.' }),
      state: z.enum(changeStates).meta({ description: 'State of the change.' }),
      planned_start: timestamp('Planned start.').nullable(),
      planned_end: timestamp('Planned end.').nullable(),
      updated_at: timestamp('Time of the last update.'),
    }),
    ci_id: z.string().meta({ description: 'Item of the change that the incident depends on.' }),
    distance: z
      .int()
      .min(0)
      .meta({ description: 'Steps in the dependency graph: 0 if the change is on the item of the incident.' }),
    minutes_before: z
      .int()
      .min(0)
      .meta({ description: 'Minutes from the change to the incident; 0 while the change is in progress.' }),
    score: z.number().min(0).max(1).meta({ description: 'Higher is more suspect.' }),
    reason: z.string().meta({ description: 'Why the change is suspect, as a sentence.' }),
  })
  .meta({ id: 'SuspectChange', description: 'Change that may have caused the incident.' });

export type SuspectChange = z.infer<typeof suspectChange>;

const suspectExample: SuspectChange = {
  change: {
    id: 'CHG4M8K2TX',
    short_description: 'Renew the certificate of the mail gateway',
    state: 'completed',
    planned_start: '2026-03-01T09:00:00.000Z',
    planned_end: '2026-03-01T09:20:00.000Z',
    updated_at: '2026-03-01T09:18:00.000Z',
  },
  ci_id: 'CI0000042',
  distance: 0,
  minutes_before: 12,
  score: 0.97,
  reason: 'It was completed on CI0000042, the item of the incident, 12 minutes before.',
};

export const maxSuspects = 20;

export const suspectChangeOperations = defineOperations({
  getSuspectChanges: {
    capability: 'oncall',
    rateLimit: 'general',
    method: 'GET',
    path: '/incidents/{id}/suspect-changes',
    summary: 'Get changes that may have caused an incident',
    description:
      'Lists changes of the last seven days before the incident on its configuration item or on items that it depends on, ' +
      `most suspect first, at most ${maxSuspects}. Changes score higher the closer they are in time and in the graph.`,
    access: 'viewer',
    params: idParams(id('incident', 'ID of the incident.', 'INC7Q2M4KX')),
    responses: {
      200: {
        description: 'The changes.',
        body: z
          .strictObject({
            data: z.array(suspectChange),
            truncated: z.boolean().meta({ description: 'Whether a limit ended the search.' }),
          })
          .meta({ id: 'SuspectChangeList', description: 'Changes that may have caused the incident.' }),
        example: { data: [suspectExample], truncated: false },
      },
    },
  },
});
