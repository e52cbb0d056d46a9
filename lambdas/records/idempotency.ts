import { createHash } from 'node:crypto';
import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { type Backoff, retry } from '../platform/retry.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ItemStore } from './item-store.ts';
import { type Item, readString } from './items.ts';
import { recordSortKey, toExpiredItem, toItemKey } from './record-item.ts';
import type { Write } from './write-items.ts';

/** The writes of a request and its response if they succeed. */
export interface Attempt<Response> {
  writes: readonly Write[];
  response: Response;
  /** Called when a condition failed. Throws unless another attempt may succeed. */
  onConditionFailed(by: string): void;
}

/**
 * Writes in one transaction and returns the response. A retry with the same idempotency key gets the stored response.
 * `attempt` is called again for each try so that it can choose another id.
 */
export async function writeOnce<Response extends StoredResponse>(
  store: Pick<ItemStore, 'transact'>,
  idempotentRequest: IdempotentRequest | undefined,
  nowMs: number,
  attempt: () => Attempt<Response> | Promise<Attempt<Response>>,
  wait?: Backoff,
): Promise<Response> {
  const write = async () => {
    const { writes, response, onConditionFailed } = await attempt();
    // First in the transaction: a known key takes precedence over every other failed condition.
    const guard = idempotentRequest ? [toStoredResponseWrite(idempotentRequest, response, nowMs)] : [];
    const outcome = await store.transact([...guard, ...writes]);
    if (outcome.kind === 'written') return response;
    if (outcome.kind === 'condition_failed') {
      const { failedWrite, item } = outcome;
      if (idempotentRequest && failedWrite === 'response' && item)
        return replayResponse<Response>(item, idempotentRequest);
      onConditionFailed(failedWrite);
    }
    return undefined;
  };
  const exhausted = () =>
    idempotentRequest
      ? new ServiceError('idempotency_key_in_flight', 'Another request with this Idempotency-Key is being processed.')
      : new ServiceError('unavailable', 'Too many concurrent writes to the same records. Try again.');
  return retry(write, { ...(wait && { wait }), exhausted });
}

// The response to a request with an Idempotency-Key is stored in the transaction of the request. Either both are stored or
// neither, so a retry finds the response without locks.

/** A request that carries an idempotency key. */
export interface IdempotentRequest {
  /** Keys are scoped to a caller and an operation. */
  callerId: string;
  operation: string;
  key: string;
  /** The validated request; the same key with another request is an error. */
  request: unknown;
}

export interface IdempotencyHeaders {
  'Idempotency-Key'?: string | undefined;
}

export interface StoredResponse {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}

/** Undefined when the caller sent no key. */
export function toIdempotentRequest(
  operation: string,
  caller: Caller,
  headers: IdempotencyHeaders,
  request: unknown,
): IdempotentRequest | undefined {
  const key = headers['Idempotency-Key'];
  return key === undefined ? undefined : { callerId: caller.id, operation, key, request };
}

export const retentionMs = 24 * 60 * 60 * 1_000;

/**
 * Fails, with the stored item, when the key was used within the last 24 hours. DynamoDB deletes expired items later.
 */
export function toStoredResponseWrite(request: IdempotentRequest, response: StoredResponse, nowMs: number): Write {
  const put = {
    Item: {
      ...toItemKey(toPartitionKey(request), recordSortKey),
      request_hash: { S: hashRequest(request.request) },
      answer: { S: JSON.stringify(response) },
      expires_at: { N: String(Math.ceil((nowMs + retentionMs) / 1_000)) },
    },
    ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
  return { name: 'response', put };
}

/**
 * Replays the stored response where the operation rejects a repeated request before it writes, such as for a name that the
 * first request has taken.
 */
export function replayRejected<Input extends { body: unknown; headers: IdempotencyHeaders }, Response>(
  operation: string,
  store: Pick<ItemStore, 'get'>,
  create: (input: Input, context: { caller: Caller; clock: Clock }) => Promise<Response>,
) {
  return (input: Input, context: { caller: Caller; clock: Clock }): Promise<Response> =>
    create(input, context).catch(async (error: unknown) => {
      const request = toIdempotentRequest(operation, context.caller, input.headers, input.body);
      const item = request && (await store.get(toPartitionKey(request), recordSortKey));
      const isStored = item && Number(item.expires_at?.N) * 1_000 > context.clock.now();
      if (!request || !isStored || !(error instanceof ServiceError)) throw error;
      return replayResponse<StoredResponse>(item, request) as Response;
    });
}

/** Expires the stored response of a request that failed afterwards, so that the key can be used again. */
export function toExpiredResponseWrite(request: IdempotentRequest, nowMs: number): Write {
  return { name: 'response', put: { Item: toExpiredItem(toPartitionKey(request), recordSortKey, nowMs) } };
}

export function replayResponse<Response extends StoredResponse>(item: Item, { request }: IdempotentRequest): Response {
  if (item.request_hash?.S !== hashRequest(request)) {
    throw new ServiceError('idempotency_key_reused', 'The Idempotency-Key was used for a different request.');
  }
  const response: Response = JSON.parse(readString(item, 'answer'));
  return { ...response, headers: { ...response.headers, 'Idempotent-Replayed': 'true' } };
}

function toPartitionKey({ callerId, operation, key }: IdempotentRequest): string {
  return `idempotency#${hashRequest([callerId, operation, key])}`;
}

/** Requests are hashed after validation, so field order and omitted defaults do not matter. */
function hashRequest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
