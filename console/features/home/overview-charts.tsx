import BarChart from '@cloudscape-design/components/bar-chart';
import Grid from '@cloudscape-design/components/grid';
import LineChart from '@cloudscape-design/components/line-chart';
import PieChart from '@cloudscape-design/components/pie-chart';
import type { ServiceClient } from '../../../client/index.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { priorities, stateNames } from '../../resources/incident-words.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatDuration } from '../../ui/time.ts';
import { AiCache } from './ai-cache.tsx';
import { ChartPanel, chartHeight, formatDay, toDate } from './chart-panel.tsx';
import { WebhookHealth } from './webhook-health.tsx';

type Statistics = Awaited<ReturnType<ServiceClient['getIncidentStatistics']>>;
type Day = NonNullable<Statistics['days']>[number];

const polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 60 };
const days = 30;
const half = { default: 12, s: 6 } as const;

/** Trends of the last 30 days. Every number comes from the service's statistics, which count all incidents. */
export default function OverviewCharts() {
  const { client } = useApi();
  const isManager = useHasRole('itsm_manager');
  const { data, problem, reload } = useLoad(
    ['statistics', 'overview'],
    (signal) =>
      Promise.all([
        client.getIncidentStatistics({ state: openIncidentStates, group_by: ['priority', 'state'] }, { signal }),
        client.getIncidentStatistics({ interval: 'day', days }, { signal }),
      ]),
    { polling },
  );
  const [open, trend] = data ?? [];
  return (
    <>
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Grid gridDefinition={Array.from({ length: isManager ? 6 : 4 }, () => ({ colspan: half }))}>
        <OpenByPriority statistics={open} />
        <CreatedAndResolved days={trend?.days} />
        <SlaAttainment days={trend?.days} />
        <TimeToResolve days={trend?.days} />
        {isManager && <WebhookHealth />}
        {isManager && <AiCache />}
      </Grid>
    </>
  );
}

const toStatus = (data: unknown) => (data === undefined ? 'loading' : 'finished') as 'loading' | 'finished';

function OpenByPriority({ statistics }: { statistics: Statistics | undefined }) {
  const groups = statistics?.groups ?? [];
  const count = (priority: string, state: string) =>
    groups.find(({ values }) => values.priority === priority && values.state === state)?.count ?? 0;
  return (
    <ChartPanel
      title="Open incidents"
      description={`${statistics?.count.toLocaleString('en') ?? '–'} by priority and state`}
      empty={statistics?.count === 0 && 'No open incidents.'}
    >
      <BarChart
        ariaLabel="Open incidents by priority and state"
        statusType={toStatus(statistics)}
        height={chartHeight}
        stackedBars
        hideFilter
        xScaleType="categorical"
        xDomain={priorities.map(String)}
        xTitle="Priority"
        yTitle="Incidents"
        series={openIncidentStates.map((state) => ({
          type: 'bar' as const,
          title: stateNames[state],
          data: priorities.map((priority) => ({ x: String(priority), y: count(priority, state) })),
        }))}
      />
    </ChartPanel>
  );
}

const noneResolved = `No incident was resolved in the last ${days} days.`;

const dayAxis = { xScaleType: 'time' as const, i18nStrings: { xTickFormatter: formatDay }, xTitle: 'Day (UTC)' };

function CreatedAndResolved({ days: shown }: { days: readonly Day[] | undefined }) {
  const line = (title: string, read: (day: Day) => number) => ({
    type: 'line' as const,
    title,
    data: (shown ?? []).map((day) => ({ x: toDate(day.date), y: read(day) })),
  });
  const isEmpty = shown?.every(({ created, resolved }) => created + resolved === 0);
  return (
    <ChartPanel
      title="Created and resolved"
      description={`Per day, last ${days} days`}
      empty={isEmpty && `No incident was created or resolved in the last ${days} days.`}
    >
      <LineChart
        ariaLabel="Incidents created and resolved per day"
        statusType={toStatus(shown)}
        height={chartHeight}
        hideFilter
        {...dayAxis}
        yTitle="Incidents"
        series={[line('Created', ({ created }) => created), line('Resolved', ({ resolved }) => resolved)]}
      />
    </ChartPanel>
  );
}

function SlaAttainment({ days: shown }: { days: readonly Day[] | undefined }) {
  const sum = (read: (day: Day) => number) => (shown ?? []).reduce((total, day) => total + read(day), 0);
  const [met, breached] = [sum(({ sla_met }) => sla_met), sum(({ sla_breached }) => sla_breached)];
  const resolved = met + breached;
  return (
    <ChartPanel
      title="SLA attainment"
      description={`Incidents resolved in the last ${days} days`}
      empty={shown && resolved === 0 && noneResolved}
    >
      <PieChart
        ariaLabel="SLA attainment"
        statusType={toStatus(shown)}
        variant="donut"
        size="medium"
        hideFilter
        innerMetricValue={`${Math.round((100 * met) / resolved)}%`}
        innerMetricDescription="within SLA"
        data={[
          { title: 'Within SLA', value: met },
          { title: 'Breached', value: breached, color: '#d63f38' },
        ]}
      />
    </ChartPanel>
  );
}

function TimeToResolve({ days: shown }: { days: readonly Day[] | undefined }) {
  const resolved = (shown ?? []).filter(({ mean_time_to_resolve_minutes: mean }) => mean !== null);
  const count = resolved.reduce((total, day) => total + day.resolved, 0);
  const minutes = resolved.reduce((total, day) => total + day.resolved * (day.mean_time_to_resolve_minutes ?? 0), 0);
  return (
    <ChartPanel
      title="Mean time to resolve"
      description={
        count === 0 ? `Last ${days} days` : `${formatDuration((minutes / count) * 60_000)} in the last ${days} days`
      }
      empty={shown && count === 0 && noneResolved}
    >
      <LineChart
        ariaLabel="Mean time to resolve per day, in hours"
        statusType={toStatus(shown)}
        height={chartHeight}
        hideFilter
        hideLegend
        {...dayAxis}
        yTitle="Hours"
        series={[
          {
            type: 'line',
            title: 'Mean time to resolve',
            valueFormatter: (hours) => formatDuration(hours * 3_600_000),
            data: resolved.map((day) => ({ x: toDate(day.date), y: (day.mean_time_to_resolve_minutes ?? 0) / 60 })),
          },
        ]}
      />
    </ChartPanel>
  );
}
