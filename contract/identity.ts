import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { rateLimitView } from './rate-limits.ts';
import {
  cursor,
  id,
  idempotencyHeaders,
  idempotentReplayed,
  idParams,
  limit,
  line,
  pageSchema,
  readOnlyFields,
  role,
  timestamp,
} from './records.ts';

export const callerKinds = ['user', 'client'] as const;

export type CallerKind = (typeof callerKinds)[number];

const profile = z
  .strictObject({
    id: z.string().meta({ description: 'Subject of the token.' }),
    email: z.string().meta({ format: 'email', description: 'Email address shown on records written by the caller.' }),
    kind: z.enum(callerKinds).meta({ description: '`user`: a person. `client`: a program with its own credentials.' }),
    roles: z.array(role).meta({ description: 'Roles granted by the token.' }),
    rate_limits: z.array(rateLimitView).meta({
      description:
        "Rate limits of the caller. An owner and the owner's API keys share the `ai_` limits; each has its own general limit.",
    }),
  })
  .meta({ id: 'Profile', description: 'Profile of the caller.' });

export const identityOperations = defineOperations({
  getMe: {
    method: 'GET',
    path: '/me',
    capability: 'identity',
    summary: 'Get the caller',
    description: 'Returns the identity, roles and rate limits of the caller.',
    access: 'viewer',
    rateLimit: 'general',
    responses: {
      200: {
        description: 'The caller.',
        body: profile,
        example: {
          id: '5ksk3oqvr0u6fh8ptrn1a2b3c4',
          email: 'agent@clients.incidents.example.com',
          kind: 'client',
          roles: ['itsm_agent'],
          rate_limits: [{ class: 'general', limit: 100, window_seconds: 1 }],
        },
      },
    },
  },
});

// API keys let a program act on behalf of their owner. client/credentials.ts defines their format and how they are
// exchanged for tokens.

/** Prevents one owner from using up the app client quota of the user pool. */
export const maxKeysPerOwner = 20;

const apiKeyId = id('apiKey', 'ID of the API key.', 'key_7Q2M4KX1V9ZB5T8N3RWC6JHF0D');

const fields = {
  id: apiKeyId,
  name: line(100, 'Name of the key.'),
  role: role.meta({ description: 'Role of the key.' }),
  owner: z
    .string()
    .meta({ format: 'email', description: 'Owner of the key. Records written with the key show this address.' }),
  created_at: timestamp('Time of creation.'),
  last_used_at: timestamp('Time of last use, accurate to five minutes; null if never used.').nullable(),
};

const apiKey = z.strictObject(fields).meta({ id: 'ApiKey', description: 'API key without its secret.' });

export type ApiKeyView = z.infer<typeof apiKey>;

const createdApiKey = z
  .strictObject({
    ...fields,
    key: z.string().meta({ description: 'API key secret. Returned only in this response.' }),
  })
  .meta({ id: 'CreatedApiKey', description: 'API key with its secret.' });

const apiKeyCreation = z
  .strictObject({
    name: fields.name,
    role: role
      .optional()
      .meta({ description: "Role of the key, at most the caller's role. Defaults to the caller's role." }),
  })
  .meta({ id: 'ApiKeyCreation', description: 'New API key.' });

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
    description: "Lists the caller's API keys, newest first. A `super_admin` sees all keys.",
    query: z.strictObject({ limit, cursor }),
    responses: {
      200: {
        description: 'A page of API keys.',
        body: pageSchema(apiKey, 'ApiKeyPage', 'A page of API keys.'),
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
      `Creates an API key and returns its secret once. A caller can have up to ${maxKeysPerOwner} keys. Records written ` +
      "with the key show the caller's address. The key has its own general rate limit and shares the AI rate limits with " +
      'the caller. An API key cannot create API keys.',
    headers: idempotencyHeaders,
    body: apiKeyCreation,
    bodyExample: { name: 'Nightly import', role: 'itsm_agent' },
    responses: {
      201: {
        description: 'The API key was created.',
        body: createdApiKey,
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
      "Revokes one of the caller's keys, or any key as `super_admin`. The key can no longer obtain tokens; issued tokens " +
      'expire within five minutes.',
    params: idParams(apiKeyId),
    responses: { 204: { description: 'The API key was revoked.' } },
  },
});
