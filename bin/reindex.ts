// `npm run reindex -- <instance> [<type> …]`: starts the state machine that rebuilds the indexes of OpenSearch from the table
// and switches to them, and waits for its end. Lists work meanwhile. AWS_ENDPOINT_URL selects a local server.
import { SFNClient } from '@aws-sdk/client-sfn';
import { indexedTypes, reindex } from './search-indexes.ts';
import { runTool, UsageError } from './tool.ts';

const usage =
  'Usage: npm run reindex -- <instance> [<type> …], such as npm run reindex -- incidents-prod, or npm run reindex -- incidents-prod incident';

await runTool(async ([instance, ...types]) => {
  if (!instance || instance.startsWith('-')) throw new UsageError(usage);
  const unknown = types.filter((type) => !indexedTypes.includes(type));
  if (unknown.length > 0)
    throw new UsageError(`There is no index of ${unknown.join(', ')}. Types are ${indexedTypes.join(', ')}.`);
  await reindex(new SFNClient({ maxAttempts: 5 }), instance, types.length > 0 ? types : indexedTypes, console.log);
});
