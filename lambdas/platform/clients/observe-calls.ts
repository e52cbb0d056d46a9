import { clock } from '../clock.ts';
import { recordAwsCall } from '../telemetry/invocation.ts';

// Counts the calls of a client, with the capacity that DynamoDB reports, for the log line and the trace of an invocation.

/** Added before other steps, it measures a call with all its retries. */
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
