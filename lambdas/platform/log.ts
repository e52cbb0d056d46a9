import { type MetricName, metricsNamespace, metricUnits } from '../../contract/metrics.ts';
import { clock } from './clock.ts';
import { readOptional } from './env.ts';

// Structured logs: one JSON object per line, so that CloudWatch Logs Insights can query every field.

type Level = 'info' | 'warn' | 'error';

export type Log = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

export const log: Log = (level, message, fields = {}) => {
  console.log(JSON.stringify({ level, message, ...fields }));
};

/** The log fields of an unexpected error. They are never part of a response. */
export function toErrorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause === undefined ? {} : { cause: String(error.cause) };
  return { error: error.message, error_name: error.name, stack: error.stack, ...cause };
}

// Emits metrics as log lines in CloudWatch's embedded metric format, without an AWS call. Powertools needs seven times the
// CPU time for the same lines (docs/decisions/0057).

type MetricValues = Readonly<Partial<Record<MetricName, number>>>;

/** Emits metrics of this instance. Each dimension must have few values, because CloudWatch charges for each of them. */
export function emitMetrics(log: Log, values: MetricValues, dimensions: Readonly<Record<string, string>> = {}): void {
  const names = (Object.keys(values) as MetricName[]).filter((name) => values[name] !== undefined);
  if (names.length === 0) return;
  log('info', 'metrics', {
    service: readOptional('SERVICE_INSTANCE') ?? 'unknown',
    ...dimensions,
    ...values,
    _aws: {
      Timestamp: clock.now(),
      CloudWatchMetrics: [
        {
          Namespace: metricsNamespace,
          Dimensions: [['service', ...Object.keys(dimensions)]],
          Metrics: names.map((Name) => ({ Name, Unit: metricUnits[Name] })),
        },
      ],
    },
  });
}

/** Emits the metric once per value of the dimension, with the number of its occurrences. */
export function countBy(log: Log, name: MetricName, dimension: string, occurrences: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const each of occurrences) counts.set(each, (counts.get(each) ?? 0) + 1);
  for (const [value, count] of counts) emitMetrics(log, { [name]: count }, { [dimension]: value });
}
