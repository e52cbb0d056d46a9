import { type Backoff, backoff } from '../platform/backoff.ts';
import { ServiceError } from '../platform/service-error.ts';
import { answerWrite, type Repeatable, replay, type StoredAnswer } from './idempotency.ts';
import type { ItemStore, Write } from './item-store.ts';

/** What a request wants to write, and how it is answered when that succeeds. */
export interface Attempt<Answer> {
  writes: readonly Write[];
  answer: Answer;
  /** A condition of one of the writes did not hold. Throws, unless another attempt may succeed. */
  refused(by: string): void;
}

/**
 * Writes in one transaction and answers; a repeat of the request gets the first answer again. The attempt is made anew
 * for each try, so that it can choose another id.
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
    // First in the transaction: when the key is known, nothing else matters.
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
