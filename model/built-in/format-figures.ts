// Formats statistics: the requested figure first, tables for groups and periods, and both values with the difference for a
// comparison.
import { describeField, describeFilters, describeSide, type Fields } from './describe-call.ts';
import type { Plan, ToolCall } from './plan.ts';

type Reading = Plan['reading'];

interface Figure {
  name: string;
  label: string;
  format(value: unknown): string;
}

const durations: Readonly<Record<string, string>> = {
  incidents: 'time to resolve',
  changes: 'time until completed',
  requests: 'time until fulfilled',
};

function listFigures(kind: string, { measures, flags }: Reading): Figure[] {
  const average = flags.has('median') ? 'median' : 'mean';
  const chosen = measures.length > 0 ? [...new Set(measures)] : flags.has('median') ? ['resolve'] : ['count'];
  const known: Readonly<Record<string, Figure>> = {
    count: { name: 'count', label: kind.replaceAll('_', ' '), format: formatNumber },
    resolve: {
      name: `${average}_time_to_resolve_minutes`,
      label: `${average} ${durations[kind] ?? 'time to resolve'}`,
      format: formatMinutes,
    },
    acknowledge: {
      name: `${average}_time_to_acknowledge_minutes`,
      label: `${average} time to acknowledge`,
      format: formatMinutes,
    },
    sla: { name: 'sla_attainment', label: 'share within SLA', format: formatShare },
    reopened: { name: 'reopened', label: 'reopened', format: formatNumber },
  };
  const mean: Figure = { name: 'mean_time_to_resolve_minutes', label: 'mean time to resolve', format: formatMinutes };
  const figures = chosen.flatMap((measure) => known[measure] ?? []);
  // "Median versus mean".
  return flags.has('median') && flags.has('vs') ? [...figures, mean] : figures;
}

