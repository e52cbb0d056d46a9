// `npm run reindex -- <instance> <OpenSearch URL> [<type> …]`: builds the indexes of the lists anew from the table and
// switches to them; lists work meanwhile. AWS_ENDPOINT_URL selects a local server.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connectSearch } from '../lambdas/platform/clients/opensearch.ts';
import { reindex } from './search-indexes.ts';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run reindex -- <instance> <OpenSearch URL> [<type> …], such as npm run reindex -- incidents-prod https://search.acme.org';

await runTool(async (args) => {
  const [instance, url, ...types] = args;
  if (!instance || !url || !URL.canParse(url)) throw new UsageError(usage);
  const dynamodb = new DynamoDBClient({ maxAttempts: 10 });
  await reindex(dynamodb, instance, connectSearch(url, instance), types, console.log);
});
