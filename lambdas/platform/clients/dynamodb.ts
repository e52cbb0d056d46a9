import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { bounded, shared } from './bounded.ts';
import { assertPlainCalls, withPlainCalls } from './plain-calls.ts';

// Each client has its own file, so that a function loads only those it uses.
export const dynamodbClient = shared(
  () => new DynamoDBClient(bounded),
  (client) => assertPlainCalls(withPlainCalls(client)),
);
