import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Api, getApi } from '../support/incidents.ts';
import { type Service, startService } from '../support/service.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

const description = 'x'.repeat(20_000);
const maxIncidents = 2_000;

let service: Service;
const disk = mountSmallDisk(10);
if (!disk) process.stderr.write('A small disk cannot be mounted: its test is left out, faults stand in for it.\n');

afterAll(async () => {
  await service?.stop();
  disk?.remove();
});

const onDisk = disk ? it : it.skip;

describe('a full disk', () => {
  onDisk('answers writes with 503, goes on reading, and loses nothing it acknowledged', async () => {
    const dataFolder = join(disk!.folder, 'data');
    cpSync(process.env.STARTED_DATA!, dataFolder, { recursive: true });
    service = await startService({ dataFolder });
    let api = await getApi(service, 'manager');
    const acknowledged: string[] = [];
    await fillDisk(api, acknowledged);
    await expectReadOnly(api, acknowledged[0]!);

    disk!.resize(64);
    acknowledged.push(await firstSuccess(api));
    await service.kill();
    service = await startService({ dataFolder });
    api = await getApi(service, 'manager');
    await expectAll(api, acknowledged);
  });

  it('recovers without a restart after every kind of fault', async () => {
    if (service) await service.stop();
    service = await startService();
    const api = await getApi(service, 'manager');
    const acknowledged = [await firstSuccess(api)];
    for (const at of ['statement', 'commit', 'flush']) {
      for (const error of ['ENOSPC', 'EIO']) {
        await fault({ service: 'storage', at, error });
        await expectReadOnly(api, acknowledged[0]!);
        await fetch(`${service.baseUrl}/_local/faults`, { method: 'DELETE' });
        acknowledged.push(await firstSuccess(api));
      }
    }
    await expectAll(api, acknowledged);
  });
});

async function fault(body: object): Promise<void> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  expect((await fetch(`${service.baseUrl}/_local/faults`, init)).status).toBe(200);
}

async function fillDisk(api: Api, acknowledged: string[]): Promise<void> {
  let refusals = 0;
  const writer = async () => {
    while (refusals < 20 && acknowledged.length < maxIncidents) {
      const { status, body } = await api.post('/incidents', { short_description: 'Fills the disk', description });
      if (status === 201) acknowledged.push(body.id);
      else if (status === 503) refusals++;
      else expect(status).toBe(429);
      if (status === 429) await pause(100);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  expect(refusals).toBeGreaterThanOrEqual(20);
}

async function expectReadOnly(api: Api, id: string): Promise<void> {
  const rejected = await api.post('/incidents', { short_description: 'Does not fit', description });
  expect(rejected.status).toBe(503);
  expect(rejected.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(rejected.body).toMatchObject({ code: 'unavailable', status: 503 });
  expect((await api.get(`/incidents/${id}`)).status).toBe(200);
  expect((await api.get('/health')).status).toBe(200);
}

async function firstSuccess(api: Api): Promise<string> {
  const { body } = await until(
    () => api.post('/incidents', { short_description: 'There is space', description }),
    ({ status }) => {
      expect([201, 429, 503]).toContain(status);
      return status === 201;
    },
    () => pause(250),
  );
  return body.id;
}

async function expectAll(api: Api, ids: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const id of ids) {
    let { status } = await api.get(`/incidents/${id}`);
    for (; status === 429; { status } = await api.get(`/incidents/${id}`)) await pause(100);
    if (status !== 200) missing.push(id);
  }
  expect(missing).toEqual([]);
  const { body } = await api.get('/events?limit=200');
  const sequences: number[] = body.data.map(({ sequence }: { sequence: number }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index));
}
