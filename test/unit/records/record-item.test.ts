import {
  buildInsert,
  buildNoteCountUpdate,
  buildUpdate,
  toHistoryEntry,
  toRecord,
} from '../../../lambdas/records/record-item.ts';
import { aThing, author, itemOf, type Thing, thingType } from './thing.ts';

describe('the item of a record', () => {
  it('is the record again when it is read', () => {
    const record = aThing({ notes_count: 3, private_notes_count: 1, version: 7 });
    expect(toRecord<Thing>(itemOf(record))).toEqual(record);
  });

  it('has a place in the feed and in the indexes that its kind names', () => {
    const item = itemOf(aThing({ document: { name: 'lamp', colour: 'red' } }));
    expect(item).toMatchObject({
      pk: { S: 'THG0000001' },
      sk: { S: '#' },
      type: { S: 'thing' },
      feed_pk: { S: expect.stringMatching(/^thing#[0-3]$/) },
      feed_sk: { S: '1970-01-01T00:00:01.000Z#THG0000001' },
      colour_pk: { S: 'red' },
      listing: { B: Buffer.from('lamp') },
      origin: { S: '{"kind":"api","id":null}' },
      actor: { S: 'ada@example.com' },
    });
  });

  it('has no key of an index that the record is not in', () => {
    expect(itemOf(aThing())).not.toHaveProperty('colour_pk');
  });

  it('comes with the first entry of its history', () => {
    const writes = buildInsert(thingType, aThing(), author);
    expect(writes.map(({ name }) => name)).toEqual(['record', 'history']);
    const item = (writes[1] as { put: { Item: Parameters<typeof toHistoryEntry>[0] } }).put.Item;
    expect(item.sk).toEqual({ S: 'version#0000000001' });
    expect(toHistoryEntry(item)).toEqual({
      version: 1,
      at: '1970-01-01T00:00:01.000Z',
      ...author,
      changes: { name: { from: null, to: 'lamp' } },
    });
  });
});

describe('the replacement of a record', () => {
  const before = aThing({ document: { name: 'lamp', colour: 'red' } });
  const after = { ...before, version: 2, notes_count: 1, document: { name: 'lamp', colour: null } };
  const [write] = buildUpdate(thingType, before, after, author, {}) as unknown as [{ update: Record<string, unknown> }];

  it('takes it out of an index that it is no longer in, and leaves counts to addition', () => {
    expect(write.update.UpdateExpression).toMatch(
      / REMOVE colour_pk ADD notes_count :notes, private_notes_count :private$/,
    );
    expect(write.update.ExpressionAttributeValues).toMatchObject({ ':notes': { N: '1' }, ':private': { N: '0' } });
    expect(Object.values(write.update.ExpressionAttributeNames as object)).not.toContain('notes_count');
  });

  it('needs the version before, and a record that is not deleted', () => {
    expect(write.update.ConditionExpression).toBe('#version = :before AND attribute_not_exists(deleted)');
    expect(write.update.ExpressionAttributeValues).toMatchObject({ ':before': { N: '1' } });
  });
});

describe('the count of a note', () => {
  it('needs the version only where one is given', () => {
    const conditions = [
      buildNoteCountUpdate('X', { notes: 1, private: 0 }, 0),
      buildNoteCountUpdate('X', { notes: 1, private: 0 }, 0, 4),
    ].map((write) => (write as { update: { ConditionExpression?: string } }).update.ConditionExpression);
    expect(conditions).toEqual([
      'attribute_exists(pk) AND attribute_not_exists(deleted)',
      'attribute_exists(pk) AND attribute_not_exists(deleted) AND #version = :version',
    ]);
  });
});
