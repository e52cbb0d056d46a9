import { listRecent, readHistory } from '../../../lambdas/records/history.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import type { HistoryEntry, StoredRecord } from '../../../lambdas/records/record.ts';
import { buildReplacement, buildUpdate, toRecord } from '../../../lambdas/records/record-item.ts';
import type { Write } from '../../../lambdas/records/write-items.ts';
import fc from '../../support/properties.ts';
import { memoryItems } from '../events/memory-items.ts';
import { aThing, author, type Thing, thingType, toInsertedItem } from './thing.ts';

/** Applies documents one after the other, as the stores do, and keeps the items of the history. */
function write(documents: readonly Thing[], restoredVersions: readonly number[] = []) {
  const [first, ...later] = documents as [Thing, ...Thing[]];
  const store = memoryItems();
  let item = toInsertedItem(aThing({ document: first }));
  let transactions = 0;
  for (const document of later) {
    const before = toRecord<Thing>(item);
    const after = { ...before, version: before.version + 1, document };
    const isRestored = restoredVersions.includes(after.version);
    const writes = isRestored
      ? buildReplacement(thingType, before, after, author)
      : buildUpdate(thingType, [before, after], author);
    item = applyToItem(item, writes[0] as Write);
    for (const { put } of writes.slice(1) as { put: { Item: Item } }[]) {
      store.items.set(`${put.Item.pk!.S}|${put.Item.sk!.S}`, put.Item);
    }
    if (writes.length > 1) transactions++;
  }
  return { store, record: toRecord<Thing>(item), transactions };
}

function applyToItem(item: Item, write: Write): Item {
  if ('put' in write) return write.put.Item as Item;
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = write.update;
  const result = { ...item };
  for (const [placeholder, name] of Object.entries(names)) {
    const value = values[`:${placeholder.slice(1)}`];
    if (value) result[name] = value;
  }
  const [, removed = ''] = / REMOVE (.*) ADD /.exec(write.update.UpdateExpression ?? '') ?? [];
  for (const name of removed.split(', ')) delete result[name];
  return result;
}

async function readPages(store: ReturnType<typeof memoryItems>, record: StoredRecord<Thing>, limit: number) {
  const all: HistoryEntry[] = [];
  for (let more = true; more; ) {
    const { entries, hasMore } = await readHistory(store, thingType, record, all.at(-1)?.version ?? 0, limit);
    all.push(...entries);
    more = hasMore;
  }
  return all;
}

/** The changes of every version, straight from the documents. */
function toExpected(documents: readonly Thing[]) {
  return documents.map((document, index) => ({
    version: index + 1,
    changes: thingType.changes(documents[index - 1] ?? ({} as Thing), document),
  }));
}

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.string({ minLength: 400, maxLength: 900 }));
const documents = fc
  .array(fc.record({ name: text, colour: fc.option(text) }), { minLength: 1, maxLength: 30 })
  .map((all) =>
    all.filter(({ name, colour }, index) => name !== all[index - 1]?.name || colour !== all[index - 1]?.colour),
  );

describe('the history of a record', () => {
  it('has the changes of every version on its pages, wherever the entries are stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        documents,
        fc.array(fc.integer({ min: 2, max: 30 })),
        fc.integer({ min: 1, max: 7 }),
        async (all, restored, limit) => {
          const { store, record } = write(all, restored);
          expect(await readPages(store, record, limit)).toMatchObject(toExpected(all));
        },
      ),
    );
  });

  it('stays in the item of the record for the first changes, so that they are no transactions', () => {
    const all = ['new', 'in_progress', 'on_hold', 'resolved'].map((name) => ({ name, colour: 'x'.repeat(650) }));
    const { transactions, record } = write(all);
    expect(transactions).toBe(0);
    expect(listRecent(thingType, record)).toMatchObject(toExpected(all));
  });

  it('shows an entry once that moved to an item while it was read', async () => {
    const all = Array.from({ length: 12 }, (_, index) => ({ name: `name ${index} ${'x'.repeat(80)}`, colour: null }));
    const { store } = write(all);
    const { record } = write(all.slice(0, 4));
    const { entries } = await readHistory(store, thingType, record, 0, 200);
    const versions = entries.map(({ version }) => version);
    expect(versions).toEqual(versions.map((_, index) => index + 1));
  });

  it('reads the entries of earlier releases, which have an item each', async () => {
    const store = memoryItems();
    const entry = {
      version: 1,
      at: '1970-01-01T00:00:01.000Z',
      ...author,
      changes: { name: { from: null, to: 'lamp' } },
    };
    store.items.set('THG0000001|version#0000000001', {
      pk: { S: 'THG0000001' },
      sk: { S: 'version#0000000001' },
      entry: { S: JSON.stringify(entry) },
    });
    expect(await readHistory(store, thingType, aThing(), 0, 10)).toEqual({ entries: [entry], hasMore: false });
  });
});
