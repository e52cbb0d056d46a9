import { clock } from '../clock.ts';
import { recordAwsCall } from '../telemetry.ts';

/**
 * Every AWS call has a timeout and a fixed number of attempts, well within the timeout of the function. The SDK caches
 * the middleware of each command, which saves a fourteenth of the CPU time of a call.
 */
export const clientDefaults = {
  maxAttempts: 3,
  // By default the SDK only warns about a request that takes too long.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
  cacheMiddleware: true,
};

/**
 * One client, and so one connection pool, per function instance. Removes middleware that is not needed here but takes half
 * of the CPU time of a call: log entries, the user agent, recursion detection, and a new signer per call.
 */
export function createSharedClient<Client extends Trimmable>(
  create: () => Client,
  extend: (client: Client) => Client = (client) => client,
): () => Client {
  let client: Client | undefined;
  return () => {
    if (!client) {
      client = create();
      for (const step of unusedMiddleware) client.middlewareStack.remove(step);
      cacheSigner(client.config);
      // The outermost step, so that it also sees plain calls.
      observeCalls(client);
      extend(client);
    }
    return client;
  };
}

const unusedMiddleware = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** The signer reads the credentials on every use, so a cached signer does not outlive them. */
function cacheSigner(config: Trimmable['config']): void {
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

// Counts the calls of a client, with the capacity that DynamoDB reports, for the log line and the trace of an invocation.

/** Must be the first step, so that it measures a call with all its retries. */
export function observeCalls(client: ObservedClient): void {
  const service = client.config.serviceId;
  const isDynamoDb = service === 'DynamoDB';
  const observe = (next: Next, { commandName = '' }: { commandName?: string }): Next => {
    const operation = commandName.replace(/Command$/, '');
    return async (args) => {
      const startMs = clock.now();
      if (isDynamoDb) args.input.ReturnConsumedCapacity ??= 'TOTAL';
      const record = (metadata: Metadata | undefined, consumedUnits: number) =>
        recordAwsCall({
          service,
          operation,
          startMs,
          endMs: clock.now(),
          status: metadata?.httpStatusCode,
          requestId: metadata?.requestId,
          table: args.input.TableName,
          consumedUnits,
        });
      try {
        const result = await next(args);
        record(result.output.$metadata, isDynamoDb ? sumUnits(result.output.ConsumedCapacity) : 0);
        return result;
      } catch (error) {
        record((error as { $metadata?: Metadata } | null)?.$metadata, 0);
        throw error;
      }
    };
  };
  client.middlewareStack.add(observe, { step: 'initialize', name: 'observeCall', priority: 'high' });
}

function sumUnits(consumed: Consumed | readonly Consumed[] | undefined): number {
  if (consumed === undefined) return 0;
  if (!Array.isArray(consumed)) return (consumed as Consumed).CapacityUnits ?? 0;
  return consumed.reduce((sum, { CapacityUnits = 0 }: Consumed) => sum + CapacityUnits, 0);
}

interface Consumed {
  CapacityUnits?: number;
}

interface Metadata {
  httpStatusCode?: number;
  requestId?: string;
}

interface Output {
  $metadata?: Metadata;
  ConsumedCapacity?: Consumed | readonly Consumed[];
}

type Next = (args: {
  input: { TableName?: string; ReturnConsumedCapacity?: string };
}) => Promise<{ response: unknown; output: Output }>;

interface ObservedClient {
  config: { serviceId: string };
  // biome-ignore lint/suspicious/noExplicitAny: every client has its own types for the same step.
  middlewareStack: { add(middleware: any, options: any): void };
}
