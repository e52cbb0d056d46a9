// Which alarms of the template would the metrics since the start raise? Periods are not simulated: one value above the
// threshold is enough.
import type { Resource } from '../template/resource-type.ts';
import type { Dimensions, MetricTotals } from './metrics.ts';

export interface AlarmState {
  name: string;
  description: string;
  namespace: string;
  metric: string;
  dimensions: Dimensions;
  /** How many values the metric got; 0: nothing emits it yet. */
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
