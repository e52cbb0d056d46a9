import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { type MetricName, metricsNamespace, metricUnits } from '../../contract/metrics.ts';
import { readOptional } from './env.ts';

type Level = 'info' | 'warn' | 'error';

export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

const serviceName = readOptional('SERVICE_INSTANCE') ?? 'unknown';
const logger = new Logger({ serviceName });
const metrics = new Metrics({ namespace: metricsNamespace, serviceName });

export const log: Log = (level, message, fields = {}) => logger[level](message, fields);

/** The log fields of an unexpected error. They are never part of a response. */
export function toErrorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause === undefined ? {} : { cause: String(error.cause) };
  return { error: error.message, error_name: error.name, stack: error.stack, ...cause };
}

type MetricValues = Readonly<Partial<Record<MetricName, number>>>;

/**
 * Emits metrics of this instance at once, so that invocations that share a process do not mix them. Each dimension must
 * have few values, because CloudWatch charges for each of them.
 */
export function emitMetrics(values: MetricValues, dimensions: Readonly<Record<string, string>> = {}): void {
  const given = (Object.entries(values) as [MetricName, number | undefined][]).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return;
  metrics.addDimensions(dimensions);
  for (const [name, value = 0] of given) metrics.addMetric(name, metricUnits[name], value);
  metrics.publishStoredMetrics();
}

/** Emits the metric once per value of the dimension, with the number of its occurrences. */
export function countBy(name: MetricName, dimension: string, occurrences: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const each of occurrences) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const [value, count] of counts) emitMetrics({ [name]: count }, { [dimension]: value });
}
