import { openIncidentStates } from '../../../contract/states.ts';
import { useHasRole } from '../../base/caller.tsx';
import { priorities, stateNames } from '../../resources/incident-words.ts';
import { BarChart, DonutChart, LineChart } from '../../ui/kit/charts.tsx';
import { Columns } from '../../ui/kit/index.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatDuration } from '../../ui/time.ts';
import { AiCache } from './ai-cache.tsx';
import { ChartPanel, formatDay, toDate } from './chart-panel.tsx';
import { type Day, days, type Statistics, useOverviewStatistics } from './counters.tsx';
import { WebhookHealth } from './webhook-health.tsx';

/** Trends of the last days. */
export function OverviewCharts() {
  const isManager = useHasRole('itsm_manager');
  const { data, problem, reload } = useOverviewStatistics();
  const [open, trend] = data ?? [];
  return (
    <>
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Columns>
        <OpenByPriority statistics={open} />
        <CreatedAndResolved days={trend?.days} />
        <SlaAttainment days={trend?.days} />
        <TimeToResolve days={trend?.days} />
        {isManager && <WebhookHealth />}
        {isManager && <AiCache />}
      </Columns>
    </>
  );
}

function OpenByPriority({ statistics }: { statistics: Statistics | undefined }) {
  const groups = statistics?.groups ?? [];
  const count = (priority: string, state: string) =>
    groups.find(({ values }) => values.priority === priority && values.state === state)?.count ?? 0;
  return (
    <ChartPanel
      title="Open incidents"
      description={`${statistics?.count.toLocaleString('en') ?? '–'} by priority and state`}
      data={statistics}
      empty={statistics?.count === 0 && 'No open incidents.'}
    >
      <BarChart
        label="Open incidents by priority and state"
        labels={priorities}
        series={openIncidentStates.map((state) => ({
          title: stateNames[state],
          values: priorities.map((priority) => count(priority, state)),
        }))}
        toLink={(place, series) => `/incidents?state=${openIncidentStates[series]}&priority=${priorities[place]}`}
      />
    </ChartPanel>
  );
}

const noneResolved = `No incident was resolved in the last ${days} days.`;

/** The incidents of a day (UTC), by the time of their creation or resolution. */
function toDayLink(field: 'created' | 'resolved', day: Day | undefined): string {
  const from = Date.parse(day?.date ?? '');
  const [after, before] = [from - 1, from + 86_400_000].map((at) => new Date(at).toISOString());
  return `/incidents?${field}_after=${after}&${field}_before=${before}&sort=created_at`;
}

const toLabels = (days: readonly Day[] = []) => days.map(({ date }) => formatDay(toDate(date)));

function CreatedAndResolved({ days: shown }: { days: readonly Day[] | undefined }) {
  const isEmpty = shown?.every(({ created, resolved }) => created + resolved === 0);
  return (
    <ChartPanel
      title="Created and resolved"
      description={`Per day, last ${days} days`}
      data={shown}
      empty={isEmpty && `No incident was created or resolved in the last ${days} days.`}
    >
      <LineChart
        label="Incidents created and resolved per day"
        labels={toLabels(shown)}
        series={[
          { title: 'Created', values: (shown ?? []).map(({ created }) => created) },
          { title: 'Resolved', values: (shown ?? []).map(({ resolved }) => resolved) },
        ]}
        toLink={(place) => toDayLink('created', shown?.[place])}
      />
    </ChartPanel>
  );
}

function SlaAttainment({ days: shown }: { days: readonly Day[] | undefined }) {
  const sum = (read: (day: Day) => number) => (shown ?? []).reduce((total, day) => total + read(day), 0);
  const [met, breached] = [sum(({ sla_met }) => sla_met), sum(({ sla_breached }) => sla_breached)];
  const resolved = met + breached;
  const since = `resolved_after=${shown?.[0]?.date}T00:00:00Z`;
  return (
    <ChartPanel
      title="SLA attainment"
      description={`Incidents resolved in the last ${days} days`}
      data={shown}
      empty={resolved === 0 && noneResolved}
    >
      <DonutChart
        label="SLA attainment"
        metric={`${Math.round((100 * met) / resolved)}%`}
        description="within SLA"
        data={[
          { title: 'Within SLA', value: met },
          { title: 'Breached', value: breached, color: 'var(--chart-bad)', to: `/incidents?sla=breached&${since}` },
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
      data={shown}
      empty={count === 0 && noneResolved}
    >
      <LineChart
        label="Mean time to resolve per day, in hours"
        labels={toLabels(resolved)}
        series={[
          {
            title: 'Mean time to resolve',
            values: resolved.map((day) => (day.mean_time_to_resolve_minutes ?? 0) / 60),
          },
        ]}
        formatValue={(hours) => (hours === 0 ? '0' : formatDuration(hours * 3_600_000))}
        toLink={(place) => toDayLink('resolved', resolved[place])}
      />
    </ChartPanel>
  );
}
