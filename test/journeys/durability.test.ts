import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { root } from '../../tools/build/local-build.ts';
import { call, getToken } from '../support/http.ts';
import { anIncident, getApi } from '../support/incidents.ts';
import { startService } from '../support/service.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';

const key = (index: number) => ({ pk: { S: `crash-${index}` }, sk: { S: '#' } });

describe('durability', () => {
  it('loses no acknowledged write after kill -9', async () => {
    const first = await startService();
    const client = createTableClient(first);
    const TableName = await findRecordsTable(client);
    const acknowledged: number[] = [];
    let next = 0;
    const writer = async () => {
      for (; next < 100_000; ) {
        const index = next++;
        await client.send(new PutItemCommand({ TableName, Item: { ...key(index), index: { N: String(index) } } }));
        acknowledged.push(index);
        if (acknowledged.length === 500) await first.kill();
      }
    };
    await Promise.allSettled(Array.from({ length: 16 }, writer));
    client.destroy();
    expect(acknowledged.length).toBeGreaterThanOrEqual(500);

    const second = await startService({ dataFolder: first.dataFolder });
    const reader = createTableClient(second);
    const missing: number[] = [];
    for (const index of acknowledged) {
      const { Item } = await reader.send(new GetItemCommand({ TableName, Key: key(index) }));
      if (Item?.index?.N !== String(index)) missing.push(index);
    }
    reader.destroy();
    expect(missing).toEqual([]);
    expect((await call(second, '/v1/me', { token: await getToken(second, 'agent') })).status).toBe(200);
    await second.stop();
  });

  it('restores a backup that was taken while the service runs', async () => {
    const first = await startService();
    const api = await getApi(first, 'agent');
    const before = await Promise.all(Array.from({ length: 5 }, () => anIncident(api)));
    const backup = join(mkdtempSync(join(tmpdir(), 'backup-')), 'copy');
    const run = (script: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', join(root, `bin/${script}.ts`), ...args], {
        env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: script === 'backup' ? first.dataFolder : restored },
      });
    const restored = join(mkdtempSync(join(tmpdir(), 'restored-')), 'data');
    const [{ stdout }] = await Promise.all([run('backup', backup), ...before.map(() => anIncident(api))]);
    expect(stdout).toMatch(/^Backed up \d+ files/);
    await first.stop();
    expect((await run('restore', backup)).stdout).toMatch(/^Restored the backup of/);

    const second = await startService({ dataFolder: restored });
    const again = await getApi(second, 'agent');
    for (const { body } of before) expect((await again.get(`/incidents/${body.id}`)).body).toEqual(body);
    expect(second.credentials.users).toEqual(first.credentials.users);
    await second.stop();
    rmSync(dirname(backup), { recursive: true });
    rmSync(dirname(restored), { recursive: true });
  });

  it('keeps clients, users, passwords, tokens and the clock', async () => {
    const first = await startService();
    await first.advance('10m', []);
    const token = await getToken(first, 'agent');
    await first.kill();
    const second = await startService({ dataFolder: first.dataFolder });
    expect(second.credentials.clients).toEqual(first.credentials.clients);
    expect(second.credentials.users).toEqual(first.credentials.users);
    const { body, status } = await call(second, '/v1/health', { token });
    // The port is another one, and so is the issuer: the old token is foreign now.
    expect(status).toBe(401);
    expect(body.code).toBe('unauthorized');
    const health = await call(second, '/v1/health', { token: await getToken(second, 'agent') });
    expect(Date.parse(health.body.time)).toBeGreaterThan(Date.now() + 9 * 60_000);
    await second.stop();
  });
});
