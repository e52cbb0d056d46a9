import * as z from 'zod';
import { acrossFields, email, id, instant, line } from './records.ts';
import { workNoteCreation } from './work-notes.ts';

// What an imported record of any kind has in common. Unlike a new record it has a past: dates, people, notes and history are
// kept.

const maxImportedNotes = 500;
const maxImportedChanges = 500;

export const pastTime = (description: string) => instant.nullable().default(null).meta({ description });

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

export function pastFields<Id extends z.ZodString>(recordId: Id, thing: string) {
  return {
    id: recordId.optional().meta({
      description: `ID to keep, from an export of this service; chosen if absent. Must be free or this ${thing}.`,
    }),
    external_id: line(255, 'ID in the other system. A second import of the same ID changes nothing.')
      .nullable()
      .default(null),
    opened_by: email('Creator; the importer if absent.').optional(),
    created_at: instant.optional().meta({ description: 'Time of creation; the time of the import if absent.' }),
    updated_at: instant
      .optional()
      .meta({ description: 'Time of the last update; the latest of the other times if absent.' }),
    resolved_at: pastTime('Time of resolution. Required in the states `resolved` and `closed`, not allowed in others.'),
    closed_at: pastTime('Time of closure. Required in the state `closed`.'),
    notes: z.array(note).max(maxImportedNotes).default([]).meta({ description: 'Work notes, oldest first.' }),
    history: z
      .array(change)
      .max(maxImportedChanges)
      .default([])
      .meta({ description: 'Earlier changes, oldest first.' }),
  };
}

/** The past of an imported record. */
export type Past = z.output<z.ZodObject<ReturnType<typeof pastFields>>>;

type Dated = Past & { state: string };

export const pastRule = <Fields extends Dated>(
  of: (keyof Fields & string)[],
  at: keyof Fields & string,
  error: string,
) => acrossFields<Fields>({ of, at, error });

/** States whose records have a time of resolution. */
const resolvedStates: readonly string[] = ['resolved', 'closed'];

/** Adds the rules that the dates of every kind follow. */
export function withPastRules<Record extends z.ZodType<Dated>>(record: Record) {
  return record
    .refine(
      ({ id, external_id }) => id !== undefined || external_id !== null,
      pastRule(['id'], 'external_id', 'is required'),
    )
    .refine(
      ({ state, resolved_at }) => !resolvedStates.includes(state) || resolved_at !== null,
      pastRule(['state', 'resolved_at'], 'resolved_at', 'is required in this state'),
    )
    .refine(
      ({ state, resolved_at }) => resolvedStates.includes(state) || resolved_at === null,
      pastRule(['state', 'resolved_at'], 'resolved_at', 'is not allowed in this state'),
    )
    .refine(
      ({ state, closed_at }) => state !== 'closed' || closed_at !== null,
      pastRule(['state', 'closed_at'], 'closed_at', 'is required in this state'),
    )
    .refine(
      ({ state, resolved_at, closed_at }) =>
        state !== 'closed' || !resolved_at || !closed_at || resolved_at <= closed_at,
      pastRule(['state', 'resolved_at', 'closed_at'], 'closed_at', 'must not be before resolved_at'),
    )
    .refine(
      ({ history }) => history.every(({ at }, index) => index === 0 || at >= (history[index - 1]?.at ?? '')),
      pastRule(['history'], 'history', 'must be in the order of time'),
    );
}
