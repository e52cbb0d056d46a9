import { createHash } from 'node:crypto';
import { type Backoff, backoff } from '../platform/backoff.ts';
import type { Caller } from '../platform/caller.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { Item, ItemStore, Write } from './item-store.ts';
import { keyOf, recordSortKey } from './record-item.ts';

/** The writes of a request and its response if they succeed. */
export interface Attempt<Answer> {
  writes: readonly Write[];
  answer: Answer;
  /** Called when a condition failed. Throws unless another attempt may succeed. */
  refused(by: string): void;
}

/**
 * Writes in one transaction and returns the response. A retry with the same idempotency key gets the stored response.
 * `attempt` is called again for each try so that it can choose another id.
 */
export async function writeOnce<Answer extends StoredAnswer>(
  store: Pick<ItemStore, 'transact'>,
  repeatable: Repeatable | undefined,
  nowMs: number,
  attempt: () => Attempt<Answer> | Promise<Attempt<Answer>>,
  wait: Backoff = backoff,
): Promise<Answer> {
  for (let tries = 1; tries <= maximumTries; tries++) {
    const { writes, answer, refused } = await attempt();
    // First in the transaction: a known key takes precedence over every other failed condition.
    const guard = repeatable ? [answerWrite(repeatable, answer, nowMs)] : [];
    const outcome = await store.transact([...guard, ...writes]);
    if (outcome.kind === 'written') return answer;
    if (outcome.kind === 'refused') {
      if (repeatable && outcome.by === 'answer') return replay(outcome.item!, repeatable);
      refused(outcome.by);
    }
    await wait(tries);
  }
  throw repeatable
    ? new ServiceError('idempotency_key_in_flight', 'Another request with this Idempotency-Key is being processed.')
    : new ServiceError('unavailable', 'Too many concurrent writes to the same records. Try again.');
}

const maximumTries = 30;

// The response to a request with an Idempotency-Key is stored in the transaction that carries out the request. Either
// both exist or neither does, so a retry finds the response without locks.

/** A request that carries an idempotency key. */
export interface Repeatable {
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

export interface StoredAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body: unknown;
}

/** Undefined when the caller sent no key. */
export function repeatable(
  operation: string,
  caller: Caller,
  headers: IdempotencyHeaders,
  request: unknown,
): Repeatable | undefined {
  const key = headers['Idempotency-Key'];
  return key === undefined ? undefined : { callerId: caller.id, operation, key, request };
}

export const keptMs = 24 * 60 * 60 * 1_000;

/**
 * Fails, with the stored item, when the key was used within the last 24 hours. DynamoDB deletes expired items later.
 */
export function answerWrite(asked: Repeatable, answer: StoredAnswer, nowMs: number): Write {
  const put = {
    Item: {
      ...keyOf(partitionKey(asked), recordSortKey),
      request_hash: { S: hash(asked.request) },
      answer: { S: JSON.stringify(answer) },
      expires_at: { N: String(Math.ceil((nowMs + keptMs) / 1_000)) },
    },
    ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
    ExpressionAttributeValues: { ':now': { N: String(Math.floor(nowMs / 1_000)) } },
  };
  return { name: 'answer', put };
}

/** Expires the stored response of a request that failed afterwards, so that the key can be used again. */
export function answerForgotten(asked: Repeatable): Write {
  return { name: 'answer', put: { Item: { ...keyOf(partitionKey(asked), recordSortKey), expires_at: { N: '0' } } } };
}

export function replay<Answer extends StoredAnswer>(item: Item, { request }: Repeatable): Answer {
  if (item.request_hash!.S !== hash(request)) {
    throw new ServiceError('idempotency_key_reused', 'The Idempotency-Key was used for a different request.');
  }
  const answer: Answer = JSON.parse(item.answer!.S!);
  return { ...answer, headers: { ...answer.headers, 'Idempotent-Replayed': 'true' } };
}

function partitionKey({ callerId, operation, key }: Repeatable): string {
  return `idempotency#${hash([callerId, operation, key])}`;
}

/** Requests are hashed after validation, so field order and omitted defaults do not matter. */
function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
