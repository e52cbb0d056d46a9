import * as z from 'zod';
import { problemId } from './problem-ids.ts';
import { isExplained, knownErrorRule, problemCreation } from './problems.ts';
import { pastFields, pastRule, withPastRules } from './record-imports.ts';
import { problemStates } from './states.ts';

/** A problem of another system or of an export. */
export const problemImport = withPastRules(
  z.strictObject({
    ...pastFields(problemId, 'problem'),
    ...problemCreation.shape,
    state: z.enum(problemStates).default('new').meta({ description: 'State.' }),
  }),
)
  .refine(isExplained, knownErrorRule)
  .refine(
    ({ state, closed_at }) => state === 'closed' || closed_at === null,
    pastRule(['state', 'closed_at'], 'closed_at', 'is not allowed in this state'),
  )
  .meta({ id: 'ProblemImport', description: 'Problem with its dates, notes and history.', unusedIO: 'input' });

export type ProblemImport = z.output<typeof problemImport>;
