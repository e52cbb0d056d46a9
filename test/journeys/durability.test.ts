import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { call, tokenOf } from '../support/http.ts';
import { startService } from '../support/service.ts';
import { recordsTable, tableClient } from '../support/tables.ts';

const key = (index: number) => ({ pk: { S: `crash-${index}` }, sk: { S: '#' } });

describe('kill -9 under write load', () => {
  it('loses no acknowledged write', async () => {
    const first = await startService();
    const client = tableClient(first);
    const TableName = await recordsTable(client);
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
    const reader = tableClient(second);
    const missing: number[] = [];
    for (const index of acknowledged) {
      const { Item } = await reader.send(new GetItemCommand({ TableName, Key: key(index) }));
      if (Item?.index?.N !== String(index)) missing.push(index);
    }
    reader.destroy();
    expect(missing).toEqual([]);
    expect((await call(second, '/v1/me', { token: await tokenOf(second, 'agent') })).status).toBe(200);
    await second.stop();
  });

  it('keeps clients, people, passwords, tokens and the clock', async () => {
    const first = await startService();
    await first.advance('3h');
    const token = await tokenOf(first, 'agent');
    await first.kill();
    const second = await startService({ dataFolder: first.dataFolder });
    expect(second.credentials.clients).toEqual(first.credentials.clients);
    expect(second.credentials.users).toEqual(first.credentials.users);
    const { body, status } = await call(second, '/v1/health', { token });
    // The port is another one, and so is the issuer: the old token is foreign now.
    expect(status).toBe(401);
    expect(body.code).toBe('unauthorized');
    const health = await call(second, '/v1/health', { token: await tokenOf(second, 'agent') });
    expect(Date.parse(health.body.time)).toBeGreaterThan(Date.now() + 2.9 * 3_600_000);
    await second.stop();
  });
});
