// Fills a data folder with the runtime's own DynamoDB before any service runs on it: the same items, indexes and files
// as through the API, without the events of a million creations.
import { Clock } from '../../local/clock/clock.ts';
import { resourceTypes } from '../../local/cloud.ts';
import { createDynamoDb } from '../../local/dynamodb/dynamodb.ts';
import { createJsonLog } from '../../local/log.ts';
import { Storage } from '../../local/storage/storage.ts';
import type { Resource } from '../../local/template/resource-type.ts';
import { loadTemplate } from '../../local/template/template.ts';
import { readTemplate } from '../../tools/build/local-build.ts';
import { recordsTableName } from '../support/tables.ts';
import type { BenchItem } from './record-items.ts';

const itemsPerCall = 25;
const callsPerCommit = 80;

/** The table of records, unless another one is named. */
export async function seed(
  dataFolder: string,
  stackName: string,
  records: Iterable<BenchItem>,
  tableName = recordsTableName,
): Promise<void> {
  const environment = {
    stackName,
    region: 'us-east-1',
    accountId: '000000000000',
    publicUrl: 'http://x',
    awsUrl: 'http://x',
  };
  const log = createJsonLog(() => {});
  const storage = new Storage(dataFolder);
  const clock = new Clock();
  const dynamoDb = createDynamoDb({ storage, clock, environment, log });
  const template = readTemplate();
  const stack = loadTemplate(template, { types: resourceTypes, environment, parameters: { PublicUrl: 'http://x' } });
  const tables = stack.findByType('AWS::DynamoDB::Table');
  dynamoDb.load(tables.map(withoutStream));
  const table = tables.find(({ physicalId }) => tableName.test(physicalId))!.physicalId;
  const put = (items: readonly object[]) =>
    dynamoDb.service.call(
      'BatchWriteItem',
      { RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) } },
      () => {},
    );
  let calls: Promise<unknown>[] = [];
  let items: object[] = [];
  for (const item of records) {
    items.push(item);
    if (items.length < itemsPerCall) continue;
    calls.push(put(items));
    items = [];
    if (calls.length < callsPerCommit) continue;
    await Promise.all(calls);
    calls = [];
  }
  if (items.length > 0) calls.push(put(items));
  await Promise.all(calls);
  clock.stop();
  await storage.close();
}

function withoutStream(resource: Resource): Resource {
  const { StreamSpecification: _, ...properties } = resource.properties;
  return { ...resource, properties };
}
