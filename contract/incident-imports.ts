import * as z from 'zod';
import { incidentFields, incidentId } from './incidents.ts';
import { acrossFields, defaultToNull, email, id, instant, line } from './records.ts';
import { type IncidentState, incidentStates } from './states.ts';
import { workNoteCreation } from './work-notes.ts';

// An incident of another system or of an export. Unlike a new one it has a past: dates, people, notes and history are kept.

const maxImportedNotes = 500;
const maxImportedChanges = 500;

const { optionalFields, requiredFields } = incidentFields;

const time = (description: string) => instant.nullable().default(null).meta({ description });

const note = z
  .strictObject({
    ...workNoteCreation.shape,
    id: id('note', 'ID of the note in an export of this service; chosen if absent.').optional(),
    author: email('Author of the note; the importer if absent.').optional(),
    created_at: instant.optional().meta({ description: 'Time of the note; the time of the import if absent.' }),
  })
  .meta({ description: 'Work note with its author and time.' });

const change = z
  .strictObject({
    at: instant.meta({ description: 'Time of the change.' }),
    actor: line(254, 'Person or program that made the change.'),
    changes: z
      .record(z.string().min(1).max(100), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .meta({ description: 'Changed fields with their values before and after.' }),
  })
  .meta({
    id: 'ImportedChange',
    description: 'Earlier change. Changes of `state` and `priority` also set the SLA clock.',
  });

/** States whose incidents have a time of resolution. */
const resolvedStates: readonly IncidentState[] = ['resolved', 'closed'];

type Dated = z.output<typeof incidentImportFields>;

const incidentImportFields = z.strictObject({
  id: incidentId.optional().meta({
    description: 'ID to keep, from an export of this service; chosen if absent. Must be free or this incident.',
  }),
  external_id: line(255, 'ID in the other system. A second import of the same ID changes nothing.')
    .nullable()
    .default(null),
  short_description: requiredFields.short_description,
  priority: requiredFields.priority.default('P3'),
  state: z.enum(incidentStates).default('new').meta({ description: 'State.' }),
  ...defaultToNull(optionalFields),
  opened_by: email('Creator; the importer if absent.').optional(),
  created_at: instant.optional().meta({ description: 'Time of creation; the time of the import if absent.' }),
  updated_at: instant
    .optional()
    .meta({ description: 'Time of the last update; the latest of the other times if absent.' }),
  acknowledged_at: time('Time of acknowledgement.'),
  acknowledged_by: email('Person who acknowledged the incident.').nullable().default(null),
  resolved_at: time('Time of resolution. Required in the states `resolved` and `closed`, not allowed in others.'),
  closed_at: time('Time of closure. Required in the state `closed`.'),
  reopen_count: z.int().min(0).max(10_000).default(0).meta({ description: 'Number of times it was reopened.' }),
  notes: z.array(note).max(maxImportedNotes).default([]).meta({ description: 'Work notes, oldest first.' }),
  history: z.array(change).max(maxImportedChanges).default([]).meta({ description: 'Earlier changes, oldest first.' }),
});

const rule = (of: (keyof Dated & string)[], at: keyof Dated & string, error: string) =>
  acrossFields<Dated>({ of, at, error });

export const incidentImport = incidentImportFields
  .refine(({ id, external_id }) => id !== undefined || external_id !== null, rule(['id'], 'external_id', 'is required'))
  .refine(
    ({ state, resolved_at }) => !resolvedStates.includes(state) || resolved_at !== null,
    rule(['state', 'resolved_at'], 'resolved_at', 'is required in this state'),
  )
  .refine(
    ({ state, resolved_at }) => resolvedStates.includes(state) || resolved_at === null,
    rule(['state', 'resolved_at'], 'resolved_at', 'is not allowed in this state'),
  )
  .refine(
    ({ state, closed_at }) => state !== 'closed' || closed_at !== null,
    rule(['state', 'closed_at'], 'closed_at', 'is required in this state'),
  )
  .refine(
    ({ state, closed_at, reopen_count }) =>
      state === 'closed' || state === 'cancelled' || closed_at === null || reopen_count > 0,
    rule(['state', 'closed_at', 'reopen_count'], 'closed_at', 'is not allowed in this state'),
  )
  .refine(
    ({ state, resolved_at, closed_at }) => state !== 'closed' || !resolved_at || !closed_at || resolved_at <= closed_at,
    rule(['state', 'resolved_at', 'closed_at'], 'closed_at', 'must not be before resolved_at'),
  )
  .refine(
    ({ acknowledged_at, acknowledged_by }) => (acknowledged_at === null) === (acknowledged_by === null),
    rule(['acknowledged_at', 'acknowledged_by'], 'acknowledged_by', 'must be given with acknowledged_at'),
  )
  .refine(
    ({ history }) => history.every(({ at }, index) => index === 0 || at >= (history[index - 1]?.at ?? '')),
    rule(['history'], 'history', 'must be in the order of time'),
  )
  .meta({ id: 'IncidentImport', description: 'Incident with its dates, notes and history.', unusedIO: 'input' });

export type IncidentImport = z.output<typeof incidentImport>;
