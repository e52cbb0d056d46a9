import { randomInt } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Api, anIncident, getApi } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Shown {
  id: string;
  created_at: string;
  updated_at: string;
  priority: string;
  sla_breach_at: string;
}

async function walk(api: Api, query: string, between: () => Promise<void> = async () => {}): Promise<Shown[]> {
  const walked: Shown[] = [];
  let cursor = '';
  for (let page = 0; page < 200; page++) {
    const { status, body } = await api.get(`/incidents?${query}${cursor && `&cursor=${cursor}`}`);
    expect(status).toBe(200);
    walked.push(...body.data);
    if (!body.next_cursor) return walked;
    cursor = body.next_cursor;
    await between();
  }
  throw new Error('the list does not end');
}

describe('lists', () => {
  it('return every unchanged record once and in order during concurrent writes', async () => {
    const [agent, manager, viewer] = await Promise.all(
      (['agent', 'manager', 'viewer'] as const).map((name) => getApi(service, name)),
    );
    const create = async (_: unknown, index: number): Promise<string> =>
      (await anIncident(agent!, { priority: `P${1 + (index % 4)}` })).body.id;
    const ids = await Promise.all(Array.from({ length: 40 }, create));
    // Half of them stay as they are; the rest is changed and deleted, and new ones come.
    const [kept, touched] = [ids.slice(0, 20), ids.slice(20)];
    const disturb = async () => {
      const target = touched[randomInt(touched.length)]!;
      await Promise.all([
        anIncident(agent!),
        agent!.patch(`/incidents/${target}`, { priority: `P${randomInt(1, 5)}`, subcategory: String(randomInt(1e9)) }),
        manager!.delete(`/incidents/${touched[randomInt(touched.length)]}`),
      ]);
    };
    for (const sort of ['created_at', 'priority', 'updated_at'] as const) {
      for (const order of ['asc', 'desc']) {
        const walked = await walk(viewer!, `sort=${sort}&order=${order}&limit=7`, disturb);
        const found = walked.filter(({ id }) => kept.includes(id));
        const sign = order === 'asc' ? 1 : -1;
        const key = (record: Shown) => `${record[sort]} ${sort === 'priority' && record.sla_breach_at} ${record.id}`;
        const expected = [...found].sort((a, b) => (key(a) < key(b) ? -sign : sign));
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(new Set(found.map(({ id }) => id))).toEqual(new Set(kept));
        expect(found).toHaveLength(kept.length);
      }
    }
  });

  it('show every caller their own writes immediately under concurrent load', async () => {
    const agent = await getApi(service, 'agent');
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 1; count <= 5; count++) {
        await anIncident(agent, { category: `writer-${writer}` });
        const { body } = await agent.get(`/incidents?category=writer-${writer}`);
        expect(body.total).toBe(count);
      }
    });
    await Promise.all(writers);
  });

  it('are the same after a crash and after a start from a snapshot', async () => {
    const manager = await getApi(service, 'manager');
    const records = Array.from({ length: 100 }, (_, index) => ({ short_description: `bulk ${index}`, priority: 'P4' }));
    // Enough changes for a snapshot to be worth it.
    for (let job = 0; job < 11; job++) {
      expect((await manager.post('/incidents/bulk', { operation: 'create', records })).status).toBe(202);
    }
    await service.advance('6m', ['write-list-snapshots']);
    await service.advance('6m', ['write-list-snapshots']);
    expect(readdirSync(join(service.dataFolder, 's3'), { recursive: true }).length).toBeGreaterThan(2);
    const { body } = await manager.get('/incidents?q=bulk&sort=updated_at&limit=200');
    expect(body.total).toBe(1_100);
    const target = body.data[5].id;
    await manager.patch(`/incidents/${target}`, { short_description: 'changed after the snapshot' });
    await manager.delete(`/incidents/${body.data[6].id}`);
    const before = await manager.get('/incidents?sort=priority&limit=200');
    await service.kill();
    const { dataFolder } = service;
    service = await startService({ dataFolder });
    const again = await getApi(service, 'manager');
    expect((await again.get('/incidents?sort=priority&limit=200')).body).toEqual(before.body);
    expect((await again.get('/incidents?q=snapshot')).body).toMatchObject({ total: 1, data: [{ id: target }] });
    expect((await again.get('/incidents?q=bulk')).body.total).toBe(1_098);
  });
});
