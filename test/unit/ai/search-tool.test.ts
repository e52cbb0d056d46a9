import * as z from 'zod';
import { nameResolver } from '../../../lambdas/ai/query/names.ts';
import { type Found, type Searchable, searchTools } from '../../../lambdas/ai/query/search-tool.ts';
import { incidentListing } from '../../../lambdas/incidents/incident.ts';
import type { ListSource } from '../../../lambdas/lists/list-records.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';

function searchableWith(rows: number): Searchable {
  const replica = new Replica(incidentListing);
  for (let number = 1; number <= rows; number++) {
    const times = [number, number];
    replica.apply({
      number,
      deleted: false,
      times,
      enums: [1, 1],
      strings: [null, null, null],
      words: new Int32Array(),
    });
  }
  const read = async (ids: readonly string[]) =>
    ids.map((id) => ({ record: { id, created_at: '', document: {} }, bytes: 10, feedKey: '' }));
  return {
    spec: incidentListing,
    source: { replica: { refresh: async () => replica }, read } as unknown as ListSource,
    plural: 'incidents',
    also: 'tickets',
    path: '/incidents',
    shown: [],
    filters: [],
    people: [],
    sorts: ['created_at'],
    extra: { even: { schema: evenSchema, apply: async () => ({ test: () => true }) } },
  };
}

const evenSchema = z.boolean().optional();

async function searchEven(rows: number): Promise<Found> {
  const searchable = searchableWith(rows);
  const context = {
    callerEmail: 'a@example.com',
    nowMs: 0,
    names: nameResolver('a@example.com', searchable, searchable),
  };
  const [search] = await searchTools(searchable, context);
  return (await search?.run({ even: true })) as Found;
}

describe('a filter that no list has', () => {
  it('says that only 2,000 records were checked, and links no list then', async () => {
    const found = await searchEven(2_001);
    expect(found).toMatchObject({ total: 2_000, checked_only: 2_000 });
    expect(found.list).toBeUndefined();
  });

  it('links a list of up to 100 ids', async () => {
    const found = await searchEven(100);
    expect(found.checked_only).toBeUndefined();
    expect(found.list?.match(/INC/g)).toHaveLength(100);
    expect((await searchEven(101)).list).toBeUndefined();
  });
});
