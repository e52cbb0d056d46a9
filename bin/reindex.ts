// `npm run reindex -- <instance> <OpenSearch URL> [<type> …]`: builds the indexes of the lists anew from the table and
// switches to them; lists work meanwhile. AWS_ENDPOINT_URL selects a local server.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connectSearch } from '../lambdas/platform/clients/opensearch.ts';
import { ServiceError } from '../lambdas/platform/service-error.ts';
import { indexedTypes, reindex } from './search-indexes.ts';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run reindex -- <instance> <OpenSearch URL> [<type> …], such as npm run reindex -- incidents-prod https://search.acme.org';

await runTool(async (args) => {
  const [instance, url, ...types] = args;
  if (!instance || !url || !URL.canParse(url)) throw new UsageError(usage);
  const unknown = types.filter((type) => !indexedTypes.includes(type));
  if (unknown.length > 0)
    throw new UsageError(`There is no index of ${unknown.join(', ')}. Types are ${indexedTypes.join(', ')}.`);
  const dynamodb = new DynamoDBClient({ maxAttempts: 10 });
  await reindex(dynamodb, instance, connectSearch(url, instance), types, console.log).catch((error: unknown) => {
    throw error instanceof ServiceError ? new UsageError(`${url} cannot be used. ${error.message}`) : error;
  });
});
