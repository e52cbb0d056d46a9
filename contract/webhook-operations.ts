import * as z from 'zod';
import type { HeaderSpec } from './operation.ts';
import {
  cursor,
  etag,
  idempotencyHeaders,
  idempotentReplayed,
  type idParams,
  ifMatchHeaders,
  ifNoneMatchHeaders,
  limit,
  pageSchema,
} from './records.ts';

// Operations that inbound and outbound webhooks share.

interface WebhookKind<Direction extends string, Webhook extends z.ZodObject, Creation, Update> {
  direction: Direction;
  params: ReturnType<typeof idParams>;
  webhook: Webhook;
  example: z.output<Webhook>;
  secretExample: string;
  location: HeaderSpec;
  creation: Creation;
  creationExample: unknown;
  update: Update;
  updateExample: unknown;
  /** Of the response to the update. */
  updatedExample: z.output<Webhook>;
  descriptions: Readonly<Record<'create' | 'get' | 'update' | 'delete' | 'rotate', string>>;
}

const base = { capability: 'webhooks', rateLimit: 'general', access: 'itsm_manager' } as const;

export function webhookOperations<
  const Direction extends string,
  Webhook extends z.ZodObject,
  Creation extends z.ZodType,
  Update extends z.ZodType,
>(kind: WebhookKind<Direction, Webhook, Creation, Update>) {
  const { direction, params, webhook: body, example, descriptions } = kind;
  const path = `/webhooks/${direction}` as const;
  const one = `${path}/{id}` as const;
  const aWebhook = `an ${direction} webhook`;
  const headers = { ETag: etag };
  const withSecret = { ...example, secret: kind.secretExample };
  return {
    list: {
      ...base,
      method: 'GET',
      path,
      summary: `List ${direction} webhooks`,
      description: `Lists ${direction} webhooks, newest first.`,
      query: z.strictObject({ limit, cursor }),
      responses: {
        200: {
          description: 'A page of webhooks.',
          body: pageSchema(body, `${body.meta()?.id}Page`, `A page of ${direction} webhooks.`),
          example: { data: [example], total: 1 },
        },
      },
    },
    create: {
      ...base,
      method: 'POST',
      path,
      summary: `Create ${aWebhook}`,
      description: descriptions.create,
      headers: idempotencyHeaders,
      body: kind.creation,
      bodyExample: kind.creationExample,
      responses: {
        201: {
          description: 'The webhook was created.',
          body,
          headers: { ...headers, Location: kind.location, 'Idempotent-Replayed': idempotentReplayed },
          example: withSecret,
        },
      },
      errors: ['idempotency_key_in_flight', 'idempotency_key_reused'],
    },
    get: {
      ...base,
      method: 'GET',
      path: one,
      summary: `Get ${aWebhook}`,
      description: descriptions.get,
      params,
      headers: ifNoneMatchHeaders,
      responses: {
        200: { description: 'The webhook.', body, headers, example },
        304: { description: 'The webhook has not changed.', headers },
      },
    },
    update: {
      ...base,
      method: 'PATCH',
      path: one,
      summary: `Update ${aWebhook}`,
      description: `Applies a JSON merge patch. ${descriptions.update}`,
      params,
      headers: ifMatchHeaders,
      body: kind.update,
      bodyExample: kind.updateExample,
      responses: { 200: { description: 'The updated webhook.', body, headers, example: kind.updatedExample } },
      errors: ['precondition_failed'],
    },
    delete: {
      ...base,
      method: 'DELETE',
      path: one,
      summary: `Delete ${aWebhook}`,
      description: descriptions.delete,
      params,
      headers: ifMatchHeaders,
      responses: { 204: { description: 'The webhook was deleted.' } },
      errors: ['precondition_failed'],
    },
    rotate: {
      ...base,
      method: 'POST',
      path: `${one}/rotate-secret`,
      summary: `Rotate the secret of ${aWebhook}`,
      description: descriptions.rotate,
      params,
      responses: { 200: { description: 'The webhook with its new secret.', body, headers, example: withSecret } },
    },
  } as const;
}
