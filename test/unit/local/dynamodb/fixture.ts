// A separate DynamoDB for each test, on a clock that the test controls.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Input } from '../../../../local/aws/service.ts';
import { Clock } from '../../../../local/clock/clock.ts';
import { createDynamoDb, type DynamoDb } from '../../../../local/dynamodb/dynamodb.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import { StorageFaults } from '../../../../local/storage/storage-faults.ts';

export const environment = {
  stackName: 'stack',
  region: 'us-east-1',
  accountId: '000000000000',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://localhost:3001',
};

export interface Fixture {
  readonly clock: Clock;
  readonly dynamoDb: DynamoDb;
  readonly storage: Storage;
  readonly faults: StorageFaults;
  call(operation: string, input: Input): Promise<Input>;
  /** Closes it and opens the same data, as after a restart. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function openDynamoDb(): Promise<Fixture> {
  const folder = mkdtempSync(join(tmpdir(), 'dynamodb-'));
  const faults = new StorageFaults();
  let now = Date.parse('2026-03-01T10:00:30.000Z');
  const open = async () => {
    const storage = new Storage(folder, { faults });
    storage.exec('PRAGMA synchronous = OFF');
    const clock = new Clock({ systemNow: () => now });
    const log = { info() {}, warn() {}, error() {} };
    const dynamoDb = createDynamoDb({ storage, clock, environment, log });
    await dynamoDb.start();
    return { storage, clock, dynamoDb };
  };
  let current = await open();
  const stop = async () => {
    await current.dynamoDb.stop();
    now = current.clock.now();
    current.clock.stop();
    current.storage.close();
  };
  return {
    faults,
    get clock() {
      return current.clock;
    },
    get dynamoDb() {
      return current.dynamoDb;
    },
    get storage() {
      return current.storage;
    },
    call: (operation, input) => current.dynamoDb.service.call(operation, input, () => {}),
    async restart() {
      await stop();
      current = await open();
    },
    async close() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The properties of AWS::DynamoDB::Table, with pk and sk as keys. */
export function tableProperties(more: object = {}): Input {
  return {
    TableName: 'things',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  };
}
