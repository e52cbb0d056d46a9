import * as z from 'zod';
import { defineOperations } from './operation.ts';
import {
  cursor,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  limit,
  line,
  pageOf,
  readOnlyFields,
  timestamp,
} from './records.ts';
import { role } from './roles.ts';

// Keys for programs, made by those in whose name the programs act. What a key is made of and how it is exchanged for
// tokens is in client/credentials.ts.

/** Of one owner, so that nobody uses up what the user pool can hold. */
export const mostKeysPerOwner = 20;

const apiKeyId = z
  .string()
  .regex(/^key_[0-9A-HJKMNP-TV-Z]{26}$/)
  .meta({ description: 'The id of the API key.', examples: ['key_7Q2M4KX1V9ZB5T8N3RWC6JHF0D'] });

const fields = {
  id: apiKeyId,
  name: line(100, 'What it is for.'),
  role: role.meta({ description: 'What it may do.' }),
  owner: z
    .string()
    .meta({ format: 'email', description: 'In whose name it acts: records written with it carry this.' }),
  created_at: timestamp('When it was made.'),
  last_used_at: timestamp('When it was last used, give or take five minutes; null until then.').nullable(),
};

const apiKey = z.strictObject(fields).meta({ id: 'ApiKey', description: 'A key for a program, without its secret.' });

export type ApiKeyView = z.infer<typeof apiKey>;

const newApiKey = z
  .strictObject({
    ...fields,
    key: z.string().meta({ description: 'The key itself. It is shown this once and cannot be read later.' }),
  })
  .meta({ id: 'NewApiKey', description: 'A key for a program, with its secret.' });

const apiKeyCreation = z
  .strictObject({
    name: fields.name,
    role: role
      .optional()
      .meta({ description: "What it may do: at most what the caller may. Absent: the caller's role." }),
  })
  .meta({ id: 'ApiKeyCreation', description: 'A new key.' });

readOnlyFields.add(apiKeyCreation, { names: ['id', 'owner', 'created_at', 'last_used_at', 'key'] });

const example: ApiKeyView = {
  id: 'key_7Q2M4KX1V9ZB5T8N3RWC6JHF0D',
  name: 'Nightly import',
  role: 'itsm_agent',
  owner: 'ada.lovelace@example.com',
  created_at: '2026-03-01T09:30:00.000Z',
  last_used_at: null,
};

const base = { capability: 'identity', access: 'viewer', rateLimit: 'general' } as const;

export const apiKeyOperations = defineOperations({
  listApiKeys: {
    ...base,
    method: 'GET',
    path: '/api-keys',
    summary: 'List API keys',
    description: "The caller's own keys, newest first. A `super_admin` sees everybody's.",
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of keys.',
        body: pageOf(apiKey, 'ApiKeyPage', 'A page of API keys.'),
        example: { data: [example], total: 1 },
      },
    },
  },
  createApiKey: {
    ...base,
    method: 'POST',
    path: '/api-keys',
    summary: 'Create an API key',
    description:
      `Answers with the key, once. A caller may have ${mostKeysPerOwner} of them. What the key's program writes carries ` +
      "the caller's address. It has its own general rate limit and shares the AI limits with the caller. A key cannot " +
      'make keys.',
    headers: idempotencyHeaders,
    body: apiKeyCreation,
    bodyExample: { name: 'Nightly import', role: 'itsm_agent' },
    responses: {
      201: {
        description: 'The key was made.',
        body: newApiKey,
        headers: { 'Idempotent-Replayed': idempotentReplayed },
        example: { ...example, key: 'itsm_NWtzazNvcXZyMHU2Zmg4cHRybjFhMmIzYzQ6c2VjcmV0' },
      },
    },
    errors: ['limit_reached', 'idempotency_key_in_flight', 'idempotency_key_reused'],
  },
  deleteApiKey: {
    ...base,
    method: 'DELETE',
    path: '/api-keys/{id}',
    summary: 'Revoke an API key',
    description:
      "The caller's own key, or any for a `super_admin`. It gets no further token from this moment on; tokens that are " +
      'out end within five minutes.',
    params: idParams(apiKeyId),
    responses: { 204: { description: 'The key was revoked.' } },
  },
});
