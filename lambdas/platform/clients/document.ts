import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientDefaults, createSharedClient } from './shared-client.ts';

/**
 * Reads and writes items as plain objects. Costs about 0.2 ms of CPU time per call more than `dynamodbClient`, so use it
 * only next to slower work (docs/decisions/0045-typed-items.md).
 */
export const documentClient = createSharedClient(() =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientDefaults, cacheMiddleware: false })),
);
