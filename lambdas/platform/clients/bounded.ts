import { observeCalls } from './observe-calls.ts';

/**
 * Every call to AWS is bounded: a slow answer is given up and tried again a fixed number of times, well within the
 * timeout of the function that waits for it. A kind of call is put together once, not at every use: that is a fourteenth
 * of what a call costs in processor time.
 */
export const bounded = {
  maxAttempts: 3,
  // By default the SDK only warns about a request that takes too long.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  cacheMiddleware: true,
};

/**
 * One client, and so one pool of connections, per function instance, without the steps of a call that serve nobody here
 * and take half of its processor time: the log entry that is prepared also when nobody logs, the description of this
 * program and its libraries, the trace of functions that call functions in a circle, which ours do not, and a new signer
 * for every call.
 */
export function shared<Client extends Trimmable>(
  create: () => Client,
  extend: (client: Client) => Client = (client) => client,
): () => Client {
  let client: Client | undefined;
  return () => {
    if (!client) {
      client = create();
      for (const step of needless) client.middlewareStack.remove(step);
      keepSigner(client.config);
      // Outside of everything else, so that it also sees plain calls.
      observeCalls(client);
      extend(client);
    }
    return client;
  };
}

const needless = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** Its credentials are asked for at every use, so a signer that is kept does not outlive them. */
function keepSigner(config: Trimmable['config']): void {
  const make = config.signer;
  let signer: ReturnType<typeof make> | undefined;
  config.signer = (scheme) => {
    signer ??= make(scheme).catch((error: unknown) => {
      signer = undefined;
      throw error;
    });
    return signer;
  };
}

interface Trimmable {
  // biome-ignore lint/suspicious/noExplicitAny: every client has its own types for the same two things.
  config: { signer: (scheme: any) => Promise<any>; serviceId: string };
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  middlewareStack: { remove(name: string): boolean; add(middleware: any, options: any): void };
}
