import * as z from 'zod';
import { incidentId } from './incidents.ts';
import { timestamp } from './records.ts';

const shared = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description} of more than half of the incidents; null if there is none.` });

const candidate = z
  .strictObject({
    short_description: z.string().meta({ description: 'Summary of the incident that the others resemble.' }),
    incident_ids: z.array(incidentId).meta({ description: 'The incidents; the first one is that of the summary.' }),
    count: z.int().min(2).meta({ description: 'Number of incidents.' }),
    ci_id: shared('Configuration item'),
    assignment_group: shared('Group'),
    category: shared('Category'),
    first_at: timestamp('Creation of the first incident.'),
    last_at: timestamp('Creation of the last incident.'),
    reason: z.string().meta({ description: 'Why the incidents may have one cause.' }),
  })
  .meta({ id: 'ProblemCandidate', description: 'Similar incidents that no problem explains.' });

export type ProblemCandidate = z.infer<typeof candidate>;

const count = (min: number, max: number, value: number, description: string) =>
  z.coerce
    .number()
    .int()
    .min(min)
    .max(max)
    .default(value)
    .meta({ description, examples: [value] });

export const candidateOperation = {
  capability: 'ai',
  rateLimit: 'general',
  method: 'GET',
  path: '/problems/candidates',
  summary: 'Find candidates for problems',
  description:
    'Groups similar incidents of the last days that have no `parent_problem_id` and no link to a problem, largest group ' +
    'first. Examines the newest 500 incidents and returns at most 20 groups. No language model is called.',
  access: 'viewer',
  query: z.strictObject({
    days: count(1, 90, 30, 'Age of the oldest incident in days.'),
    min_incidents: count(2, 50, 3, 'Minimum number of incidents in a group.'),
  }),
  responses: {
    200: {
      description: 'The candidates.',
      body: z
        .strictObject({
          candidates: z.array(candidate),
          examined: z.int().min(0).meta({ description: 'Number of incidents that were compared.' }),
          total: z.int().min(0).meta({ description: 'Number of incidents without a problem in that time.' }),
        })
        .meta({ id: 'ProblemCandidates', description: 'Candidates for problems.' }),
      example: {
        candidates: [
          {
            short_description: 'Mail is not delivered to external addresses',
            incident_ids: ['INC7Q2M4KX', 'INC4W9T2KD', 'INC8R3N6VB'],
            count: 3,
            ci_id: 'CI0000042',
            assignment_group: 'messaging',
            category: 'email',
            first_at: '2026-02-17T08:12:00.000Z',
            last_at: '2026-03-01T09:30:00.000Z',
            reason:
              '3 incidents within 13 days are at least 78% similar and belong to no problem; 3 of them about mail-relay-1.',
          },
        ],
        examined: 212,
        total: 212,
      },
    },
  },
} as const;
