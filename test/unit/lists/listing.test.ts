import type { BatchGetItemCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { incidentStates, priorities } from '../../../contract/states.ts';
import { incidentListing } from '../../../lambdas/incidents/incident-listing.ts';
import {
  decodeListing,
  defaultMaxWords,
  encodeListing,
  formatRecordId,
  type ListingSpec,
  parseRecordNumber,
  recordNumberLimit,
} from '../../../lambdas/lists/listing.ts';
import { createRecordCache, createRecordReader, type ReadRecord } from '../../../lambdas/lists/record-store.ts';
import { hashWord, splitWords } from '../../../lambdas/lists/words.ts';
import { createItemStore } from '../../../lambdas/records/item-store.ts';
import fc from '../../support/properties.ts';
import { fields, someId } from './arbitraries.ts';

const at = '2026-03-01T09:30:00.123Z';
const record = { id: 'INC7Q2M4KX', created_at: at, updated_at: at };
const anyNumber = fc.double({ min: 0, max: recordNumberLimit - 1, noNaN: true }).map(Math.floor);

/** The strings after the first three. */
const unset = incidentListing.strings.slice(3).map(() => null);

describe('listing', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(someId, fields, fc.boolean(), (id, own, deleted) => {
        const listing = decodeListing(
          incidentListing,
          encodeListing(incidentListing, { ...record, id, ...own, deleted }),
        );
        const texts = [own.short_description, own.category ?? '', own.description ?? ''];
        const words = deleted ? [] : [...splitWords(texts)].map(hashWord).sort((a, b) => a - b);
        expect(listing).toEqual({
          number: parseRecordNumber(id, 'INC'),
          deleted,
          times: [Date.parse(at), Date.parse(at), 0, 0, 0, 0],
          enums: [priorities.indexOf(own.priority as 'P1') + 1, incidentStates.indexOf(own.state as 'new') + 1],
          strings: [own.assignment_group, own.assigned_to, own.category, ...unset],
          words: Int32Array.from(new Set(words)),
        });
      }),
    );
  });

  it('distinguishes null from empty, and keeps any text', () => {
    const strings = ['', null, '🔥 tab\there'];
    const [assignment_group, assigned_to, category] = strings;
    const bytes = encodeListing(incidentListing, { ...record, assignment_group, assigned_to, category });
    expect(decodeListing(incidentListing, bytes).strings).toEqual([...strings, ...unset]);
  });

  it('supports record types with other fields', () => {
    const changes: ListingSpec = {
      type: 'change',
      idPrefix: 'CHG',
      times: ['planned_start'],
      enums: { risk: ['low', 'high'] },
      strings: [],
      words: ['short_description'],
    };
    const change = { ...record, id: 'CHG0000001', risk: 'high', planned_start: null, short_description: 'New router' };
    const { times, enums, words } = decodeListing(changes, encodeListing(changes, change));
    expect([times, enums, words.length]).toEqual([[Date.parse(at), Date.parse(at), 0], [2], 2]);
  });

  it('reads listings from before a time was added, or a string was added, without it', () => {
    const before: ListingSpec = {
      ...incidentListing,
      times: [],
      strings: incidentListing.strings.slice(0, 3),
      added: [],
    };
    const old = encodeListing(before, { ...record, category: 'mail' });
    const { times, strings } = decodeListing(incidentListing, old);
    expect([times, strings]).toEqual([
      [Date.parse(at), Date.parse(at), 0, 0, 0, 0],
      [null, null, 'mail', ...unset],
    ]);
    const between: ListingSpec = {
      ...incidentListing,
      times: incidentListing.times.slice(0, 3),
      strings: incidentListing.strings.slice(0, 3),
      added: [{ times: 3 }],
    };
    const newer = encodeListing(between, { ...record, resolved_at: at });
    expect(decodeListing(incidentListing, newer).times).toEqual([...[at, at, at].map(Date.parse), 0, 0, 0]);
    const current = encodeListing(incidentListing, { ...record, resolved_at: at, acknowledged_at: at });
    const [time] = [Date.parse(at)];
    expect(decodeListing(incidentListing, current).times).toEqual([time, time, time, 0, 0, time]);
    expect(() => decodeListing(before, current)).toThrow(/format \d/);
  });

  it('keeps the first words of a long text, the summary before the rest', () => {
    const description = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
    const bytes = encodeListing(incidentListing, { ...record, short_description: 'summary', description });
    const { words } = decodeListing(incidentListing, bytes);
    expect(words).toHaveLength(defaultMaxWords);
    expect(words).toContain(hashWord('summary'));
    expect(words).toContain(hashWord('word0'));
    expect(words).not.toContain(hashWord('word1999'));
  });

  it('rejects records of another type', () => {
    expect(() => encodeListing(incidentListing, { ...record, id: 'CHG0000001' })).toThrow(/not the id of a incident/);
    expect(() => encodeListing(incidentListing, { ...record, state: 'open' })).toThrow(/state .* is open/);
    expect(() => encodeListing(incidentListing, { ...record, updated_at: 'now' })).toThrow(/not a time/);
    expect(() => encodeListing(incidentListing, { ...record, category: 7 })).toThrow(/not a string/);
  });

  it('rejects bytes that are not a listing', () => {
    const bytes = encodeListing(incidentListing, { ...record, category: 'x', short_description: 'some words' });
    expect(() => decodeListing(incidentListing, bytes.subarray(0, -1))).toThrow(/truncated/);
    expect(() => decodeListing(incidentListing, Uint8Array.of(...bytes, 0))).toThrow(/trailing/);
    expect(() => decodeListing(incidentListing, Uint8Array.of(9, ...bytes.subarray(1)))).toThrow(/format 9/);
  });

  it('lists the states and priorities of the interface', () => {
    expect(incidentListing.enums).toEqual({ priority: priorities, state: incidentStates });
  });
});

