import {
  applyPatch,
  type ChangeRequest,
  createKeyedQueue,
  createRecordChanger,
  diffFields,
} from '../../../lambdas/records/change-record.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import type { StoredRecord } from '../../../lambdas/records/record.ts';
import type { Outcome, Write } from '../../../lambdas/records/write-items.ts';
import fc from '../../support/properties.ts';
import { aThing, author, noWait, type ScriptedStore, scriptedStore, type Thing, thingType, toItem } from './thing.ts';

const conflict: Outcome = { kind: 'conflict' };
const overtakenBy = (record: StoredRecord<Thing>): Outcome => ({
  kind: 'condition_failed',
  failedWrite: 'record',
  item: toItem(record),
});

function painting(colour: string): Pick<ChangeRequest<Thing>, 'apply'> {
  return { apply: ({ document }) => ({ document: { ...document, colour } }) };
}

function change(store: ScriptedStore, request: Partial<ChangeRequest<Thing>>, nowMs = 5_000) {
  const changer = createRecordChanger(store, thingType, { now: () => nowMs }, noWait);
  return changer({ id: 'THG0000001', author, ...painting('red'), ...request });
}

describe('a change of a record', () => {
  it('takes one read and one write, and creates the next version', async () => {
    const store = scriptedStore(aThing());
    const after = await change(store, {});
    expect(after).toEqual({
      ...aThing(),
      version: 2,
      updated_at: '1970-01-01T00:00:05.000Z',
      document: { name: 'lamp', colour: 'red' },
    });
    expect([store.reads, store.transactions.length]).toEqual([1, 1]);
    expect(store.transactions[0]!.map(({ name }) => name)).toEqual(['record']);
  });

  it('writes nothing without a change', async () => {
    const store = scriptedStore(aThing({ document: { name: 'lamp', colour: 'red' } }));
    expect(await change(store, {})).toEqual(aThing({ document: { name: 'lamp', colour: 'red' } }));
    expect(store.transactions).toEqual([]);
  });

  it('is applied to a concurrent version without another read', async () => {
    const theirs = aThing({ version: 2, document: { name: 'desk lamp', colour: null }, notes_count: 4 });
    const store = scriptedStore(aThing(), [overtakenBy(theirs)]);
    const after = await change(store, {});
    expect(after).toMatchObject({ version: 3, notes_count: 4, document: { name: 'desk lamp', colour: 'red' } });
    expect(store.reads).toBe(1);
  });

  it('reads the record again after a conflict', async () => {
    const store = scriptedStore(aThing(), [conflict, conflict]);
    expect((await change(store, {})).version).toBe(2);
    expect(store.reads).toBe(3);
  });

  it('reads the record again after several conflicts', async () => {
    const theirs = (version: number) => overtakenBy(aThing({ version }));
    const store = scriptedStore(aThing({ version: 4 }), [theirs(2), theirs(3)]);
    expect((await change(store, {})).version).toBe(5);
    expect(store.reads).toBe(2);
  });

  it('writes nothing if a concurrent version already has the change', async () => {
    const theirs = aThing({ version: 2, document: { name: 'lamp', colour: 'red' } });
    const store = scriptedStore(aThing(), [overtakenBy(theirs)]);
    expect(await change(store, {})).toEqual(theirs);
    expect(store.transactions).toHaveLength(1);
  });

  it('is rejected with If-Match after a concurrent change', async () => {
    const store = scriptedStore(aThing(), [overtakenBy(aThing({ version: 2 }))]);
    await expect(change(store, { ifMatch: '"1-0"' })).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  it.each([
    ['was deleted meanwhile', overtakenBy(aThing({ version: 2, deleted: true }))],
    ['is gone', { kind: 'condition_failed', failedWrite: 'record' } as Outcome],
  ])('returns 404 for a record that %s', async (_name, outcome) => {
    await expect(change(scriptedStore(aThing(), [outcome]), {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([undefined, aThing({ deleted: true })])('returns 404 for an unknown record', async (record) => {
    await expect(change(scriptedStore(record), {})).rejects.toMatchObject({ code: 'not_found' });
  });

  it('fails after a bounded number of attempts', async () => {
    const store = scriptedStore(
      aThing(),
      Array.from({ length: 1_000 }, () => conflict),
    );
    await expect(change(store, {})).rejects.toMatchObject({ code: 'unavailable' });
    expect(store.transactions).toHaveLength(60);
  });

  it('is later than the previous version, even if the clock is behind', async () => {
    const after = await change(scriptedStore(aThing()), {}, 10);
    expect(after.updated_at).toBe('1970-01-01T00:00:01.001Z');
  });

  it('keeps the document of a record that it deletes', async () => {
    const store = scriptedStore(aThing());
    const after = await change(store, { apply: ({ document }) => ({ document, deleted: true }) });
    expect(after).toMatchObject({ deleted: true, version: 2, document: aThing().document });
    const { update } = store.transactions[0]![0] as unknown as { update: { ExpressionAttributeValues: Item } };
    const recent = Object.values(update.ExpressionAttributeValues).find(({ S = '' }) => S.startsWith('[{"version":'));
    expect(JSON.parse(recent?.S ?? '').at(-1).changes).toEqual({ deleted: { from: false, to: true } });
  });

  it('adds notes without a new version when nothing else changes', async () => {
    const store = scriptedStore(aThing());
    const note = { name: 'note', put: { Item: {} } };
    const apply: ChangeRequest<Thing>['apply'] = ({ document }) => ({ document, notes: 1, followUp: note });
    expect(await change(store, { apply })).toEqual(aThing({ notes_count: 1 }));
    expect(store.transactions[0]!.map(({ name }) => name)).toEqual(['record', 'note']);
  });

  it('acknowledges a change before its note, of which it stores a copy', async () => {
    const store = scriptedStore(aThing());
    const note = { name: 'note', put: { Item: { pk: { S: 'x' } } } };
    const failing = {
      ...store,
      transact: (writes: readonly Write[]) =>
        writes[0] === note ? Promise.reject(new Error('timeout')) : store.transact(writes),
    };
    const apply: ChangeRequest<Thing>['apply'] = ({ document }) => ({
      document,
      deleted: true,
      notes: 1,
      followUp: note,
    });
    expect(await change(failing, { apply })).toMatchObject({ version: 2, notes_count: 1 });
    expect(JSON.stringify(store.transactions)).toContain(JSON.stringify(JSON.stringify(note.put.Item)));
  });

  it('reports the failed condition of an additional write', async () => {
    const store = () => scriptedStore(aThing(), [{ kind: 'condition_failed', failedWrite: 'marker' }]);
    await expect(change(store(), {})).rejects.toThrow('the condition of "marker" did not hold');
    const onConditionFailed = (by: string): never => {
      throw new Error(`done before: ${by}`);
    };
    await expect(change(store(), { onConditionFailed })).rejects.toThrow('done before: marker');
  });
});

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()), fc.object());
const document = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  value.map((each) => JSON.parse(JSON.stringify(each))),
);

describe('applyPatch', () => {
  it('replaces the given fields and keeps the rest', () => {
    expect(applyPatch({ a: 1, b: [1, 2], c: null as null | string }, { b: [3], c: 'x' })).toEqual({
      a: 1,
      b: [3],
      c: 'x',
    });
  });

  it('distinguishes a missing field from null', () => {
    expect(applyPatch({ a: 1 }, { a: undefined } as object)).toEqual({ a: 1 });
  });
});

describe('diffFields', () => {
  it('describes the change in both directions', () => {
    fc.assert(
      fc.property(document, document, (before, patch) => {
        const after = applyPatch(before, patch);
        const changes = Object.entries(diffFields(before, after));
        const forth = Object.fromEntries(changes.map(([name, { to }]) => [name, to]));
        const back = Object.fromEntries(changes.map(([name, { from }]) => [name, from]));
        expect(diffFields(applyPatch(before, forth), after)).toEqual({});
        expect(diffFields(applyPatch(after, back), before)).toEqual({});
      }),
    );
  });

  it('returns no change for equal documents', () => {
    fc.assert(fc.property(document, (same) => expect(diffFields(same, structuredClone(same))).toEqual({})));
  });

  it('treats a missing field as null', () => {
    expect(diffFields({}, { a: null, b: 0 })).toEqual({ b: { from: null, to: 0 } });
  });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('createKeyedQueue', () => {
  it('runs work with one key in order, and other keys in parallel', async () => {
    const runInOrder = createKeyedQueue();
    const { opened, open } = gate();
    const done: string[] = [];
    const step = (name: string, before?: Promise<void>) => async () => {
      await before;
      done.push(name);
    };
    const all = [runInOrder('a', step('a1', opened)), runInOrder('a', step('a2')), runInOrder('b', step('b1'))];
    await all[2];
    expect(done).toEqual(['b1']);
    open();
    await Promise.all(all);
    expect(done).toEqual(['b1', 'a1', 'a2']);
  });

  it('returns results and errors, and continues after an error', async () => {
    const runInOrder = createKeyedQueue();
    const failed = runInOrder('a', () => Promise.reject(new Error('no')));
    const next = runInOrder('a', async () => 7);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe(7);
  });
});
