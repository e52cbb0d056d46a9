// What was read or written a moment ago is kept in memory; nobody may ever notice.
import fc from 'fast-check';
import { get, n, put, remove, s, update } from './case.ts';
import { type Fixture, openDynamoDb, tableProperties } from './fixture.ts';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await openDynamoDb();
  fixture.dynamoDb.ensureTable(tableProperties());
});
afterEach(() => fixture.close());

const extractKey = (index: number) => ({ pk: s(`k${index}`), sk: s('1') });
const calls = ({ operation, input }: { operation: string; input: object }) => fixture.call(operation, input);
const items = async () => {
  const found = [];
  for (let index = 0; index < 5; index++) found.push((await calls(get('things', extractKey(index)))).Item ?? null);
  return found;
};

const kinds = ['put', 'update', 'remove', 'get', 'refused', 'undone'] as const;

/** A commit that fails as a whole after the change was made. */
async function undone(index: number, value: number): Promise<void> {
  const [, failed] = await Promise.allSettled([
    calls(put('things', { ...extractKey(index), v: n(value), by: s('nobody') })),
    fixture.storage.writeChecked(() => {
      fixture.storage.prepare('DELETE FROM dynamodb_used_tokens').run();
      throw new Error('the disk is full');
    }),
  ]);
  expect(failed.status).toBe('rejected');
}

async function act(kind: (typeof kinds)[number], index: number, value: number): Promise<unknown> {
  const key = extractKey(index);
  if (kind === 'put') return calls(put('things', { ...key, v: n(value), put: s('x'.repeat(value)) }));
  if (kind === 'update') {
    const more = { ExpressionAttributeValues: { ':v': n(value), ':w': s('w') } };
    return calls(update('things', key, 'SET v = :v, w = :w ADD counted :v', more));
  }
  if (kind === 'remove') return calls(remove('things', key));
  if (kind === 'undone') return undone(index, value);
  if (kind === 'get') return calls(get('things', key));
  const refused = { ConditionExpression: 'v = :never', ExpressionAttributeValues: { ':never': n(-1) } };
  return calls(put('things', { ...key, v: n(value) }, refused)).catch((error: Error) => error);
}

describe('items that were used a moment ago', () => {
  it('are what is on the disk, whatever happened to them', async () => {
    const step = fc.tuple(fc.constantFrom(...kinds), fc.nat(4), fc.integer({ min: 1, max: 50 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        for (const [kind, index, value] of steps) await act(kind, index, value);
        const before = await items();
        await fixture.restart();
        expect(await items()).toEqual(before);
        expect(JSON.stringify(before)).not.toContain('nobody');
      }),
      { numRuns: 25 },
    );
  });
});
