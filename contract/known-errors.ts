import * as z from 'zod';
import { incidentParams } from './incidents.ts';
import { problemId } from './problem-ids.ts';
import { problemStates } from './states.ts';

const text = (description: string) => z.string().nullable().meta({ description });

const knownErrors = z
  .strictObject({
    known_errors: z.array(
      z
        .strictObject({
          problem_id: problemId,
          short_description: z.string().meta({ description: 'Summary of the problem.' }),
          state: z.enum(problemStates).meta({ description: 'State of the problem.' }),
          root_cause: text('Root cause in Markdown.'),
          workaround: text('Workaround in Markdown.'),
          similarity_score: z.number().min(0).max(1).meta({ description: 'Similarity to the incident.' }),
          reason: z.string().meta({ description: 'Why the problem is listed.' }),
        })
        .meta({ id: 'KnownError', description: 'Known error that an incident resembles.' }),
    ),
  })
  .meta({ id: 'KnownErrors', description: 'Known errors, most similar first.' });

export type KnownErrors = z.infer<typeof knownErrors>;

export const knownErrorOperation = {
  capability: 'ai',
  rateLimit: 'general',
  method: 'GET',
  path: '/incidents/{id}/known-errors',
  summary: 'List the known errors that an incident resembles',
  description:
    'Lists up to three open known errors whose description, or one of whose incidents, resembles the incident. No language ' +
    'model is called.',
  access: 'viewer',
  params: incidentParams,
  responses: {
    200: {
      description: 'The known errors.',
      body: knownErrors,
      example: {
        known_errors: [
          {
            problem_id: 'PRB5H2K9QX',
            short_description: 'The mail relay rejects our certificate after its renewal',
            state: 'root_cause_known',
            root_cause: 'The renewal does not install the intermediate certificate.',
            workaround: 'Install the intermediate certificate by hand and restart the relay.',
            similarity_score: 0.81,
            reason: '81% similar to INC4W9T2KD, which belongs to this problem.',
          },
        ],
      },
    },
  },
} as const;
