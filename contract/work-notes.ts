import * as z from 'zod';
import { maxAttachedFiles } from './attachment-types.ts';
import { attachmentId } from './attachments.ts';
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
  .meta({ id: 'AttachmentCreation', description: 'Link to a file that is stored elsewhere.' });

const storedAttachment = attachment
  .extend({
    id: attachmentId.optional().meta({ description: 'ID of an uploaded file; absent for a file stored elsewhere.' }),
    url: z.string().meta({
      format: 'uri',
      description: 'URL of the file. For an uploaded file, the operation that returns a URL to download it.',
    }),
  })
  .meta({ id: 'Attachment', description: 'Attachment of a note: an uploaded file, or a link to a file.' });

export type NoteAttachment = z.infer<typeof storedAttachment>;

const noteFields = {
  body: text(32_000, 'Text in Markdown.'),
  visibility: z
    .enum(visibilities)
    .meta({ description: 'Visibility. Only the author and managers can see private notes.' }),
};

const attachments = z
  .array(storedAttachment)
  .meta({ description: 'Attachments: links as they were given, then uploaded files.' });

const readOnly = {
  id: id('note', 'ID of the note.'),
  author: z.string().meta({ format: 'email', description: 'Author of the note.' }),
  created_at: timestamp('Time of creation.'),
};

export const workNote = z
  .strictObject({ ...readOnly, incident_id: incidentId, ...noteFields, attachments })
  .meta({ id: 'WorkNote', description: 'Work note of an incident. Notes cannot be changed.' });

export type WorkNote = z.infer<typeof workNote>;

const recordNote = z
  .strictObject({
    ...readOnly,
    record_id: z.string().meta({ description: 'ID of the record.' }),
    ...noteFields,
    attachments,
  })
  .meta({ id: 'RecordNote', description: 'Note of a record. Notes cannot be changed.' });

export type RecordNote = z.infer<typeof recordNote>;

export const workNoteCreation = z
  .strictObject({
    ...noteFields,
    visibility: noteFields.visibility.default('team'),
    attachments: z
      .array(attachment)
      .max(20)
      .default([])
      .meta({ description: 'Links to files that are stored elsewhere.' }),
  })
  .meta({ description: 'New note without uploaded files.' });

export type WorkNoteCreation = z.output<typeof workNoteCreation>;

const noteRequest = workNoteCreation
  .extend({
    attachment_ids: z
      .array(attachmentId)
      .max(maxAttachedFiles)
      .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates')
      .default([])
      .meta({ description: 'Uploaded files of the record that no other note has.' }),
  })
  .meta({ id: 'WorkNoteCreation', description: 'New note.' });

export type NoteRequest = z.output<typeof noteRequest>;

for (const schema of [workNoteCreation, noteRequest]) {
  readOnlyFields.add(schema, { names: [...Object.keys(readOnly), 'incident_id', 'record_id'] });
}

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

const recordNotePage = logPageSchema(recordNote, 'RecordNotePage', 'A page of notes.');

/** The operations on the notes of a record kind: `listNotes: notes.list, createNote: notes.create`. */
export function recordNotes<const Path extends string, const Capability extends string>(
  kind: NotedKind<Path, Capability>,
) {
  const { incident_id: _, ...fields } = example;
  const examples = kind.params.shape.id.meta()?.examples as string[] | undefined;
  return noteOperations({
    ...kind,
    note: recordNote,
    page: recordNotePage,
    word: 'note',
    example: { ...fields, record_id: examples?.[0] ?? '' },
  });
}

interface NotedKind<Path extends string, Capability extends string> {
  capability: Capability;
  /** Path of the collection. */
  path: Path;
  /** The kind of record with its article: `a change`. */
  aThing: string;
  params: typeof incidentParams;
}

function noteOperations<
  const Path extends string,
  const Capability extends string,
  Note extends z.ZodObject,
  Page extends z.ZodObject,
>(kind: NotedKind<Path, Capability> & { note: Note; page: Page; word: string; example: z.output<Note> }) {
  const { capability, path, aThing, params, note, page, word, example } = kind;
  const base = { capability, rateLimit: 'general', path: `${path}/{id}/notes`, params } as const;
  return {
    list: {
      ...base,
      action: 'listNotes',
      method: 'GET',
      summary: `List the ${word}s of ${aThing}`,
      description: `Lists the ${word}s, oldest first. Private notes of others are returned to, and counted for, managers only.`,
      access: 'viewer',
      query: z.strictObject({ limit, cursor }),
      responses: {
        200: {
          description: 'A page of notes.',
          body: page,
          example: { data: [example], total: 1, total_is_exact: true },
        },
      },
    },
    create: {
      ...base,
      action: 'createNote',
      method: 'POST',
      summary: `Add a ${word} to ${aThing}`,
      description: `Adds a ${word}. \`author\` is set to the caller.`,
      access: 'itsm_agent',
      headers: idempotencyHeaders,
      body: noteRequest,
      bodyExample: { body: example.body, visibility: 'team', attachments: example.attachments },
      responses: {
        201: {
          description: 'The note was added.',
          body: note,
          headers: { 'Idempotent-Replayed': idempotentReplayed },
          example,
        },
      },
      errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
    },
  } as const;
}

const workNotes = noteOperations({
  capability: 'incidents',
  path: '/incidents',
  aThing: 'an incident',
  params: incidentParams,
  note: workNote,
  page: logPageSchema(workNote, 'WorkNotePage', 'A page of notes.'),
  word: 'work note',
  example,
});

export const workNoteOperations = defineOperations({
  listWorkNotes: workNotes.list,
  createWorkNote: {
    ...workNotes.create,
    summary: 'Add a work note',
    description:
      'Adds a work note. `author` is set to the caller. Viewers can add notes to incidents that they reported.',
    access: 'viewer',
  },
});
