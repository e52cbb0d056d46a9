import './charts.css';
import type { CSSProperties, ReactNode } from 'react';
import { PlainLink } from '../plain-link.tsx';

// Small charts in plain elements. A hidden table says the same to screen readers.

interface Series {
  title: string;
  /** One for each label; null where there is none. */
  values: readonly (number | null)[];
  color?: string;
}

interface ChartProps {
  label: string;
  /** Below the chart, from left to right. */
  labels: readonly string[];
  series: readonly Series[];
  formatValue?(value: number): string;
  /** The list behind a value. */
  toLink?(place: number, series: number): string;
}

const colors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)'];
const toColor = ({ color }: { color?: string }, place: number) => color ?? colors[place % colors.length];
const maxTicks = 5;

/** Bars with the series on top of each other. */
export function BarChart(props: ChartProps) {
  const { labels, series, formatValue = String, toLink } = props;
  const top = toTop(labels.map((_, place) => series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0)));
  return (
    <Frame {...props} top={top} isCentered>
      <div className="ui-bars">
        {labels.map((label, place) => (
          <div key={label} className="ui-bar" title={describe(label, series, place, formatValue)}>
            {series.map((one, number) => (
              <Part
                key={one.title}
                to={one.values[place] ? toLink?.(place, number) : undefined}
                label={`${label}, ${one.title}: ${formatValue(one.values[place] ?? 0)}`}
                style={{ blockSize: `${(100 * (one.values[place] ?? 0)) / top}%`, background: toColor(one, number) }}
              />
            ))}
          </div>
        ))}
      </div>
    </Frame>
  );
}

export function LineChart(props: ChartProps) {
  const { labels, series, formatValue = String, toLink } = props;
  const top = toTop(series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const x = (place: number) => (labels.length < 2 ? 50 : (100 * place) / (labels.length - 1));
  return (
    <Frame {...props} top={top}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="ui-lines" aria-hidden="true">
        {series.map((one, number) => (
          <polyline
            key={one.title}
            stroke={toColor(one, number)}
            points={one.values
              .flatMap((value, place) => (value === null ? [] : [`${x(place)},${100 - (100 * value) / top}`]))
              .join(' ')}
          />
        ))}
      </svg>
      <div className="ui-hover">
        {labels.map((label, place) => (
          <Part
            key={label}
            to={toLink?.(place, 0)}
            label={describe(label, series, place, formatValue)}
            title={describe(label, series, place, formatValue)}
          />
        ))}
      </div>
    </Frame>
  );
}

interface PartProps {
  /** Absent where there is no list behind it. */
  to: string | undefined;
  label: string;
  title?: string;
  style?: CSSProperties;
}

function Part({ to, label, ...rest }: PartProps) {
  return to === undefined ? <div {...rest} /> : <PlainLink {...rest} to={to} aria-label={label} />;
}

interface DonutChartProps {
  label: string;
  /** In the middle. */
  metric: string;
  description: string;
  data: readonly { title: string; value: number; color?: string; to?: string }[];
}

export function DonutChart({ label, metric, description, data }: DonutChartProps) {
  const total = data.reduce((sum, { value }) => sum + value, 0) || 1;
  const ends = data.map((_, place) => data.slice(0, place + 1).reduce((sum, { value }) => sum + value, 0) / total);
  const stops = data.map((one, place) => `${toColor(one, place)} ${ends[place - 1] ?? 0}turn ${ends[place]}turn`);
  return (
    <div className="ui-chart">
      <div className="ui-donut" role="img" aria-label={label} style={{ background: `conic-gradient(${stops.join()})` }}>
        <div>
          <strong>{metric}</strong>
          <span>{description}</span>
        </div>
      </div>
      <Legend series={data.map((one) => ({ ...one, title: `${one.title}: ${one.value.toLocaleString('en')}` }))} />
    </div>
  );
}

interface FrameProps extends ChartProps {
  top: number;
  /** Labels stand below the middle of a bar. */
  isCentered?: boolean;
  children: ReactNode;
}

function Frame({ label, labels, series, formatValue = String, toLink, top, isCentered, children }: FrameProps) {
  const step = Math.ceil(labels.length / maxTicks);
  const named = { role: toLink ? 'group' : 'img', 'aria-label': label };
  return (
    <div className="ui-chart">
      <div className="ui-plot" {...named}>
        <div className="ui-scale" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{formatValue(value)}</span>
          ))}
        </div>
        <div className="ui-drawing">{children}</div>
        <div className={isCentered ? 'ui-ticks ui-ticks-centered' : 'ui-ticks'} aria-hidden="true">
          {labels.map((one, place) => (
            <span key={one}>{place % step === 0 && one}</span>
          ))}
        </div>
      </div>
      {series.length > 1 && <Legend series={series} />}
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <tbody>
            {labels.map((one, place) => (
              <tr key={one}>
                <th scope="row">{one}</th>
                {series.map(({ title, values }) => (
                  <td key={title}>
                    {title} {formatValue(values[place] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Legend({ series }: { series: readonly { title: string; color?: string; to?: string }[] }) {
  return (
    <ul className="ui-legend">
      {series.map((one, place) => (
        <li key={one.title}>
          <span style={{ background: toColor(one, place) }} />
          {one.to === undefined ? one.title : <PlainLink to={one.to}>{one.title}</PlainLink>}
        </li>
      ))}
    </ul>
  );
}

/** The end of the scale: 1, 2 or 5 times a power of ten, and even, so that its half is a whole number. */
function toTop(values: readonly number[]): number {
  const max = Math.max(2, ...values);
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= max) ?? max;
}

function describe(label: string, series: readonly Series[], place: number, format: (value: number) => string): string {
  const parts = series.map(({ title, values }) => `${title}: ${format(values[place] ?? 0)}`);
  return [label, ...parts].join('\n');
}
