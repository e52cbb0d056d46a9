// Parses event source mappings of the template, with Lambda's defaults, limits and filters.
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
  /** Concurrent batches. Lambda starts with five pollers and adds more under load; here it stays at five. */
  concurrency: number;
}

export interface StreamMapping extends Mapping {
  kind: 'stream';
  start: 'LATEST' | 'TRIM_HORIZON';
  /** Infinity: retry until the record is too old. */
  retries: number;
  maxAgeMs: number;
  bisects: boolean;
  onFailureQueueArn: string | undefined;
  /** Selects the records; undefined: all. */
  matches: Matches | undefined;
}

const streamRetentionMs = 86_400_000;

export function parseMapping(resource: Resource): QueueMapping | StreamMapping {
  const { logicalId, physicalId, properties } = resource;
  const sourceArn = String(properties.EventSourceArn);
  const kind = /^arn:[\w-]+:sqs:/.test(sourceArn)
    ? 'queue'
    : /^arn:.*:dynamodb:.*\/stream\//.test(sourceArn) && 'stream';
  if (!kind) throw new Error(`${logicalId}: events from ${sourceArn} are not supported, only queues and table streams`);
  const responseTypes: string[] = properties.FunctionResponseTypes ?? [];
  const unknownType = responseTypes.find((type) => type !== 'ReportBatchItemFailures');
  if (unknownType) throw new Error(`${logicalId}: the function response type ${unknownType} is not supported`);
  const number = createNumberParser(resource);
  const shared = {
    id: physicalId,
    logicalId,
    sourceArn,
    functionReference: String(properties.FunctionName),
    batchSize: number('BatchSize', kind === 'queue' ? 10 : 100, 1, 10_000),
    windowMs: number('MaximumBatchingWindowInSeconds', 0, 0, 300) * 1000,
    reportsItemFailures: responseTypes.length > 0,
  };
  return kind === 'queue' ? parseQueueMapping(resource, shared) : parseStreamMapping(resource, shared);
}

function parseQueueMapping({ logicalId, properties }: Resource, shared: Mapping): QueueMapping {
  rejectProperties(logicalId, properties, 'a queue', [
    'StartingPosition',
    'MaximumRetryAttempts',
    'MaximumRecordAgeInSeconds',
    'BisectBatchOnFunctionError',
    'DestinationConfig',
    // Filters on message bodies are not supported.
    'FilterCriteria',
  ]);
  if (shared.batchSize > 10 && shared.windowMs === 0)
    throw new Error(`${logicalId}: a BatchSize above 10 needs a MaximumBatchingWindowInSeconds of at least 1`);
  const concurrency = Number(properties.ScalingConfig?.MaximumConcurrency ?? 5);
  if (!Number.isInteger(concurrency) || concurrency < 2 || concurrency > 1000)
    throw new Error(`${logicalId}: ScalingConfig.MaximumConcurrency ${concurrency} is not within 2 and 1000`);
  return { ...shared, kind: 'queue', concurrency };
}

function parseStreamMapping(resource: Resource, shared: Mapping): StreamMapping {
  const { logicalId, properties } = resource;
  rejectProperties(logicalId, properties, 'a stream', ['ScalingConfig']);
  const number = createNumberParser(resource);
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
    onFailureQueueArn,
    matches: parseResourceFilters(resource),
  };
}

function parseResourceFilters({ logicalId, properties }: Resource): Matches | undefined {
  try {
    return parseFilters(properties.FilterCriteria);
  } catch (error) {
    throw new Error(`${logicalId}: ${(error as Error).message}`);
  }
}

function createNumberParser({ logicalId, properties }: Resource) {
  return (name: string, defaultValue: number, min: number, max: number): number => {
    const value = Number(properties[name] ?? defaultValue);
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`${logicalId}: ${name} ${properties[name]} is not within ${min} and ${max}`);
    return value;
  };
}

function rejectProperties(
  logicalId: string,
  properties: Record<string, unknown>,
  source: string,
  names: readonly string[],
): void {
  const found = names.filter((name) => properties[name] !== undefined);
  if (found.length > 0) throw new Error(`${logicalId}: ${found.join(', ')} does not apply to ${source}`);
}

type Json = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;
export type Matches = (record: unknown) => boolean;

/** Compiles FilterCriteria; undefined without criteria. Records that match no pattern are skipped. Only literal values are supported. */
export function parseFilters(criteria: Json | undefined): Matches | undefined {
  const filters = criteria?.Filters;
  if (filters === undefined) return undefined;
  if (!Array.isArray(filters) || filters.length === 0 || filters.length > maxFilters) {
    throw new Error(`FilterCriteria.Filters must be a list of 1 to ${maxFilters}`);
  }
  const patterns = filters.map(({ Pattern }: { Pattern?: unknown }) => compilePattern(parsePattern(Pattern), ''));
  return (record) => patterns.some((pattern) => pattern(record));
}

const maxFilters = 10;

function parsePattern(pattern: unknown): Json {
  try {
    const value: unknown = JSON.parse(String(pattern));
    if (isObject(value)) return value;
  } catch {
    // Rejected below.
  }
  throw new Error(`the filter pattern ${String(pattern)} is not a JSON object`);
}

function compilePattern(pattern: Json, path: string): Test {
  const fields = Object.entries(pattern).map(([name, wanted]): [string, Test] => [
    name,
    compileField(wanted, path === '' ? name : `${path}.${name}`),
  ]);
  if (fields.length === 0) throw new Error(`the filter pattern names no field${path && ` in ${path}`}`);
  return (value) => fields.every(([name, test]) => test(isObject(value) ? value[name] : undefined));
}

function compileField(wanted: unknown, path: string): Test {
  if (isObject(wanted)) return compilePattern(wanted, path);
  if (!Array.isArray(wanted) || wanted.length === 0) throw new Error(`${path} must list the values it may have`);
  if (wanted.some((one) => typeof one === 'object' && one !== null)) {
    throw new Error(`the filter ${JSON.stringify(wanted)} of ${path} is not supported`);
  }
  return (value) => wanted.includes(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
