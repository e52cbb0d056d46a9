// Metrics that the services record and that functions emit with log lines in the embedded metric format. They are totals
// since the start or the last reset, in memory: there are no periods, and no alarm is evaluated.

export type Dimensions = Readonly<Record<string, string>>;

export type RecordMetric = (namespace: string, name: string, dimensions: Dimensions, value: number) => void;

export interface MetricTotals {
  namespace: string;
  name: string;
  dimensions: Dimensions;
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** Functions choose names and dimensions, so the number of metrics has a limit. */
const maxMetrics = 2_000;

export class Metrics {
  private readonly totals = new Map<string, MetricTotals>();
  private readonly gauges: (() => Iterable<Parameters<RecordMetric>>)[] = [];

  readonly record: RecordMetric = (namespace, name, dimensions, value) => {
    let key = `${namespace}\n${name}`;
    for (const dimension in dimensions) key += `\n${dimension}=${dimensions[dimension]}`;
    const known = this.totals.get(key);
    if (known) add(known, value);
    else if (this.totals.size < maxMetrics) this.totals.set(key, start(namespace, name, dimensions, value));
  };

  /** Records the metrics of a log line in the embedded metric format; ignores other lines. */
  recordLogLine(line: Readonly<Record<string, unknown>>): void {
    const directives = (line._aws as { CloudWatchMetrics?: unknown } | undefined)?.CloudWatchMetrics;
    if (!Array.isArray(directives)) return;
    for (const { Namespace, Dimensions: sets, Metrics: metrics } of directives as Directive[]) {
      for (const { Name } of metrics ?? []) {
        const values = [line[Name]].flat().filter((value) => typeof value === 'number');
        for (const names of sets ?? [[]]) {
          const dimensions = Object.fromEntries(names.map((name) => [name, String(line[name])]));
          for (const value of values) this.record(Namespace, Name, dimensions, value);
        }
      }
    }
  }

  /** Adds values that list() reads when it is called. */
  addGauges(read: () => Iterable<Parameters<RecordMetric>>): void {
    this.gauges.push(read);
  }

  /** By namespace and name. */
  list(): MetricTotals[] {
    const read = this.gauges.flatMap((gauge) => [...gauge()].map((values) => start(...values)));
    const order = ({ namespace, name }: MetricTotals) => `${namespace} ${name}`;
    return [...this.totals.values(), ...read].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  }

  reset(): void {
    this.totals.clear();
  }
}

interface Directive {
  Namespace: string;
  Dimensions?: string[][];
  Metrics?: { Name: string }[];
}

function start(namespace: string, name: string, dimensions: Dimensions, value: number): MetricTotals {
  return { namespace, name, dimensions, count: 1, sum: value, min: value, max: value };
}

function add(totals: MetricTotals, value: number): void {
  totals.count++;
  totals.sum += value;
  if (value < totals.min) totals.min = value;
  if (value > totals.max) totals.max = value;
}