describe('record numbers', () => {
  it('convert to ids and back', () => {
    fc.assert(
      fc.property(anyNumber, (number) => {
        expect(parseRecordNumber(formatRecordId(number, 'INC'), 'INC')).toBe(number);
      }),
    );
    expect(formatRecordId(recordNumberLimit - 1, 'INC')).toBe('INCZZZZZZZ');
  });

  it('sort like ids', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (a, b) => {
        expect(formatRecordId(a, 'INC') < formatRecordId(b, 'INC')).toBe(a < b);
      }),
    );
  });

  it.each(['INC12345678', 'INC123456', 'INCO000000', 'inc0000000', 'CHG0000000', ''])('rejects %j', (id) => {
    expect(parseRecordNumber(id, 'INC')).toBeUndefined();
  });
});

describe('words', () => {
  it.each([
    ['Büro BURO büro', ['buro']],
    ['Straße STRASSE', ['strasse']],
    ['ΟΔΟΣ οδος', ['οδος']],
    ['e-mail, 0x80070005; srv-01.example.com', ['e', 'mail', '0x80070005', 'srv', '01', 'example', 'com']],
    ['  …!? ', []],
    ['ﬁle ①', ['file', '1']],
    ['İstanbul', ['istanbul']],
  ])('finds in %j the words %j', (text, words) => {
    expect([...splitWords([text])]).toEqual(words);
  });

  it('does not depend on how accents are encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(splitWords([text.normalize('NFD')])).toEqual(splitWords([text.normalize('NFC')]));
      }),
    );
  });
});

const ids = Array.from({ length: 200 }, (_, index) => formatRecordId(index * 7, 'INC'));

/** A table that returns a limited number of items per call. */
function table(perCall: number, deleted: readonly string[] = []) {
  const calls: number[] = [];
  const client = {
    async send({ input }: { input: BatchGetItemCommandInput }) {
      const { Keys, ...rest } = input.RequestItems!.records!;
      calls.push(Keys!.length);
      // In arbitrary order, like DynamoDB.
      const given = Keys!.slice(0, perCall).reverse();
      const left = Keys!.slice(perCall);
      return {
        Responses: { records: given.map(({ pk }) => item(pk!.S!, deleted.includes(pk!.S!))) },
        UnprocessedKeys: left.length > 0 ? { records: { ...rest, Keys: left } } : {},
      };
    },
  };
  const store = createItemStore(client as unknown as DynamoDBClient, 'records', async () => {});
  return { calls, read: createRecordReader(store) };
}

