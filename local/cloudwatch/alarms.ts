// Compares the metrics since the start with the template's alarms. Periods are not simulated: one value above the
// threshold raises an alarm.
import type { Properties, Resource } from '../template/resource-type.ts';
import type { Dimensions, MetricTotals } from './metrics.ts';

export interface AlarmState {
  name: string;
  description: string;
  metrics: {
    namespace: string;
    metric: string;
    dimensions: Dimensions;
    /** Number of recorded values; 0 when nothing has emitted the metric yet. */
    values: number;
  }[];
  raised: boolean;
}

export function describeAlarms(alarms: readonly Resource[], metrics: readonly MetricTotals[]): AlarmState[] {
  const byKey = new Map(metrics.map((totals) => [toKey(totals.namespace, totals.name, totals.dimensions), totals]));
  return alarms.map(({ logicalId, properties }) => {
    const watched = listMetrics(properties).map((metric) => {
      const { Namespace: namespace, MetricName: name, Dimensions: given = [] } = metric;
      const dimensions = Object.fromEntries(given.map(({ Name, Value }) => [Name, String(Value)]));
      const totals = byKey.get(toKey(namespace, name, dimensions));
      return { namespace, metric: name, dimensions, values: totals?.count ?? 0, value: totals && read(totals, metric) };
    });
    const values = watched.flatMap(({ value = [] }) => value);
    const expression = String(properties.Metrics?.find((each: MetricQuery) => each.Expression)?.Expression ?? 'MAX');
    const value = expression.startsWith('SUM') ? values.reduce((sum, each) => sum + each, 0) : Math.max(...values);
    return {
      name: logicalId,
      description: String(properties.AlarmDescription ?? ''),
      metrics: watched.map(({ value: _, ...metric }) => metric),
      raised: values.length > 0 && value >= Number(properties.Threshold),
    };
  });
}

/** One metric, or those of an expression: SUM([…]) or MAX([…]). */
function listMetrics(properties: Properties): WatchedMetric[] {
  if (!properties.Metrics) return [properties];
  return (properties.Metrics as MetricQuery[]).flatMap(({ MetricStat: stat }) =>
    stat ? { ...stat.Metric, Statistic: stat.Stat } : [],
  );
}

function read({ sum, max, count }: MetricTotals, { Statistic: statistic }: WatchedMetric): number {
  if (statistic === 'Average') return sum / count;
  return statistic === 'Sum' ? sum : max;
}

interface WatchedMetric {
  Namespace: string;
  MetricName: string;
  Dimensions?: Dimension[];
  Statistic?: string;
}

interface MetricStat {
  Metric: WatchedMetric;
  Stat: string;
}

interface MetricQuery {
  Expression?: string;
  MetricStat?: MetricStat;
}

interface Dimension {
  Name: string;
  Value: unknown;
}

function toKey(namespace: string, name: string, dimensions: Dimensions): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
