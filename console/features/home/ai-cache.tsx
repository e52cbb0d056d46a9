import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { type Polling, useLoad } from '../../base/use-load.ts';
import { BarChart } from '../../ui/kit/charts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatRate } from '../webhooks/delivery-health.tsx';
import { ChartPanel, formatDay, toDate } from './chart-panel.tsx';

const polling: Polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 60 };

const days = 14;

type Statistics = Awaited<ReturnType<ServiceClient['getAiStatistics']>>;

/** How many AI answers came from the cache, which costs no tokens. */
export function AiCache() {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    ['ai', 'statistics'],
    (signal) => client.getAiStatistics({ days }, { signal }),
    { polling },
  );
  const hasAnswers = data !== undefined && data.hit_rate !== null;
  return (
    <ChartPanel
      title="AI answers from the cache"
      description={describe(data)}
      data={problem ?? data}
      empty={data && !hasAnswers && `Nobody has asked for an AI answer in the last ${days} days.`}
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {hasAnswers && (
        <BarChart
          label="AI answers per day, from the cache and new"
          labels={data.days.map(({ date }) => formatDay(toDate(date)))}
          series={[
            { title: 'From the cache', values: data.days.map(({ hits }) => hits) },
            { title: 'New', values: data.days.map(({ misses }) => misses) },
          ]}
        />
      )}
    </ChartPanel>
  );
}

function describe(statistics: Statistics | undefined): string {
  if (!statistics) return 'Loading';
  const { hits, misses, hit_rate: rate } = statistics;
  if (rate === null) return `Last ${days} days`;
  return `${formatRate(rate)} of ${(hits + misses).toLocaleString('en')} in the last ${days} days`;
}
