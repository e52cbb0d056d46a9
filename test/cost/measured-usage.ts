// The usage that the local runtime counted, in units that AWS charges for.
import type { Service } from '../support/service.ts';

export interface Units {
  /** Invocations of functions, including those that a request causes later. */
  invocations: number;
  gbSeconds: number;
  readUnits: number;
  writeUnits: number;
  sqs: number;
  sns: number;
  stateTransitions: number;
  kms: number;
  s3Reads: number;
  s3Writes: number;
}

interface Usage {
  calls: Record<string, number>;
  dynamodb: { consumed: Record<string, Record<string, number>> };
}

interface MetricTotals {
  namespace: string;
  name: string;
  dimensions: Record<string, string>;
  count: number;
  sum: number;
  min: number;
}

/** A function below this size gets a share of a processor. */
const fullProcessorMb = 1_769;

/** DynamoDB answers within single-digit milliseconds; on one machine there is no network. */
const awsCallMs = 5;

const reads = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem', 'TransactGetItems']);

export async function resetCounters({ baseUrl }: Service): Promise<void> {
  await fetch(`${baseUrl}/_local/usage`, { method: 'DELETE' });
  await fetch(`${baseUrl}/_local/metrics`, { method: 'DELETE' });
}

export async function readUnits({ baseUrl }: Service, memoryMb: (functionName: string) => number): Promise<Units> {
  const usage = (await (await fetch(`${baseUrl}/_local/usage`)).json()) as Usage;
  const { metrics } = (await (await fetch(`${baseUrl}/_local/metrics`)).json()) as { metrics: MetricTotals[] };
  const durations = metrics.filter(
    ({ namespace, name, dimensions }) => namespace === 'AWS/Lambda' && name === 'Duration' && !dimensions.Resource,
  );
  const countCalls = (pattern: RegExp) =>
    Object.entries(usage.calls)
      .filter(([call]) => pattern.test(call))
      .reduce((sum, [, count]) => sum + count, 0);
  const sumUnits = (isWanted: (operation: string) => boolean) =>
    Object.entries(usage.dynamodb.consumed)
      .filter(([operation]) => isWanted(operation))
      .flatMap(([, tables]) => Object.values(tables))
      .reduce((sum, units) => sum + units, 0);
  const gbSeconds = durations.map(({ dimensions: { FunctionName = '' }, count, min }) => {
    const memory = memoryMb(FunctionName);
    const calls = countCalls(new RegExp(`\\b${FunctionName}\\b`)) / count;
    const billedMs = min * Math.max(1, fullProcessorMb / memory) + calls * awsCallMs;
    return (count * Math.ceil(billedMs) * memory) / 1024 / 1000;
  });
  return {
    invocations: durations.reduce((sum, { count }) => sum + count, 0),
    gbSeconds: gbSeconds.reduce((sum, each) => sum + each, 0),
    readUnits: sumUnits((operation) => reads.has(operation)),
    writeUnits: sumUnits((operation) => !reads.has(operation)),
    // A message is sent, received and deleted.
    sqs: countCalls(/ sqs\./) * 3,
    sns: countCalls(/ sns\./),
    // An execution enters its first state, a Map or a Wait, and then a state for each message that it sends.
    stateTransitions: countCalls(/ states\.StartExecution/) + countCalls(/-(?:run-jobs|retry-deliveries) sqs\./),
    kms: countCalls(/ kms\./),
    s3Reads: countCalls(/ s3\.(?:Get|Head)/),
    s3Writes: countCalls(/ s3\.(?:Put|List|Delete)/),
  };
}
