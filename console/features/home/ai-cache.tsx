import BarChart from '@cloudscape-design/components/bar-chart';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { type Polling, useLoad } from '../../base/use-load.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatRate } from '../webhooks/delivery-health.tsx';
import { ChartPanel, chartHeight, formatDay, toDate } from './chart-panel.tsx';

const polling: Polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 60 };

const days = 14;

type Statistics = Awaited<ReturnType<ServiceClient['getAiStatistics']>>;
type Day = Statistics['days'][number];

/** How many AI answers came from the cache, which costs no tokens. */
export function AiCache() {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    ['ai', 'statistics'],
    (signal) => client.getAiStatistics({ days }, { signal }),
    { polling },
  );
  const hasAnswers = data !== undefined && data.hit_rate !== null;
  const series = [
    { title: 'From the cache', read: (day: Day) => day.hits },
    { title: 'New', read: (day: Day) => day.misses },
  ];
  return (
    <ChartPanel
      title="AI answers from the cache"
      description={describe(data)}
      empty={data && !hasAnswers && `Nobody has asked for an AI answer in the last ${days} days.`}
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {hasAnswers && (
        <BarChart
          ariaLabel="AI answers per day, from the cache and new"
          height={chartHeight}
          stackedBars
          hideFilter
          xScaleType="categorical"
          xDomain={data.days.map(toLabel)}
          xTitle="Day (UTC)"
          yTitle="Answers"
          series={series.map(({ title, read }) => ({
            type: 'bar' as const,
            title,
            data: data.days.map((day) => ({ x: toLabel(day), y: read(day) })),
          }))}
        />
      )}
    </ChartPanel>
  );
}

const toLabel = ({ date }: Day) => formatDay(toDate(date));

function describe(statistics: Statistics | undefined): string {
  if (!statistics) return 'Loading';
  const { hits, misses, hit_rate: rate } = statistics;
  if (rate === null) return `Last ${days} days`;
  return `${formatRate(rate)} of ${(hits + misses).toLocaleString('en')} in the last ${days} days`;
}