export function formatFigures(call: ToolCall, output: Fields, reading: Reading): string {
  const { kind: given, filters: givenFilters, compare } = call.input;
  const [kind, filters] = [String(given), (givenFilters ?? {}) as Fields];
  const figures = listFigures(kind, reading);
  const unknown = [output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const described = describeFilters(kind, filters, undefined, output.names as Fields);
  const groups = toList(output.groups);
  const periods = toList(output.periods ?? output.days);
  const parts = [...unknown];
  if (compare) parts.push(formatComparison(output, figures, filters, compare as Fields, kind));
  else parts.push(formatTotal(output, figures, kind, described));
  if (groups.length > 0) {
    parts.unshift(...describeFirst(groups, figures, call.input.order === 'asc' ? 'Lowest' : 'Highest'));
    parts.push(formatGroups(groups, figures, output));
  } else if (output.groups) parts.push('There are no groups.');
  if (periods.length > 0)
    parts.push(formatPeriods(periods, figures, reading.flags.has('trend'), String(call.input.interval)));
  return parts.join('\n\n');
}

function formatTotal(total: Fields, figures: readonly Figure[], kind: string, described: string): string {
  return figures
    .map(({ name, label, format }) => {
      if (name === 'count')
        return `**${format(total.count)}** ${total.count === 1 ? toSingular(described, kind) : described}.`;
      const basis = toBasis(name, total);
      if (total[name] === null || total[name] === undefined)
        return `No ${label}: none of the ${formatNumber(total.count)} ${described} ${basis.none}.`;
      const rate = name === 'reopened' ? formatRate(total) : '';
      return `${capitalize(label)}: **${format(total[name])}**${rate} (${described}; ${basis.text}).`;
    })
    .join('\n');
}

function toSingular(text: string, kind: string): string {
  const plural = kind.replaceAll('_', ' ');
  return text.replace(plural, plural.replace(/s$/, ''));
}

/** How many records a figure is based on. */
function toBasis(name: string, total: Fields): { text: string; none: string } {
  if (name.includes('acknowledge'))
    return { text: `${formatNumber(total.acknowledged)} acknowledged`, none: 'is acknowledged' };
  if (name === 'reopened') return { text: `of ${formatNumber(total.count)}`, none: 'was reopened' };
  return { text: `${formatNumber(total.resolved)} done`, none: 'is done' };
}

function formatComparison(
  output: Fields,
  figures: readonly Figure[],
  filters: Fields,
  compare: Fields,
  kind: string,
): string {
  const isCompared = (name: string) => name in compare || /_(after|before)$/.test(name);
  const common = Object.fromEntries(Object.entries(filters).filter(([name]) => !isCompared(name)));
  const [first, second] = [describeSide(filters, compare), describeSide({ ...filters, ...compare }, compare)];
  const [compared, difference] = [output.compared, output.difference].map((each) => (each ?? {}) as Fields);
  const lines = figures.map(({ name, label, format }) => {
    const values = [output[name], compared?.[name], difference?.[name]];
    const gap = typeof values[2] === 'number' ? formatDifference(values[2], format) : 'no difference to compute';
    const verdict = describeVerdict(values[2], first, second);
    return `${capitalize(label)}: **${format(values[0])}** ${first}, **${format(values[1])}** ${second} (${gap}${verdict}).`;
  });
  return [`Comparing ${describeFilters(kind, common)}:`, ...lines].join('\n');
}

function describeVerdict(difference: unknown, first: string, second: string): string {
  if (typeof difference !== 'number' || difference === 0) return '';
  return `; higher: ${difference > 0 ? first : second}`;
}

function formatDifference(value: number, format: Figure['format']): string {
  if (value === 0) return 'no difference';
  return `difference ${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

/** Leads with the first group that has a value. */
function describeFirst(groups: readonly Fields[], figures: readonly Figure[], rank: string): string[] {
  const [figure] = figures;
  const first = groups.find(({ values }) => !Object.values((values ?? {}) as Fields).includes(null));
  if (!first || !figure || groups.length < 2) return [];
  const name = Object.values((first.values ?? {}) as Fields)
    .map((value) => String(value).replaceAll('_', ' '))
    .join(', ');
  return [`${rank}: **${name}** with **${figure.format(first[figure.name])}** ${figure.label}.`];
}

function formatGroups(groups: readonly Fields[], figures: readonly Figure[], { other }: Fields): string {
  const fields = Object.keys((groups[0]?.values ?? {}) as Fields);
  // The count shows how many records a figure is based on.
  const columns = figures.some(({ name }) => name === 'count')
    ? figures
    : [...figures, { name: 'count', label: 'count', format: formatNumber }];
  const rows = groups.map(({ values, ...group }) => [
    ...fields.map((field) => formatGroup(field, (values as Fields)[field])),
    ...columns.map(({ name, format }) => format(group[name]) + (name === 'reopened' ? formatRate(group) : '')),
  ]);
  const rest = Number(other) > 0 ? `\n\n… and ${formatNumber(other)} in other groups.` : '';
  return toTable([...fields.map(describeField), ...columns.map(({ label }) => label)], rows) + rest;
}

function formatGroup(field: string, value: unknown): string {
  return value === null || value === undefined ? `no ${describeField(field)}` : String(value).replaceAll('_', ' ');
}

const maxPeriods = 31;

function formatPeriods(
  periods: readonly Fields[],
  figures: readonly Figure[],
  isTrend: boolean,
  interval: string,
): string {
  const columns = figures.map((figure) => (figure.name === 'count' ? { ...figure, name: 'created' } : figure));
  const start = periods.findIndex((period) => columns.some(({ name }) => Number(period[name] ?? 0) > 0));
  const shown = periods.slice(Math.max(start, 0)).slice(-maxPeriods);
  const rows = shown.map((period) => [String(period.date), ...columns.map(({ name, format }) => format(period[name]))]);
  const [column] = columns;
  const trend = column ? `${isTrend ? describeTrend(shown, column) : describePeak(shown, column, interval)}\n\n` : '';
  return trend + toTable([interval === 'day' ? 'day' : `${interval} from`, ...columns.map(({ label }) => label)], rows);
}

/** Compares the halves, without the current period, which is not over. */
function describeTrend(periods: readonly Fields[], { name, format }: Figure): string {
  const values = periods
    .slice(0, -1)
    .flatMap((period) => (typeof period[name] === 'number' ? [Number(period[name])] : []));
  if (values.length < 2) return 'There are too few periods for a trend.';
  const middle = Math.floor(values.length / 2);
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
  const [before, after] = [mean(values.slice(0, middle)), mean(values.slice(middle))];
  const direction = after > before * 1.05 ? 'Rising' : after < before * 0.95 ? 'Falling' : 'Steady';
  return `${direction}: on average ${format(round(before))} per period in the first half, ${format(round(after))} in the second.`;
}

function describePeak(periods: readonly Fields[], { name, format }: Figure, interval: string): string {
  const known = periods.filter((period) => typeof period[name] === 'number');
  const [highest] = known.toSorted((a, b) => Number(b[name]) - Number(a[name]));
  if (!highest) return 'There are no figures.';
  const mean = known.reduce((sum, period) => sum + Number(period[name]), 0) / known.length;
  const average = name === 'created' ? ` On average: **${format(mean)}** per ${interval}.` : '';
  return `Highest: **${highest.date}** with **${format(highest[name])}**.${average}`;
}

export function describeShare([part, whole]: readonly { call: ToolCall; output: Fields }[]): string {
  if (!part || !whole) return '';
  const kind = String(part.call.input.kind);
  const [some, all] = [Number(part.output.count), Number(whole.output.count)];
  const unknown = [part.output.not_understood ?? []].flat().map((each) => `I did not understand: ${each}.`);
  const [found, of] = [part, whole].map(({ call, output }) =>
    describeFilters(kind, (call.input.filters ?? {}) as Fields, undefined, output.names as Fields),
  );
  const text =
    all === 0
      ? `There are no ${of}.`
      : `**${formatShare(some / all)}**: ${formatNumber(some)} ${found} of ${formatNumber(all)} ${of}.`;
  return [...unknown, text].join('\n\n');
}

function formatRate({ reopened, count }: Fields): string {
  return Number(count) > 0 ? ` (${formatShare(Number(reopened) / Number(count))})` : '';
}

function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const toRow = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [toRow(heads), toRow(heads.map(() => '---')), ...rows.map(toRow)].join('\n');
}

const round = (value: number) => Math.round(value * 10) / 10;

function formatNumber(value: unknown): string {
  return typeof value === 'number' ? String(round(value)) : '–';
}

export function formatShare(value: unknown): string {
  return typeof value === 'number' ? `${round(value * 100)} %` : '–';
}

export function formatMinutes(value: unknown): string {
  if (typeof value !== 'number') return '–';
  const minutes = Math.round(value);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${round(minutes / 1_440)} days`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toList(values: unknown): Fields[] {
  return Array.isArray(values) ? (values as Fields[]) : [];
}
