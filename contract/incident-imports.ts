import * as z from 'zod';
import { incidentFields, incidentId } from './incidents.ts';
import { pastFields, pastRule, pastTime, withPastRules } from './record-imports.ts';
import { defaultToNull, email } from './records.ts';
import { incidentStates } from './states.ts';

/** An incident of another system or of an export. */

const { optionalFields, requiredFields } = incidentFields;

type Dated = z.output<typeof incidentImportFields>;

const incidentImportFields = z.strictObject({
  ...pastFields(incidentId, 'incident'),
  short_description: requiredFields.short_description,
  priority: requiredFields.priority.default('P3'),
  state: z.enum(incidentStates).default('new').meta({ description: 'State.' }),
  ...defaultToNull(optionalFields),
  acknowledged_at: pastTime('Time of acknowledgement.'),
  acknowledged_by: email('Person who acknowledged the incident.').nullable().default(null),
  reopen_count: z.int().min(0).max(10_000).default(0).meta({ description: 'Number of times it was reopened.' }),
});

export const incidentImport = withPastRules(incidentImportFields)
  .refine(
    ({ state, closed_at, reopen_count }) =>
      state === 'closed' || state === 'cancelled' || closed_at === null || reopen_count > 0,
    pastRule<Dated>(['state', 'closed_at', 'reopen_count'], 'closed_at', 'is not allowed in this state'),
  )
  .refine(
    ({ acknowledged_at, acknowledged_by }) => (acknowledged_at === null) === (acknowledged_by === null),
    pastRule<Dated>(['acknowledged_at', 'acknowledged_by'], 'acknowledged_by', 'must be given with acknowledged_at'),
  )
  .meta({ id: 'IncidentImport', description: 'Incident with its dates, notes and history.', unusedIO: 'input' });

export type IncidentImport = z.output<typeof incidentImport>;
