import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

/** Reads the records table as cheaply as it can be read; rejects when that is not possible. */
export type StorageProbe = () => Promise<void>;

export function storageProbe(client: DynamoDBClient, table: string): StorageProbe {
  return async () => {
    await client.send(new GetItemCommand({ TableName: table, Key: { pk: { S: 'health' }, sk: { S: '#' } } }));
  };
}