function item(id: string, deleted: boolean) {
  return {
    pk: { S: id },
    version: { N: '1' },
    created_at: { S: '2026-03-01T00:00:00.000Z' },
    updated_at: { S: '2026-03-01T00:00:00.000Z' },
    document: { S: '{"a":"ü"}' },
    feed_sk: { S: `2026-03-01T00:00:00.000Z#${id}` },
    ...(deleted && { deleted: { BOOL: true } }),
  };
}

describe('createRecordReader', () => {
  it('reads 200 records in two calls and keeps the order of the ids', async () => {
    const { read, calls } = table(100);
    const records = await read(ids);
    expect(records.map(({ record }) => record.id)).toEqual(ids);
    expect(records[0]!.bytes).toBe(10);
    expect(calls).toEqual([100, 100]);
  });

  it('reads nothing for no ids', async () => {
    const { read, calls } = table(100);
    expect([await read([]), calls]).toEqual([[], []]);
  });

  it('retries unprocessed keys', async () => {
    const { read, calls } = table(40);
    expect((await read(ids.slice(0, 100))).map(({ record }) => record.id)).toEqual(ids.slice(0, 100));
    expect(calls).toEqual([100, 60, 20]);
  });

  it('fails after several empty responses', async () => {
    const { read, calls } = table(0);
    await expect(read(ids.slice(0, 5))).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toHaveLength(8);
  });

  it('omits deleted records', async () => {
    const { read } = table(100, [ids[1]!]);
    expect((await read(ids.slice(0, 3))).map(({ record }) => record.id)).toEqual([ids[0], ids[2]]);
  });
});

/** A table with the given records that records every call. */
function cacheTable(contents: Record<string, { key: string; bytes?: number }>) {
  const calls: string[][] = [];
  const state = { contents, calls, whileReading: async () => {} };
  const read = async (ids: readonly string[]) => {
    calls.push([...ids]);
    const found = ids.flatMap((id) => {
      const content = state.contents[id];
      if (!content) return [];
      return [{ record: { id }, feedKey: content.key, bytes: content.bytes ?? 10 } as unknown as ReadRecord<never>];
    });
    await state.whileReading();
    return found;
  };
  return { state, read };
}

const toKeys = (records: readonly ReadRecord<unknown>[]) => records.map(({ feedKey }) => feedKey);

describe('createRecordCache', () => {
  it('reads a record once while its feed key is unchanged', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' } });
    const recent = createRecordCache(read);
    await recent.read(['A', 'B']);
    recent.onFeedEntry('A', '1#A');
    expect(toKeys(await recent.read(['C', 'B', 'A']))).toEqual(['1#C', '1#B', '1#A']);
    expect(state.calls).toEqual([['A', 'B'], ['C']]);
  });

  it('reads it again when the feed shows another key', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    recent.onFeedEntry('A', '2#A');
    expect(toKeys(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('does not cache a record that changed during the read', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' } });
    const recent = createRecordCache(read);
    state.whileReading = async () => recent.onFeedEntry('A', '2#A');
    await recent.read(['A']);
    state.contents.A = { key: '2#A' };
    expect(toKeys(await recent.read(['A']))).toEqual(['2#A']);
  });

  it('omits missing records and does not cache their absence', async () => {
    const { state, read } = cacheTable({});
    const recent = createRecordCache(read);
    expect(await recent.read(['A'])).toEqual([]);
    state.contents.A = { key: '1#A' };
    expect(toKeys(await recent.read(['A']))).toEqual(['1#A']);
  });

  it('evicts the least recently used record', async () => {
    const { state, read } = cacheTable({ A: { key: '1#A' }, B: { key: '1#B' }, C: { key: '1#C' }, D: { key: '1#D' } });
    const recent = createRecordCache(read, 40);
    await recent.read(['A', 'B', 'C', 'D']);
    state.contents.E = { key: '1#E' };
    await recent.read(['A']);
    await recent.read(['E']);
    state.calls.length = 0;
    await recent.read(['A', 'B']);
    expect(state.calls).toEqual([['B']]);
  });

  it('makes no call for an empty page', async () => {
    const { state, read } = cacheTable({});
    expect(await createRecordCache(read).read([])).toEqual([]);
    expect(state.calls).toEqual([]);
  });
});
