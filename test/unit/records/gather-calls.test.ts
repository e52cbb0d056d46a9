import { gatherReads, gatherTransactions } from '../../../lambdas/records/gather-calls.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import { toItemKey } from '../../../lambdas/records/record-item.ts';
import type { Outcome, Write } from '../../../lambdas/records/write-items.ts';

const aWrite = (pk: string): Write => ({ name: pk, put: { Item: toItemKey(pk, '#') } });
const listNames = (writes: readonly Write[]) => writes.map(({ name }) => name);

describe('gatherTransactions', () => {
  it('writes concurrent transactions together, and a failed condition fails only its own', async () => {
    const calls: string[][] = [];
    const transact = async (writes: readonly Write[]): Promise<Outcome> => {
      calls.push(listNames(writes));
      const isFailed = writes.some(({ name }) => name === 'taken');
      return isFailed ? { kind: 'condition_failed', failedWrite: 'taken' } : { kind: 'written' };
    };
    const store = gatherTransactions({ transact });
    const kinds = async (...pks: string[]) =>
      (await Promise.all(pks.map((pk) => store.transact([aWrite(pk)])))).map(({ kind }) => kind);
    expect(await kinds('a', 'b')).toEqual(['written', 'written']);
    expect(calls.splice(0)).toEqual([['a', 'b']]);
    expect(await kinds('c', 'taken', 'd')).toEqual(['written', 'condition_failed', 'written']);
    expect(calls.splice(0)).toEqual([['c', 'taken', 'd'], ['c'], ['taken'], ['d']]);
    // DynamoDB rejects a transaction that contains an item twice.
    expect(await kinds('e', 'e')).toEqual(['written', 'written']);
    expect(calls).toEqual([['e'], ['e']]);
  });

  it('stays within 100 items', async () => {
    const sizes: number[] = [];
    const transact = async (writes: readonly Write[]): Promise<Outcome> => {
      sizes.push(writes.length);
      return { kind: 'written' };
    };
    const store = gatherTransactions({ transact });
    const toWrites = (first: number) => Array.from({ length: 30 }, (_, index) => aWrite(`${first} ${index}`));
    await Promise.all([1, 2, 3, 4].map((first) => store.transact(toWrites(first))));
    expect(sizes).toEqual([90, 30]);
  });
});

it('reads concurrent keys once, and gives each caller its own item', async () => {
  const asked: number[] = [];
  const getMany = async (keys: readonly Item[]) => {
    asked.push(keys.length);
    return keys.filter(({ pk }) => pk?.S !== 'missing');
  };
  const store = gatherReads({ getMany });
  const found = await Promise.all(['a', 'missing', 'b', 'a'].map((pk) => store.get(pk, '#')));
  expect(found.map((item) => item?.pk?.S)).toEqual(['a', undefined, 'b', 'a']);
  expect(asked).toEqual([3]);
});
