import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { signAwsCall } from '../support/signed-aws-call.ts';
import { createTableClient, findRecordsTable } from '../support/tables.ts';
import type { Bench } from './bench-ground.ts';
import { load, type Shot } from './load.ts';
import { printTable, row } from './report.ts';

const timing = { concurrency: 16, seconds: 3 };
const items = 1000;
const filling = 'x'.repeat(500);

/** The local DynamoDB over plain HTTP, so that the server's cost shows, not the SDK's; and one line with the SDK. */
export async function benchDynamoDb({ service, bareUrl }: Bench): Promise<void> {
  const client = createTableClient(service);
  const TableName = await findRecordsTable(client);
  const key = (index: number) => ({ pk: { S: `bench-${index % items}` }, sk: { S: '#' } });
  const call = (operation: string, input: object): Shot => {
    const body = JSON.stringify({ TableName, ...input });
    const target = `DynamoDB_20120810.${operation}`;
    return { url: service.awsUrl, method: 'POST', headers: signAwsCall(service, 'dynamodb', target, body), body };
  };
  const put = (index: number) =>
    call('PutItem', { Item: { ...key(index), n: { N: String(index) }, text: { S: filling } } });
  const update = (index: number) =>
    call('UpdateItem', {
      Key: key(index),
      UpdateExpression: 'SET n = n + :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    });
  const barePut = (index: number) => ({
    url: `${bareUrl}/bench-${index % items}`,
    method: 'PUT',
    body: JSON.stringify({ n: index, text: filling }),
  });

  await load(put, { ...timing, seconds: 1 });
  await load(barePut, { ...timing, seconds: 1 });
  const bareWrites = await load(barePut, timing);
  const bareReads = await load((index) => ({ url: `${bareUrl}/bench-${index % items}` }), timing);
  printTable('DynamoDB calls, 16 at once, 0.6 KB items', [
    row('bare write', bareWrites, bareWrites),
    row('PutItem', await load(put, timing), bareWrites),
    row('UpdateItem with a condition', await load(update, timing), bareWrites),
    row('bare read', bareReads, bareReads),
    row('GetItem', await load((index) => call('GetItem', { Key: key(index) }), timing), bareReads),
  ]);
  console.log(`GetItem through the SDK: ${await sdkReadsPerSecond(client, TableName, key)} per second`);
  client.destroy();
}

async function sdkReadsPerSecond(
  client: DynamoDBClient,
  TableName: string,
  key: (index: number) => Record<string, { S: string }>,
) {
  const endsAt = performance.now() + timing.seconds * 1000;
  let done = 0;
  const loop = async () => {
    while (performance.now() < endsAt) {
      await client.send(new GetItemCommand({ TableName, Key: key(done) }));
      done++;
    }
  };
  await Promise.all(Array.from({ length: timing.concurrency }, loop));
  return Math.round(done / timing.seconds);
}
