import * as z from 'zod';
import { createKinds, type Kind } from '../../../lambdas/ai/query/kinds.ts';
import { createNameResolver } from '../../../lambdas/ai/query/names.ts';
import {
  createKnowledgeTool,
  createOnCallTool,
  createRecordTool,
  createWebhookTool,
} from '../../../lambdas/ai/query/record-tools.ts';
import { createSearchTools, type Found, type Measured } from '../../../lambdas/ai/query/search-tools.ts';
import type { ListSource } from '../../../lambdas/lists/list-records.ts';
import { formatRecordId, type ListingSpec } from '../../../lambdas/lists/listing.ts';
import { Replica } from '../../../lambdas/lists/replica.ts';
import { createReplicaEngine } from '../../../lambdas/lists/replica-engine.ts';
import type { Caller } from '../../../lambdas/platform/caller.ts';

const nowMs = 1_000_000;
const caller = { email: 'a@example.com', roles: ['itsm_manager'] } as unknown as Caller;

/** Incidents of P1 in the state new, the third one closed; every second one has breached its service level. */
async function createTools(rows: number, names: readonly string[] = []) {
  const list = (spec: ListingSpec): ListSource => {
    const replica = new Replica(spec);
    for (const dictionary of replica.dictionaries) for (const name of names) dictionary.add(name);
    for (let number = 1; spec.type === 'incident' && number <= rows; number++) {
      const breachMs = number % 2 === 0 ? nowMs - 1 : nowMs + 1;
      const times = [number, number, 0, breachMs, 0, 0];
      const strings = [number === 4 ? 'messaging' : 'network', null, null, null, null, null];
      const enums = [1, number === 3 ? 5 : 1];
      replica.apply({ number, deleted: false, times, enums, strings, words: new Int32Array() });
    }
    const read = async (ids: readonly string[]) =>
      ids.map((id) => ({ record: { id, created_at: '', document: {} }, bytes: 10, feedKey: '' }));
    return { engine: createReplicaEngine(spec, { refresh: async () => replica }), read } as unknown as ListSource;
  };
  const findSimilar: Kind['findSimilar'] = async (text) =>
    text.startsWith('wifi') ? [1, 2].map((number) => formatRecordId(number, 'INC')) : [];
  const kinds = createKinds(list, findSimilar);
  const context = {
    nowMs,
    caller,
    names: createNameResolver(caller.email, kinds.incidents, kinds.configuration_items),
  };
  return { context, tools: await createSearchTools(kinds, context) };
}

async function run<Result>(tool: string, rows: number, input: object): Promise<Result> {
  const { tools } = await createTools(rows);
  return (await tools.find(({ name }) => name === tool)?.run(input)) as Result;
}

const search = (rows: number, input: object) => run<Found>('search', rows, { kind: 'incidents', ...input });
const measure = (rows: number, input: object) => run<Measured>('statistics', rows, { kind: 'incidents', ...input });

describe('search', () => {
  it('links a list with the same filters', async () => {
    const found = await search(3_000, { sla: ['breached'], missing: ['assigned_to'], priority: ['P1'] });
    expect(found).toMatchObject({ total: 1_500, list: '/incidents?sla=breached&priority=P1&missing=assigned_to' });
    expect(found.records).toHaveLength(10);
    const others = await search(4, { not: { assignment_group: ['network'] } });
    expect(others).toMatchObject({ total: 1, list: '/incidents?not=assignment_group:network' });
    expect(await search(4, { assignment_group: ['network', 'messaging'] })).toMatchObject({ total: 4 });
  });

  it('names the filter without results', async () => {
    const found = await search(4, { priority: ['P1'], state: ['cancelled'], assignment_group: ['network'] });
    expect(found).toMatchObject({ total: 0, without: [{ filter: 'state', total: 3 }] });
    expect((await search(4, { priority: ['P2'], state: ['cancelled'] })).without).toEqual([]);
  });

  it('reports an unknown name, and searches without it', async () => {
    const found = await search(4, { assigned_to: ['grace'], priority: ['P1'] });
    expect(found).toMatchObject({ total: 4, not_understood: ['no assignee is called "grace"'] });
    expect(await search(4, { assignment_group: ['our'] })).toMatchObject({ total: 4 });
    expect(await search(4, { assignment_group: ['our'] })).not.toHaveProperty('not_understood');
  });

  it('rejects filters that the kind of record does not have', async () => {
    await expect(run('search', 1, { kind: 'requests', priority: ['P1'], missing: ['category'] })).rejects.toThrow(
      'requests cannot be filtered by priority, category.',
    );
    await expect(measure(1, { filters: { colour: 'red' } })).rejects.toThrow(/colour/);
  });

  it('says how many still need work when no state was asked for', async () => {
    expect(await search(4, { priority: ['P1'] })).toMatchObject({ total: 4, open: 3 });
    expect(await search(4, { state: ['new'] })).not.toHaveProperty('open');
  });

  it('finds records of the same meaning when none has the words', async () => {
    const ids = [1, 2].map((number) => formatRecordId(number, 'INC'));
    const found = await search(4, { text: 'wifi', state: ['new'] });
    expect(found).toMatchObject({ total: 2, similar_to: 'wifi', list: `/incidents?state=new&id=${ids}` });
    expect(await search(4, { text: 'wifi', state: ['cancelled'] })).toMatchObject({ total: 0 });
    expect(await search(4, { text: 'wifi-9' })).toMatchObject({ total: 0 });
  });
});

describe('statistics', () => {
  it('groups, compares, and links the same figures', async () => {
    const found = await measure(4, { group_by: ['state', 'assignment_group'], top: 2 });
    expect(found).toMatchObject({ count: 4, groups: [{ count: 2 }, { count: 1 }], other: 1 });
    const compared = await measure(4, {
      filters: { assignment_group: ['network'] },
      compare: { assignment_group: ['messaging'] },
    });
    expect(compared).toMatchObject({
      count: 3,
      compared: { count: 1 },
      difference: { count: 2 },
      list: '/incidents/statistics?assignment_group=network&compare=assignment_group%3Dmessaging',
    });
  });
});

describe('the schemas of the tools', () => {
  it('take at most 12 KB, because they are sent with every question', async () => {
    const names = Array.from({ length: 100 }, (_, place) => `infrastructure team ${place}`);
    const { context, tools } = await createTools(0, names);
    const others = [
      createRecordTool({} as never, context),
      createKnowledgeTool(async () => ({}) as never),
      createOnCallTool({} as never, context),
      createWebhookTool({} as never, context),
    ];
    const specs = [...tools, ...others].map((tool) => {
      const { name, description, input } = tool!;
      return { name, description, schema: z.toJSONSchema(input, { io: 'input' }) };
    });
    expect(JSON.stringify(specs).length).toBeLessThanOrEqual(12 * 1_024);
  });

  it('offer no webhooks to callers who may not read them', async () => {
    const { context } = await createTools(0);
    expect(
      createWebhookTool({} as never, { ...context, caller: { ...caller, roles: ['itsm_agent'] } }),
    ).toBeUndefined();
  });
});
