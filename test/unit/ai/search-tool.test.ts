import { createNameResolver } from '../../../lambdas/ai/query/names.ts';
import type { Searchable } from '../../../lambdas/ai/query/resolve-filters.ts';
import { type Found, searchTools } from '../../../lambdas/ai/query/search-tool.ts';
import { incidentListing } from '../../../lambdas/incidents/incident.ts';
import { incidentBounds, refineIncidentQuery } from '../../../lambdas/incidents/incident-query.ts';
import type { ListSource } from '../../../lambdas/lists/list-records.ts';
import { formatRecordId } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../../lambdas/lists/replica-engine.ts';

const nowMs = 1_000_000;

/** Incidents of P1 in the state new, the third one closed; every second one has breached its service level. */
async function search(rows: number, input: object, tool = 'search_incidents'): Promise<Found> {
  const replica = new Replica(incidentListing);
  for (let number = 1; number <= rows; number++) {
    const breachMs = number % 2 === 0 ? nowMs - 1 : nowMs + 1;
    const times = [number, number, 0, breachMs, 0];
    const strings = ['network', null, null];
    const state = number === 3 ? 5 : 1;
    replica.apply({ number, deleted: false, times, enums: [1, state], strings, words: new Int32Array() });
  }
  const read = async (ids: readonly string[]) =>
    ids.map((id) => ({ record: { id, created_at: '', document: {} }, bytes: 10, feedKey: '' }));
  const searchable: Searchable = {
    spec: incidentListing,
    source: {
      engine: createReplicaEngine(incidentListing, { refresh: async () => replica }),
      read,
    } as unknown as ListSource,
    plural: 'incidents',
    synonyms: 'tickets',
    path: '/incidents',
    shown: [],
    filters: ['assignment_group', 'assigned_to', 'category'],
    people: ['assigned_to'],
    sorts: ['created_at'],
    bounds: incidentBounds,
    refine: refineIncidentQuery,
    openStates: ['new'],
    findSimilar: async (text) => (text.startsWith('wifi') ? [1, 2].map((number) => formatRecordId(number, 'INC')) : []),
  };
  const names = createNameResolver('a@example.com', searchable, searchable);
  const tools = await searchTools(searchable, { nowMs, names });
  return (await tools.find(({ name }) => name === tool)?.run(input)) as Found;
}

describe('a search', () => {
  it('links a list with the same filters', async () => {
    const found = await search(3_000, { sla: ['breached'], assigned_to: null, priority: ['P1'] });
    expect(found).toMatchObject({ total: 1_500, list: '/incidents?sla=breached&missing=assigned_to&priority=P1' });
    expect(found.records).toHaveLength(10);
  });

  it('names the filter without results', async () => {
    const found = await search(4, { priority: ['P1'], state: ['cancelled'], assignment_group: 'network' });
    expect(found).toMatchObject({ total: 0, without: [{ filter: 'state', total: 4 }] });
    expect((await search(4, { priority: ['P2'], state: ['cancelled'] })).without).toEqual([]);
  });

  it('reports an unknown name, and searches without it', async () => {
    const found = await search(4, { assigned_to: 'grace', priority: ['P1'] });
    expect(found).toMatchObject({ total: 4, not_understood: ['no assignee is called "grace"'] });
  });

  it('says how many still need work when no state was asked for', async () => {
    expect(await search(4, { priority: ['P1'] })).toMatchObject({ total: 4, open: 3 });
    expect(await search(4, { state: ['new'] })).not.toHaveProperty('open');
  });

  it('finds records of the same meaning when none has the words', async () => {
    const list = `/incidents?state=new&id=${[1, 2].map((number) => formatRecordId(number, 'INC'))}`;
    const found = await search(4, { text: 'wifi', state: ['new'] });
    expect(found).toMatchObject({ total: 2, similar_to: 'wifi', list });
    expect(await search(4, { text: 'wifi', state: ['cancelled'] })).toMatchObject({ total: 0 });
    expect(await search(4, { text: 'flibber' })).toMatchObject({ total: 0 });
    expect(await search(4, { text: 'wifi-9' })).toMatchObject({ total: 0 });
  });

  it('counts groups within groups', async () => {
    const found = await search(4, { by: 'state', then_by: 'assignment_group' }, 'count_incidents');
    expect(found.counts).toEqual([
      { value: 'new', count: 3, counts: [{ value: 'network', count: 3 }] },
      { value: 'closed', count: 1, counts: [{ value: 'network', count: 1 }] },
    ]);
  });

  it('counts only the largest groups on request', async () => {
    const found = await search(4, { by: 'state', limit: 1 }, 'count_incidents');
    expect(found).toMatchObject({ total: 4, counts: [{ value: 'new', count: 3 }] });
  });
});
