import * as z from 'zod';
import { incidentId, incidentParams } from './incidents.ts';
import { defineOperations } from './operation.ts';
import {
  cursor,
  idempotencyHeaders,
  idempotentReplayed,
  limit,
  line,
  pageOf,
  readOnlyFields,
  text,
  timestamp,
} from './records.ts';

/** `team`: everyone who may read the incident. `public`: also meant for the person affected. `private`: see below. */
export const visibilities = ['team', 'public', 'private'] as const;

export type Visibility = (typeof visibilities)[number];

const attachment = z
  .strictObject({
    filename: line(255, 'The name of the file.'),
    content_type: z
      .string()
      .max(255)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/, 'must be a media type, such as image/png')
      .meta({ description: 'Its media type.', examples: ['image/png'] }),
    size_bytes: z.int().min(0).meta({ description: 'Its size.' }),
    url: z
      .url({ protocol: /^https$/, error: 'must be an https URL' })
      .max(2048)
      .meta({ description: 'Where it lies.' }),
  })
  .meta({ id: 'Attachment', description: 'A file that belongs to a note. It is stored elsewhere.' });

const noteFields = {
  body: text(32_000, 'The text; Markdown.'),
  visibility: z
    .enum(visibilities)
    .meta({ description: 'Who may see it: private notes are for their author and managers only.' }),
  attachments: z.array(attachment).max(20).meta({ description: 'Files that belong to it.' }),
};

const readOnly = {
  id: z
    .string()
    .regex(/^note_[0-9A-HJKMNP-TV-Z]+$/)
    .meta({ description: 'The id of the note.' }),
  incident_id: incidentId,
  author: z.string().meta({ format: 'email', description: 'Who wrote it.' }),
  created_at: timestamp('When it was written.'),
};

export const workNote = z
  .strictObject({ ...readOnly, ...noteFields })
  .meta({ id: 'WorkNote', description: 'What somebody wrote down about an incident. Notes do not change.' });

export type WorkNote = z.infer<typeof workNote>;

export const workNoteCreation = z
  .strictObject({
    ...noteFields,
    visibility: noteFields.visibility.default('team'),
    attachments: noteFields.attachments.default([]),
  })
  .meta({ id: 'WorkNoteCreation', description: 'A new work note.' });

export type WorkNoteCreation = z.output<typeof workNoteCreation>;

readOnlyFields.add(workNoteCreation, { names: Object.keys(readOnly) });

const example: WorkNote = {
  id: 'note_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
  incident_id: 'INC7Q2M4KX',
  author: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:42:10.120Z',
  body: 'The relay refuses our certificate.',
  visibility: 'team',
  attachments: [
    {
      filename: 'relay.log',
      content_type: 'text/plain',
      size_bytes: 20_480,
      url: 'https://files.example.com/relay.log',
    },
  ],
};

const base = { capability: 'incidents', rateLimit: 'general', path: '/incidents/{id}/notes' } as const;

export const workNoteOperations = defineOperations({
  listWorkNotes: {
    ...base,
    method: 'GET',
    summary: 'List the work notes of an incident',
    description: 'Oldest first. Private notes of others are shown to managers only, and only they count them.',
    access: 'viewer',
    params: incidentParams,
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of notes.',
        body: pageOf(workNote, 'WorkNotePage', 'A page of notes.'),
        example: { data: [example], total: 1 },
      },
    },
  },
  createWorkNote: {
    ...base,
    method: 'POST',
    summary: 'Add a work note',
    description: 'The caller becomes its author.',
    access: 'itsm_agent',
    params: incidentParams,
    headers: idempotencyHeaders,
    body: workNoteCreation,
    bodyExample: { body: example.body, visibility: 'team', attachments: example.attachments },
    responses: {
      201: {
        description: 'The note was added.',
        body: workNote,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example,
      },
    },
    errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
  },
});
