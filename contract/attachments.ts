import * as z from 'zod';
import { attachmentTypeNames, maxAttachmentBytes } from './attachment-types.ts';
import { idPatterns } from './ids.ts';
import { defineOperations } from './operation.ts';
import {
  id,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  line,
  timestamp,
  withReadOnlyFields,
} from './records.ts';

// Files of notes. The service issues presigned URLs; the bytes go from the client to S3 and back without passing a function.

export const attachmentId = id('attachment', 'ID of the attachment.', 'att_01JNTF3H7Z4T1D8K5W2Q9RXYEB');

const attachmentStates = ['pending', 'available'] as const;

const notedKinds = ['incident', 'problem', 'change', 'request'] as const;

const fields = {
  record_id: z
    .string()
    .refine((value) => notedKinds.some((kind) => idPatterns[kind].test(value)), 'must be the ID of a record with notes')
    .meta({ description: 'ID of the record to which a note with the file will be added.', examples: ['INC7Q2M4KX'] }),
  filename: line(255, 'File name.').refine((name) => !/[\\/]/.test(name), 'must not contain a path'),
  content_type: z
    .enum(attachmentTypeNames)
    .meta({ description: 'Media type. The service compares it with the content.', examples: ['text/plain'] }),
  size_bytes: z.int().min(1).max(maxAttachmentBytes).meta({ description: 'Exact size in bytes.' }),
};

const setByService = {
  id: attachmentId,
  state: z.enum(attachmentStates).meta({
    description: '`pending`: the upload is not complete. `available`: the file can be downloaded and added to a note.',
  }),
  note_id: id('note', 'Note that has the file; null until a note refers to it.').nullable(),
  created_by: z.string().meta({ format: 'email', description: 'Caller who uploads the file.' }),
  created_at: timestamp('Time of creation.'),
};

const attachment = z
  .strictObject({ ...fields, ...setByService })
  .meta({ id: 'AttachedFile', description: 'File that is stored by the service.' });

export type AttachedFile = z.infer<typeof attachment>;

const upload = z
  .strictObject({
    method: z.literal('PUT'),
    url: z.string().meta({ format: 'uri', description: 'Where to send the bytes of the file, once.' }),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Headers to send. The size and the content type are part of the signature.' }),
    expires_at: timestamp('Time at which the URL expires.'),
  })
  .meta({ id: 'FileUpload', description: 'Request that uploads the file.' });

const creation = withReadOnlyFields(
  z.strictObject(fields).meta({ id: 'AttachedFileCreation', description: 'File to upload.' }),
  setByService,
);

export type AttachedFileCreation = z.output<typeof creation>;

const createdAttachment = attachment
  .extend({ upload })
  .meta({ id: 'CreatedFile', description: 'File whose bytes the caller uploads next.' });

const downloadableAttachment = attachment
  .extend({
    download_url: z.string().nullable().meta({
      format: 'uri',
      description: 'URL of the file, valid for five minutes and without authentication; null while `pending`.',
    }),
  })
  .meta({ id: 'DownloadableFile', description: 'File with a URL to download it.' });

const example: AttachedFile = {
  id: 'att_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
  record_id: 'INC7Q2M4KX',
  filename: 'relay.log',
  content_type: 'text/plain',
  size_bytes: 20_480,
  state: 'available',
  note_id: 'note_01JNTF3H7Z4T1D8K5W2Q9RXYEB',
  created_by: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:42:10.120Z',
};

const pending: AttachedFile = { ...example, state: 'pending', note_id: null };
const fileUrl = 'https://files.example.com/att_01JNTF3H7Z4T1D8K5W2Q9RXYEB?X-Amz-Signature=5f2c';

const base = { capability: 'attachments', rateLimit: 'general', access: 'viewer' } as const;
const byId = { ...base, params: idParams(attachmentId) } as const;

export const attachmentOperations = defineOperations({
  createAttachment: {
    ...base,
    method: 'POST',
    path: '/attachments',
    summary: 'Start to upload a file',
    description:
      `Returns a presigned request for a file of at most ${maxAttachmentBytes / 1_000_000} MB. Send the bytes with it, then complete the ` +
      'attachment, then add a note with its ID in `attachment_ids`. Viewers can upload files of records that they created or that are for them. An upload that is not complete expires after a day, ' +
      'a file that no note has after seven days.',
    headers: idempotencyHeaders,
    body: creation,
    bodyExample: { record_id: 'INC7Q2M4KX', filename: 'relay.log', content_type: 'text/plain', size_bytes: 20_480 },
    responses: {
      201: {
        description: 'The bytes can be uploaded.',
        body: createdAttachment,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example: {
          ...pending,
          upload: {
            method: 'PUT',
            url: fileUrl,
            headers: { 'Content-Type': 'text/plain' },
            expires_at: '2026-03-01T09:57:10.120Z',
          },
        },
      },
    },
    errors: ['not_found', 'idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  completeAttachment: {
    ...byId,
    method: 'POST',
    path: '/attachments/{id}/complete',
    summary: 'Complete an upload',
    description:
      'Compares the content of the uploaded file with its media type, and makes it available. Only its uploader can do this. ' +
      'A file of another type is deleted, and the response is 400. Repeating the request has no effect.',
    responses: {
      200: { description: 'The file is available.', body: attachment, example: { ...example, note_id: null } },
    },
    errors: ['invalid_transition'],
  },
  getAttachment: {
    ...byId,
    method: 'GET',
    path: '/attachments/{id}',
    summary: 'Get a file',
    description:
      'Returns the file with a URL to download it. Everyone who can see the note can get its files; before that, only the ' +
      'uploader and managers can. The download always has the header `Content-Disposition: attachment`.',
    responses: {
      200: {
        description: 'The file.',
        body: downloadableAttachment,
        example: { ...example, download_url: fileUrl },
      },
    },
  },
  deleteAttachment: {
    ...byId,
    method: 'DELETE',
    path: '/attachments/{id}',
    summary: 'Delete a file',
    description:
      'Deletes the file. Its uploader can delete it until a note has it; managers can always do so. The note keeps its name.',
    responses: { 204: { description: 'The file is deleted.' } },
  },
});
