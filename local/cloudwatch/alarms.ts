// Compares the metrics since the start with the template's alarms. Periods are not simulated: one value above the
// threshold raises an alarm.
import type { Resource } from '../template/resource-type.ts';
import type { Dimensions, MetricTotals } from './metrics.ts';

export interface AlarmState {
  name: string;
  description: string;
  namespace: string;
  metric: string;
  dimensions: Dimensions;
  /** Number of recorded values; 0 when nothing has emitted the metric yet. */
  values: number;
  raised: boolean;
}

export function describeAlarms(alarms: readonly Resource[], metrics: readonly MetricTotals[]): AlarmState[] {
  const byKey = new Map(metrics.map((totals) => [toKey(totals.namespace, totals.name, totals.dimensions), totals]));
  return alarms.map(({ logicalId, properties }) => {
    const { Namespace: namespace, MetricName: metric, Dimensions: given = [] } = properties;
    const dimensions = Object.fromEntries(given.map(({ Name, Value }: Dimension) => [Name, String(Value)]));
    const totals = byKey.get(toKey(namespace, metric, dimensions));
    const value = totals && (properties.Statistic === 'Sum' ? totals.sum : totals.max);
    return {
      name: logicalId,
      description: String(properties.AlarmDescription ?? ''),
      namespace,
      metric,
      dimensions,
      values: totals?.count ?? 0,
      raised: value !== undefined && value >= Number(properties.Threshold),
    };
  });
}

interface Dimension {
  Name: string;
  Value: unknown;
}

function toKey(namespace: string, name: string, dimensions: Dimensions): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
