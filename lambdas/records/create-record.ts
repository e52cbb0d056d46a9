import type { Caller } from '../platform/caller.ts';
import type { Clock } from '../platform/clock.ts';
import { type IdempotencyHeaders, repeatable } from './idempotency.ts';
import type { ItemStore, Write } from './item-store.ts';
import { type Author, apiAuthor, type StoredRecord } from './record.ts';
import { createdAnswer, type Resource } from './resource.ts';
import { writeOnce } from './write-once.ts';

/** A new record and everything that is written with it. The write named `record` is refused when the id is taken. */
export interface Draft<Document> {
  record: StoredRecord<Document>;
  writes: readonly Write[];
}

/** The use case behind every operation that creates a record. `operation` is its name, which keys of repeats belong to. */
export function createRecord<Document, Shown, Body>(
  operation: string,
  store: Pick<ItemStore, 'transact'>,
  resource: Resource<Document, Shown>,
  draft: (body: Body, author: Author, nowMs: number) => Draft<Document> | Promise<Draft<Document>>,
) {
  return (
    { body, headers }: { body: Body; headers: IdempotencyHeaders },
    { caller, clock }: { caller: Caller; clock: Clock },
  ) => {
    const nowMs = clock.now();
    return writeOnce(store, repeatable(operation, caller, headers, body), nowMs, async () => {
      const { record, writes } = await draft(body, apiAuthor(caller), nowMs);
      // The only condition is that the id is free; the next attempt has another one.
      return { writes, answer: createdAnswer(resource, record), refused: () => {} };
    });
  };
}
