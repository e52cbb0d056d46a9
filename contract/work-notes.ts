import * as z from 'zod';
import { incidentId, incidentParams } from './incidents.ts';
import { defineOperations } from './operation.ts';
import {
  cursor,
  id,
  idempotencyHeaders,
  idempotentReplayed,
  limit,
  line,
  logPageSchema,
  readOnlyFields,
  text,
  timestamp,
} from './records.ts';

/** `team`: all callers. `public`: also for the affected person. `private`: the author and managers. */
export const visibilities = ['team', 'public', 'private'] as const;

export type Visibility = (typeof visibilities)[number];

const attachment = z
  .strictObject({
    filename: line(255, 'File name.'),
    content_type: z
      .string()
      .max(255)
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/, 'must be a media type, such as image/png')
      .meta({ description: 'Media type.', examples: ['image/png'] }),
    size_bytes: z.int().min(0).meta({ description: 'Size in bytes.' }),
    url: z
      .url({ protocol: /^https$/, error: 'must be an https URL' })
      .max(2048)
      .meta({ description: 'URL of the file.' }),
  })
  .meta({ id: 'Attachment', description: 'Attachment of a note. The file is stored elsewhere.' });

const noteFields = {
  body: text(32_000, 'Text in Markdown.'),
  visibility: z
    .enum(visibilities)
    .meta({ description: 'Visibility. Only the author and managers can see private notes.' }),
  attachments: z.array(attachment).max(20).meta({ description: 'Attachments.' }),
};

const readOnly = {
  id: id('note', 'ID of the note.'),
  incident_id: incidentId,
  author: z.string().meta({ format: 'email', description: 'Author of the note.' }),
  created_at: timestamp('Time of creation.'),
};

export const workNote = z
  .strictObject({ ...readOnly, ...noteFields })
  .meta({ id: 'WorkNote', description: 'Work note of an incident. Notes cannot be changed.' });

export type WorkNote = z.infer<typeof workNote>;

export const workNoteCreation = z
  .strictObject({
    ...noteFields,
    visibility: noteFields.visibility.default('team'),
    attachments: noteFields.attachments.default([]),
  })
  .meta({ id: 'WorkNoteCreation', description: 'New work note.' });

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
    description:
      'Lists the work notes, oldest first. Private notes of others are returned to, and counted for, managers only.',
    access: 'viewer',
    params: incidentParams,
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of notes.',
        body: logPageSchema(workNote, 'WorkNotePage', 'A page of notes.'),
        example: { data: [example], total: 1, total_is_exact: true },
      },
    },
  },
  createWorkNote: {
    ...base,
    method: 'POST',
    summary: 'Add a work note',
    description: 'Adds a work note. `author` is set to the caller.',
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
