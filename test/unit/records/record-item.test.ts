import fc from 'fast-check';
import { assertEtagMatches, isNotModified, toEtag } from '../../../lambdas/records/record.ts';
import {
  buildInsert,
  buildNoteCountUpdate,
  buildUpdate,
  toHistoryEntry,
  toRecord,
} from '../../../lambdas/records/record-item.ts';
import { aThing, author, type Thing, thingType, toItem } from './thing.ts';

describe('the item of a record', () => {
  it('converts back to the same record', () => {
    const record = aThing({ notes_count: 3, private_notes_count: 1, version: 7 });
    expect(toRecord<Thing>(toItem(record))).toEqual(record);
  });

  it('has the feed keys and the index keys of its type', () => {
    const item = toItem(aThing({ document: { name: 'lamp', colour: 'red' } }));
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

  it('has no keys of other indexes', () => {
    expect(toItem(aThing())).not.toHaveProperty('colour_pk');
  });

  it('is written with the first history entry', () => {
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
  const [write] = buildUpdate(thingType, [before, after], author) as unknown as [{ update: Record<string, unknown> }];

  it('removes outdated index keys and adds to the note counts', () => {
    expect(write.update.UpdateExpression).toMatch(
      / REMOVE colour_pk, through ADD notes_count :notes, private_notes_count :private$/,
    );
    expect(write.update.ExpressionAttributeValues).toMatchObject({ ':notes': { N: '1' }, ':private': { N: '0' } });
    expect(Object.values(write.update.ExpressionAttributeNames as object)).not.toContain('notes_count');
  });

  it('requires the previous version and a record that is not deleted', () => {
    expect(write.update.ConditionExpression).toBe('#version = :before AND attribute_not_exists(deleted)');
    expect(write.update.ExpressionAttributeValues).toMatchObject({ ':before': { N: '1' } });
  });
});

describe('the count of a note', () => {
  it('requires the version only if one is given', () => {
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

const record = fc.record({ version: fc.integer({ min: 1, max: 1e9 }), notes_count: fc.nat(1e6) });

describe('an ETag', () => {
  it('is equal if and only if version and number of notes are equal', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(toEtag(a) === toEtag(b)).toBe(a.version === b.version && a.notes_count === b.notes_count);
        expect(isNotModified(toEtag(a), b)).toBe(toEtag(a) === toEtag(b));
      }),
    );
  });

  it('matches only the version, so that notes do not conflict', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const matches = () => assertEtagMatches(toEtag(a), b);
        if (a.version === b.version) expect(matches).not.toThrow();
        else expect(matches).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
      }),
    );
  });

  const now = { version: 3, notes_count: 1 };

  it.each([undefined, '*', '"3-1"', '"3-0"', ' "1-0" , "3-9" '])('lets a change with If-Match %s pass', (header) => {
    expect(() => assertEtagMatches(header, now)).not.toThrow();
  });

  it.each(['"2-1"', 'W/"3-1"', '""', '"3"', '"3-"', '"a", "b"'])('rejects a change with If-Match %s', (header) => {
    expect(() => assertEtagMatches(header, now)).toThrow('The record has changed; its ETag is now "3-1".');
  });

  it.each([
    [undefined, false],
    ['*', true],
    ['W/"3-1"', true],
    ['"2-0", "3-1"', true],
    ['"3-0"', false],
  ])('with If-None-Match %s counts as unchanged: %s', (header, unchanged) => {
    expect(isNotModified(header, now)).toBe(unchanged);
  });
});
