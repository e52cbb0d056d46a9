import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useCallback } from 'react';
import { apiRoot, operationTable } from '../../../client/index.ts';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { type Polled, usePolling } from '../../use-load.ts';

const polling = { intervalMs: 10_000, maxIntervalMs: 120_000, maxPolls: 180 };

interface Reading {
  status: string;
  version: string;
  service_instance: string;
  time: string;
  latencyMs: number | undefined;
}

export function HealthPanel() {
  const { client, config } = useApi();
  const load = useCallback(
    async (signal: AbortSignal): Promise<Reading> => {
      const health = await client.getHealth({}, { signal, retries: 0 });
      return { ...health, latencyMs: latencyMsOf(`${config.base_url}${apiRoot}${operationTable.getHealth.path}`) };
    },
    [client, config],
  );
  const health = usePolling(load, polling);
  return (
    <Container
      fitHeight
      header={
        <Header
          variant="h2"
          description={descriptionOf(health)}
          actions={
            <Button
              iconName="refresh"
              ariaLabel="Refresh service health"
              loading={health.loading && health.data === undefined}
              onClick={health.reload}
            />
          }
        >
          Service health
        </Header>
      }
    >
      <HealthFacts health={health} />
    </Container>
  );
}

function HealthFacts({ health }: { health: Polled<Reading> }) {
  if (health.problem !== undefined) return <ProblemView problem={health.problem} onRetry={health.reload} />;
  if (!health.data) return <FactsSkeleton facts={4} label="Loading service health" />;
  const { version, service_instance, time, latencyMs } = health.data;
  return (
    <KeyValuePairs
      columns={2}
      items={[
        { label: 'Status', value: <StatusIndicator type="success">Operational</StatusIndicator> },
        { label: 'Response time', value: latencyMs === undefined ? '–' : `${latencyMs} ms` },
        { label: 'Version', value: version },
        { label: 'Instance', value: service_instance },
        { label: 'Server time', value: <time dateTime={time}>{readable(time)}</time> },
      ]}
    />
  );
}

function descriptionOf({ paused }: Polled<Reading>): string {
  return paused ? 'Paused. Refresh to resume.' : `Refreshes every ${polling.intervalMs / 1000} seconds`;
}

/** As the browser measured it, so that the page's own work does not count. Its list is short, hence emptied. */
function latencyMsOf(url: string): number | undefined {
  const latest = performance.getEntriesByName(url, 'resource').at(-1);
  performance.clearResourceTimings();
  return latest && Math.round(latest.duration);
}

function readable(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}
