import { type IdempotentRequest, toStoredResponseWrite, writeOnce } from '../../../lambdas/records/idempotency.ts';
import type { Item, Outcome } from '../../../lambdas/records/item-store.ts';
import { noWait, scriptedStore } from './thing.ts';

const asked: IdempotentRequest = { callerId: 'me', operation: 'createThing', key: 'k', request: { name: 'lamp' } };

function attempts() {
  let made = 0;
  return () => ({
    writes: [{ name: 'record', put: { Item: {} } }],
    response: { status: 201, headers: { Location: `/things/${++made}` }, body: { number: made } },
    onConditionFailed: (by: string) => {
      if (by !== 'record') throw new Error(`rejected by ${by}`);
    },
  });
}

const conflict: Outcome = { kind: 'conflict' };
const taken: Outcome = { kind: 'condition_failed', failedWrite: 'record' };

describe('writeOnce', () => {
  it('writes in one transaction and returns the response', async () => {
    const store = scriptedStore(undefined);
    const answer = await writeOnce(store, undefined, 0, attempts(), noWait);
    expect(answer.body).toEqual({ number: 1 });
    expect(store.transactions.map((writes) => writes.map(({ name }) => name))).toEqual([['record']]);
  });

  it('retries when an id is taken or a write conflicts', async () => {
    const store = scriptedStore(undefined, [conflict, taken, conflict]);
    expect((await writeOnce(store, asked, 0, attempts(), noWait)).body).toEqual({ number: 4 });
  });

  it('stores the response first in the same transaction', async () => {
    const store = scriptedStore(undefined);
    await writeOnce(store, asked, 0, attempts(), noWait);
    expect(store.transactions[0]!.map(({ name }) => name)).toEqual(['response', 'record']);
  });

  it('returns the first response to a repeat, marked as replayed', async () => {
    const first = { status: 201, headers: { Location: '/things/7' }, body: { number: 7 } };
    const store = scriptedStore(undefined, [
      { kind: 'condition_failed', failedWrite: 'response', item: toStoredItem(asked, first) },
    ]);
    expect(await writeOnce(store, asked, 0, attempts(), noWait)).toEqual({
      ...first,
      headers: { Location: '/things/7', 'Idempotent-Replayed': 'true' },
    });
  });

  it('rejects a key that was used for another request', async () => {
    const other = { ...asked, request: { name: 'chair' } };
    const item = toStoredItem(other, { status: 201, body: {} });
    const store = scriptedStore(undefined, [{ kind: 'condition_failed', failedWrite: 'response', item }]);
    await expect(writeOnce(store, asked, 0, attempts(), noWait)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('rethrows other rejections', async () => {
    const store = scriptedStore(undefined, [{ kind: 'condition_failed', failedWrite: 'parent' }]);
    await expect(writeOnce(store, asked, 0, attempts(), noWait)).rejects.toThrow('rejected by parent');
  });

  it.each([
    ['with a key', asked, 'idempotency_key_in_flight'],
    ['without a key', undefined, 'unavailable'],
  ])('fails after a bounded number of conflicts %s', async (_name, request, code) => {
    const store = scriptedStore(
      undefined,
      Array.from({ length: 1_000 }, () => conflict),
    );
    await expect(writeOnce(store, request, 0, attempts(), noWait)).rejects.toMatchObject({ code });
    expect(store.transactions).toHaveLength(30);
  });
});

describe('the stored response of a request', () => {
  const toKey = (more: Partial<IdempotentRequest>) =>
    toStoredItem({ ...asked, ...more }, { status: 201, body: {} }).pk!.S;

  it('has a separate key for each caller, operation and idempotency key', () => {
    const keys = [toKey({}), toKey({ callerId: 'you' }), toKey({ operation: 'x' }), toKey({ key: 'l' })];
    expect(new Set(keys).size).toBe(4);
    expect(toKey({ request: 'another' })).toBe(keys[0]);
    expect(toKey({ callerId: 'a', operation: 'bc' })).not.toBe(toKey({ callerId: 'ab', operation: 'c' }));
  });

  it('expires after 24 hours, even if DynamoDB has not deleted it', () => {
    const { put } = toStoredResponseWrite(asked, { status: 201, body: {} }, 5_500) as { put: Record<string, unknown> };
    expect(put.ConditionExpression).toBe('attribute_not_exists(pk) OR expires_at <= :now');
    expect(put.ExpressionAttributeValues).toEqual({ ':now': { N: '5' } });
    expect((put.Item as Item).expires_at).toEqual({ N: String(6 + 24 * 3_600) });
  });
});

function toStoredItem(
  request: IdempotentRequest,
  response: { status: number; headers?: Record<string, string>; body: unknown },
): Item {
  return (toStoredResponseWrite(request, response, 0) as { put: { Item: Item } }).put.Item;
}
