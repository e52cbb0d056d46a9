// An event source mapping as the template describes it, with Lambda's defaults and limits.
import type { Resource } from '../../template/resource-type.ts';

interface Mapping {
  id: string;
  logicalId: string;
  sourceArn: string;
  functionReference: string;
  batchSize: number;
  windowMs: number;
  reportsItemFailures: boolean;
}

export interface QueueMapping extends Mapping {
  kind: 'queue';
  /** Batches at once. Lambda starts with five pollers and adds more under load; here it stays at that. */
  concurrency: number;
}

export interface StreamMapping extends Mapping {
  kind: 'stream';
  start: 'LATEST' | 'TRIM_HORIZON';
  /** Infinity: until the record is too old. */
  retries: number;
  maxAgeMs: number;
  bisects: boolean;
  lanes: number;
  onFailureQueueArn: string | undefined;
  /** Which records are handed over; undefined: all. */
  matches: Matches | undefined;
}

const streamRetentionMs = 86_400_000;

export function readMapping(resource: Resource): QueueMapping | StreamMapping {
  const { logicalId, physicalId, properties } = resource;
  const sourceArn = String(properties.EventSourceArn);
  const kind = /^arn:[\w-]+:sqs:/.test(sourceArn)
    ? 'queue'
    : /^arn:.*:dynamodb:.*\/stream\//.test(sourceArn) && 'stream';
  if (!kind) throw new Error(`${logicalId}: events from ${sourceArn} are not supported, only queues and table streams`);
  const responseTypes: string[] = properties.FunctionResponseTypes ?? [];
  const unknownType = responseTypes.find((type) => type !== 'ReportBatchItemFailures');
  if (unknownType) throw new Error(`${logicalId}: the function response type ${unknownType} is not supported`);
  const number = numberReader(resource);
  const shared = {
    id: physicalId,
    logicalId,
    sourceArn,
    functionReference: String(properties.FunctionName),
    batchSize: number('BatchSize', kind === 'queue' ? 10 : 100, 1, 10_000),
    windowMs: number('MaximumBatchingWindowInSeconds', 0, 0, 300) * 1000,
    reportsItemFailures: responseTypes.length > 0,
  };
  return kind === 'queue' ? queueMapping(resource, shared) : streamMapping(resource, shared);
}

function queueMapping({ logicalId, properties }: Resource, shared: Mapping): QueueMapping {
  refuseProperties(logicalId, properties, 'a queue', [
    'StartingPosition',
    'MaximumRetryAttempts',
    'MaximumRecordAgeInSeconds',
    'BisectBatchOnFunctionError',
    'ParallelizationFactor',
    'DestinationConfig',
    // Lambda filters messages by their bodies; nobody here does so yet.
    'FilterCriteria',
  ]);
  if (shared.batchSize > 10 && shared.windowMs === 0)
    throw new Error(`${logicalId}: a BatchSize above 10 needs a MaximumBatchingWindowInSeconds of at least 1`);
  const concurrency = Number(properties.ScalingConfig?.MaximumConcurrency ?? 5);
  if (!Number.isInteger(concurrency) || concurrency < 2 || concurrency > 1000)
    throw new Error(`${logicalId}: ScalingConfig.MaximumConcurrency ${concurrency} is not within 2 and 1000`);
  return { ...shared, kind: 'queue', concurrency };
}

function streamMapping(resource: Resource, shared: Mapping): StreamMapping {
  const { logicalId, properties } = resource;
  refuseProperties(logicalId, properties, 'a stream', ['ScalingConfig']);
  const number = numberReader(resource);
  const start = properties.StartingPosition;
  if (start !== 'LATEST' && start !== 'TRIM_HORIZON')
    throw new Error(`${logicalId}: the StartingPosition ${start} is not supported, only LATEST and TRIM_HORIZON`);
  const retries = number('MaximumRetryAttempts', -1, -1, 10_000);
  const ageSeconds = number('MaximumRecordAgeInSeconds', -1, -1, 604_800);
  const onFailureQueueArn = properties.DestinationConfig?.OnFailure?.Destination;
  if (onFailureQueueArn !== undefined && !/^arn:[\w-]+:sqs:/.test(onFailureQueueArn))
    throw new Error(`${logicalId}: the destination ${onFailureQueueArn} is not supported, only queues`);
  return {
    ...shared,
    kind: 'stream',
    start,
    retries: retries === -1 ? Number.POSITIVE_INFINITY : retries,
    maxAgeMs: ageSeconds === -1 ? streamRetentionMs : Math.min(ageSeconds * 1000, streamRetentionMs),
    bisects: String(properties.BisectBatchOnFunctionError ?? false) === 'true',
    lanes: number('ParallelizationFactor', 1, 1, 10),
    onFailureQueueArn,
    matches: filtersOf(resource),
  };
}

