import { listRecent } from '../../../lambdas/records/history.ts';
import { type IdempotentRequest, toStoredResponseWrite, writeOnce } from '../../../lambdas/records/idempotency.ts';
import type { Item } from '../../../lambdas/records/items.ts';
import { createHmacCursorSeal, fitRows, maxPageBytes, measureJson } from '../../../lambdas/records/page.ts';
import { assertEtagMatches, isNotModified, toEtag } from '../../../lambdas/records/record.ts';
import { buildInsert, buildNoteCountUpdate, buildUpdate, toRecord } from '../../../lambdas/records/record-item.ts';
import type { Outcome } from '../../../lambdas/records/write-items.ts';
import fc from '../../support/properties.ts';
import { aThing, author, noWait, scriptedStore, type Thing, thingType, toInsertedItem, toItem } from './thing.ts';

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

  it('is written with the first history entry, as one item', () => {
    const writes = buildInsert(thingType, aThing(), author);
    expect(writes.map(({ name }) => name)).toEqual(['record']);
    expect(listRecent(thingType, toRecord<Thing>(toInsertedItem(aThing())))).toEqual([
      { version: 1, at: '1970-01-01T00:00:01.000Z', ...author, changes: { name: { from: null, to: 'lamp' } } },
    ]);
  });
});

describe('the replacement of a record', () => {
  const before = aThing({ document: { name: 'lamp', colour: 'red' } });
  const after = { ...before, version: 2, notes_count: 1, document: { name: 'lamp', colour: null } };
  const [write] = buildUpdate(thingType, [before, after], author) as unknown as [{ update: Record<string, unknown> }];

  it('removes outdated index keys and adds to the note counts', () => {
    expect(write.update.UpdateExpression).toMatch(
      / REMOVE colour_pk, through, follow_up ADD notes_count :notes, private_notes_count :private$/,
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

const lambdaAnswerBytes = 6 * 1024 * 1024;

describe('fitRows', () => {
  it('keeps a prefix of at most `limit` rows, and at least one', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 2 * maxPageBytes }), { maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 40 }), (rows, limit) => {
        const kept = fitRows(rows, limit, (bytes) => bytes);
        const sum = (some: readonly number[]) => some.reduce((total, bytes) => total + bytes, 0);
        expect(kept).toEqual(rows.slice(0, kept.length));
        expect(kept.length).toBeLessThanOrEqual(limit);
        if (rows.length > 0) expect(kept.length).toBeGreaterThan(0);
        if (kept.length > 1) expect(sum(kept)).toBeLessThanOrEqual(maxPageBytes);
        if (kept.length < Math.min(rows.length, limit)) {
          expect(sum(rows.slice(0, kept.length + 1))).toBeGreaterThan(maxPageBytes);
        }
      }),
    );
  });

  it.each(['"', '\\', '\n', '🔥', 'é'])('leaves room for the escapes that Lambda adds to texts of %j', (character) => {
    const rows = Array.from({ length: 200 }, () => ({ body: character.repeat(32_000) }));
    const body = JSON.stringify({ data: fitRows(rows, 200, measureJson) });
    const response = Buffer.byteLength(JSON.stringify({ statusCode: 200, headers: {}, body }));
    expect(response).toBeLessThan(lambdaAnswerBytes - 100_000);
  });
});

const { seal, open } = createHmacCursorSeal('a key');
const foreign = expect.objectContaining({ code: 'invalid_input' });

describe('a cursor', () => {
  it('returns its position in its own list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1, unit: 'grapheme' }), (list, position) => {
        expect(open(list, seal(list, position))).toBe(position);
      }),
    );
  });

  it('is rejected in every other list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string({ minLength: 1 }), (list, other, position) => {
        fc.pre(list !== other);
        expect(() => open(other, seal(list, position))).toThrow(foreign);
      }),
    );
  });

  it('is rejected when any of its bytes was changed', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (position, at, flip) => {
        const bytes = Buffer.from(seal('list', position), 'base64url');
        bytes[at % bytes.length]! ^= flip;
        expect(() => open('list', bytes.toString('base64url'))).toThrow(foreign);
      }),
    );
  });

  it('is rejected when it is malformed', () => {
    fc.assert(fc.property(fc.string(), (nonsense) => expect(() => open('list', nonsense)).toThrow(foreign)));
  });

  it('is rejected by a service with another key', () => {
    expect(() => createHmacCursorSeal('another key').open('list', seal('list', 'x'))).toThrow(foreign);
  });

  it('does not confuse the end of the list’s name with the start of the position', () => {
    expect(() => open('ab', seal('a', 'bc'))).toThrow(foreign);
  });
});
