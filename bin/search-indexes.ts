// The indexes of OpenSearch, for `npm start -- --search` and `npm run reindex`.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { indexKinds } from '../lambdas/list-index/index-kinds.ts';
import { rebuildIndex } from '../lambdas/list-index/rebuild-index.ts';
import { createFeedStore } from '../lambdas/lists/feed-store.ts';
import { findMissingIndexes } from '../lambdas/lists/search-documents.ts';
import { verifySearch } from '../lambdas/lists/search-index.ts';
import { connectSearch, type SearchClient } from '../lambdas/platform/clients/opensearch.ts';

import { UsageError } from './server/settings.ts';

/** The CDK names the table after its construct and a hash; names of other tables have more words. */
const recordsTable = /-Records[0-9A-F]{8}(?:-|$)/;

async function findRecordsTable(dynamodb: DynamoDBClient, instance: string): Promise<string> {
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand({}));
  const table = TableNames.find((name) => name.startsWith(`${instance}-`) && recordsTable.test(name));
  if (!table) throw new UsageError(`There is no table of records whose name starts with ${instance}-.`);
  return table;
}

interface Server {
  awsUrl: string;
  operatorKey: { accessKeyId: string; secretAccessKey: string };
}

/** Rejects an engine that lists cannot use. Returns the building of missing indexes, which needs the running service. */
export async function prepareIndexes(url: string, instance: string): Promise<(server: Server) => Promise<void>> {
  const client = connectSearch(url, instance);
  const missing = await findMissingIndexes(client, indexKinds);
  await verifySearch(
    client,
    indexKinds.filter(({ type }) => !missing.includes(type)),
  );
  return async ({ awsUrl, operatorKey }) => {
    if (missing.length === 0) return;
    const dynamodb = new DynamoDBClient({ endpoint: awsUrl, region: 'us-east-1', credentials: operatorKey });
    await reindex(dynamodb, instance, client, missing, () => {});
    dynamodb.destroy();
  };
}

export const indexedTypes: readonly string[] = indexKinds.map(({ type }) => type);

/** Without types, all of them. */
export async function reindex(
  dynamodb: DynamoDBClient,
  instance: string,
  client: SearchClient,
  types: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  await verifySearch(client, []);
  const table = await findRecordsTable(dynamodb, instance);
  for (const kind of indexKinds.filter(({ type }) => types.length === 0 || types.includes(type))) {
    const feed = createFeedStore(dynamodb, table, kind.feed);
    const count = await rebuildIndex({ client, kind, feed, now: Date.now });
    report(`${client.toIndexName(kind.type)}: ${count} records`);
  }
}
