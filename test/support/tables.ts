// Access to the tables of the running service as its operator.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import type { Service } from './service.ts';

export function createTableClient({ awsUrl, awsCredentials: credentials }: Service): DynamoDBClient {
  return new DynamoDBClient({ endpoint: awsUrl, region: 'us-east-1', credentials, maxAttempts: 1 });
}

/** The CDK names the table after its construct and a hash; names of other tables have more words. */
export const recordsTableName = /Records[0-9A-F]{8}$/;

export const findRecordsTable = (client: DynamoDBClient) => findTable(client, recordsTableName);

export async function findTable(client: DynamoDBClient, pattern: RegExp): Promise<string> {
  const { TableNames } = await client.send(new ListTablesCommand({}));
  return TableNames!.find((name) => pattern.test(name))!;
}
