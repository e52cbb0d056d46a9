import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime';
import { createSharedClient } from './shared-client.ts';

/** One attempt per call: the model adapter retries itself, because it knows the remaining time. */
export const bedrockClient = createSharedClient(
  () => new BedrockRuntimeClient({ maxAttempts: 1, requestHandler: { requestTimeout: 25_000 }, cacheMiddleware: true }),
);
