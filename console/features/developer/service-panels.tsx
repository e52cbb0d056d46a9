import { useState } from 'react';
import { apiRoot, operationTable, type RateLimitState } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { type Caller, useCaller } from '../../base/caller.tsx';
import { useStore } from '../../base/store.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import {
  Box,
  Button,
  Columns,
  CopyButton,
  FormField,
  KeyValues,
  Progress,
  Row,
  Select,
  Stack,
  Status,
  Toggle,
} from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatTime } from '../../ui/time.ts';

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
  const load = async (signal: AbortSignal): Promise<Reading> => {
    const health = await client.getHealth({}, { signal, retries: 0 });
    return { ...health, latencyMs: getLatencyMs(`${config.base_url}${apiRoot}${operationTable.getHealth.path}`) };
  };
  const health = useLoad(['health'], load, { polling });
  return (
    <Panel
      title="Service health"
      description={formatDescription(health)}
      actions={
        <Button
          icon="refresh"
          ariaLabel="Refresh service health"
          loading={health.loading && health.data === undefined}
          onClick={health.reload}
        />
      }
      fitHeight
    >
      <HealthFacts health={health} />
    </Panel>
  );
}

function HealthFacts({ health }: { health: Loaded<Reading> }) {
  if (health.problem !== undefined) return <ProblemView problem={health.problem} onRetry={health.reload} />;
  if (!health.data) return <FactsSkeleton facts={4} label="Loading service health" />;
  const { version, service_instance, time, latencyMs } = health.data;
  return (
    <KeyValues
      columns={2}
      items={[
        { label: 'Status', value: <Status type="success">Operational</Status> },
        { label: 'Response time', value: latencyMs === undefined ? '–' : `${latencyMs} ms` },
        { label: 'Version', value: version },
        { label: 'Instance', value: service_instance },
        { label: 'Server time', value: <time dateTime={time}>{formatTime(time)}</time> },
      ]}
    />
  );
}

function formatDescription({ paused }: Loaded<Reading>): string {
  return paused ? 'Paused. Refresh to resume.' : `Refreshes every ${polling.intervalMs / 1000} seconds`;
}

/** Reads the browser's measurement, which excludes the page's own work, and clears its limited buffer. */
function getLatencyMs(url: string): number | undefined {
  const latest = performance.getEntriesByName(url, 'resource').at(-1);
  performance.clearResourceTimings();
  return latest && Math.round(latest.duration);
}

export function RateLimitPanel() {
  const { rateLimit } = useApi();
  const { data: caller, problem } = useCaller();
  const state = useStore(rateLimit);
  return (
    <Panel title="Rate limits">
      <Columns count={2}>
        <Remaining state={state} />
        {caller ? (
          <Limits limits={caller.rate_limits} />
        ) : problem === undefined ? (
          <FactsSkeleton facts={1} label="Loading rate limits" />
        ) : (
          <Box muted>Your rate limits are not available.</Box>
        )}
      </Columns>
    </Panel>
  );
}

function Remaining({ state }: { state: RateLimitState | undefined }) {
  if (!state) return <FactsSkeleton facts={1} label="Loading remaining requests" />;
  const { limit, remaining } = state;
  return (
    <Progress
      label={<Box variant="label">Remaining requests</Box>}
      description="As of the last response"
      value={limit > 0 ? (100 * remaining) / limit : 0}
      additionalInfo={`${remaining} of ${limit} requests`}
      ariaLabel={`${remaining} of ${limit} requests remaining`}
    />
  );
}

function Limits({ limits }: { limits: Caller['rate_limits'] }) {
  return (
    <div>
      <Box variant="label">Your limits</Box>
      {limits.map(({ class: name, limit, window_seconds: seconds }) => (
        <div key={name}>
          {limit} requests per {seconds === 1 ? 'second' : seconds === 60 ? 'minute' : `${seconds} seconds`}
          <Box variant="span" muted>
            {' '}
            ({name})
          </Box>
        </div>
      ))}
    </div>
  );
}

/** The GET operations without path parameters. */
const paths = Object.values(operationTable)
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path }) => ({ value: path as string, label: `GET ${path}` }));

const firstPath = paths.find(({ value }) => value === '/me') ?? { value: '/health', label: 'GET /health' };

export function CurlPanel() {
  const { config, session } = useApi();
  const state = useStore(session.state);
  const [operation, setOperation] = useState(firstPath);
  const [showToken, setShowToken] = useState(false);
  const token = state.status === 'signed_in' ? state.accessToken : '';
  const command = (shown: string) =>
    `curl -i -H "Authorization: Bearer ${shown}" "${config.base_url}${apiRoot}${operation.value}"`;
  return (
    <Panel
      title="Try it with curl"
      description="The copied command contains your access token. Anyone who has it can act as you until it expires."
      actions={<CopyButton text="Copy" label="Copy curl command" value={command(token)} />}
    >
      <Stack gap="m">
        <Row gap="l" align="end">
          <FormField label="Request">
            <Select
              value={operation.value}
              options={paths}
              onChange={(value) => setOperation(paths.find((path) => path.value === value) ?? operation)}
            />
          </FormField>
          <Toggle checked={showToken} onChange={setShowToken}>
            Show token
          </Toggle>
        </Row>
        <pre className="command" data-testid="curl">
          {command(showToken ? token : `${token.slice(0, 8)}…`)}
        </pre>
      </Stack>
    </Panel>
  );
}
