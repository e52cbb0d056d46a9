import { nameResolver } from '../../../lambdas/ai/query/names.ts';
import { type Found, type Searchable, searchTools } from '../../../lambdas/ai/query/search-tool.ts';
import { incidentListing } from '../../../lambdas/incidents/incident.ts';
import { incidentBounds, refineIncidentQuery } from '../../../lambdas/incidents/incident-query.ts';
import type { ListSource } from '../../../lambdas/lists/list-records.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';

const nowMs = 1_000_000;

/** Incidents of P1 in the state new; every second one has breached its service level. */
async function search(rows: number, input: object): Promise<Found> {
  const replica = new Replica(incidentListing);
  for (let number = 1; number <= rows; number++) {
    const breachMs = number % 2 === 0 ? nowMs - 1 : nowMs + 1;
    const times = [number, number, 0, breachMs, 0];
    const strings = ['network', null, null];
    replica.apply({ number, deleted: false, times, enums: [1, 1], strings, words: new Int32Array() });
  }
  const read = async (ids: readonly string[]) =>
    ids.map((id) => ({ record: { id, created_at: '', document: {} }, bytes: 10, feedKey: '' }));
  const searchable: Searchable = {
    spec: incidentListing,
    source: { replica: { refresh: async () => replica }, read } as unknown as ListSource,
    plural: 'incidents',
    also: 'tickets',
    path: '/incidents',
    shown: [],
    filters: ['assignment_group', 'assigned_to', 'category'],
    people: ['assigned_to'],
    sorts: ['created_at'],
    bounds: incidentBounds,
    refine: refineIncidentQuery,
  };
  const names = nameResolver('a@example.com', searchable, searchable);
  const [tool] = await searchTools(searchable, { nowMs, names });
  return (await tool?.run(input)) as Found;
}

describe('a search', () => {
  it('links a list with the same filters', async () => {
    const found = await search(3_000, { sla: ['breached'], assigned_to: null, priority: ['P1'] });
    expect(found).toMatchObject({ total: 1_500, list: '/incidents?sla=breached&missing=assigned_to&priority=P1' });
    expect(found.records).toHaveLength(10);
  });

  it('names the filter without results', async () => {
    const found = await search(4, { priority: ['P1'], state: ['closed'], assignment_group: 'network' });
    expect(found).toMatchObject({ total: 0, without: [{ filter: 'state', total: 4 }] });
    expect((await search(4, { priority: ['P2'], state: ['closed'] })).without).toEqual([]);
  });

  it('reports an unknown name, and searches without it', async () => {
    const found = await search(4, { assigned_to: 'grace', priority: ['P1'] });
    expect(found).toMatchObject({ total: 4, not_understood: ['no assignee is called "grace"'] });
  });
});