function filtersOf({ logicalId, properties }: Resource): Matches | undefined {
  try {
    return readFilters(properties.FilterCriteria);
  } catch (error) {
    throw new Error(`${logicalId}: ${(error as Error).message}`);
  }
}

function numberReader({ logicalId, properties }: Resource) {
  return (name: string, usual: number, least: number, most: number): number => {
    const value = Number(properties[name] ?? usual);
    if (!Number.isInteger(value) || value < least || value > most)
      throw new Error(`${logicalId}: ${name} ${properties[name]} is not within ${least} and ${most}`);
    return value;
  };
}

function refuseProperties(
  logicalId: string,
  properties: Record<string, unknown>,
  source: string,
  names: readonly string[],
): void {
  const found = names.filter((name) => properties[name] !== undefined);
  if (found.length > 0) throw new Error(`${logicalId}: ${found.join(', ')} does not apply to ${source}`);
}

// FilterCriteria of an event source mapping: which records are worth a call. A pattern names fields; each lists what its
// value may be. A record that matches none of the patterns is passed over, as if it had been handled.

type Json = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;
export type Matches = (record: unknown) => boolean;

/** Undefined without criteria: every record counts. Throws at what it does not know. */
export function readFilters(criteria: Json | undefined): Matches | undefined {
  const filters = criteria?.Filters;
  if (filters === undefined) return undefined;
  if (!Array.isArray(filters) || filters.length === 0 || filters.length > maxFilters) {
    throw new Error(`FilterCriteria.Filters must be a list of 1 to ${maxFilters}`);
  }
  const patterns = filters.map(({ Pattern }: { Pattern?: unknown }) => compiled(parsed(Pattern), ''));
  return (record) => patterns.some((pattern) => pattern(record));
}

const maxFilters = 10;

function parsed(pattern: unknown): Json {
  try {
    const value: unknown = JSON.parse(String(pattern));
    if (isObject(value)) return value;
  } catch {
    // It is named below.
  }
  throw new Error(`the filter pattern ${String(pattern)} is not a JSON object`);
}

function compiled(pattern: Json, path: string): Test {
  const fields = Object.entries(pattern).map(([name, wanted]): [string, Test] => [
    name,
    fieldTest(wanted, path === '' ? name : `${path}.${name}`),
  ]);
  if (fields.length === 0) throw new Error(`the filter pattern names no field${path && ` in ${path}`}`);
  return (value) => fields.every(([name, test]) => test(isObject(value) ? value[name] : undefined));
}

function fieldTest(wanted: unknown, path: string): Test {
  if (isObject(wanted)) return compiled(wanted, path);
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Error(`${path} must list the values it may have`);
  const tests = wanted.map((one) => (isObject(one) ? operatorTest(one, path) : literalTest(one)));
  return (value) => tests.some((test) => test(value));
}

function literalTest(literal: unknown): Test {
  return (value) => value === literal;
}

const operators: Readonly<Record<string, (argument: unknown) => Test | undefined>> = {
  exists: (argument) => (typeof argument === 'boolean' ? (value) => (value !== undefined) === argument : undefined),
  prefix: (argument) =>
    typeof argument === 'string' ? (value) => typeof value === 'string' && value.startsWith(argument) : undefined,
  suffix: (argument) =>
    typeof argument === 'string' ? (value) => typeof value === 'string' && value.endsWith(argument) : undefined,
  'anything-but': (argument) =>
    Array.isArray(argument) ? (value) => value !== undefined && !argument.includes(value) : undefined,
};

function operatorTest(operator: Json, path: string): Test {
  const [name, ...more] = Object.keys(operator);
  const test = more.length === 0 && Object.hasOwn(operators, name ?? '') && operators[name!]!(operator[name!]);
  if (!test) throw new Error(`the filter ${JSON.stringify(operator)} of ${path} is not supported`);
  return test;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
