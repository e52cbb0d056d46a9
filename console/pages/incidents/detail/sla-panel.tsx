import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useCallback } from 'react';
import type { IncidentState } from '../../../../contract/states.ts';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { Moment } from '../../../components/moment.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { serverNow } from '../../../server-clock.ts';
import { durationText } from '../../../time-text.ts';
import { useLoad } from '../../../use-load.ts';
import { useNow } from '../../../use-now.ts';
import { PriorityBadge } from '../priority-badge.tsx';
import type { IncidentVersion } from '../use-incident.ts';
import { figuresAt, type ReadSla, warningPercent } from './sla-figures.ts';
import { SlaSimulation } from './sla-simulation.tsx';

const tickMs = 5000;

export function SlaPanel({ version: { incident, etag } }: { version: IncidentVersion }) {
  const { id, state } = incident;
  const { client } = useApi();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision of the incident has another clock.
  const load = useCallback(
    async (signal: AbortSignal): Promise<ReadSla> => {
      const sla = await client.getIncidentSla({ id }, { signal });
      return { sla, readAtMs: serverNow() };
    },
    [client, id, etag],
  );
  const { data, problem, reload } = useLoad(load);
  return (
    <Container header={<Header variant="h2">SLA</Header>}>
      {problem !== undefined ? (
        <ProblemView problem={problem} onRetry={reload} />
      ) : data ? (
        <SlaFacts read={data} state={state} />
      ) : (
        <FactsSkeleton facts={3} label="Loading SLA" />
      )}
    </Container>
  );
}

function SlaFacts({ read, state }: { read: ReadSla; state: IncidentState }) {
  const now = useNow(tickMs);
  const { sla } = read;
  const { usedPercent, remainingMs, status } = figuresAt(read, now);
  return (
    <SpaceBetween size="m">
      <SpaceBetween size="xs">
        <div className="sla-line">
          <StatusIndicator type={looks[status]}>{headline(status, remainingMs, state)}</StatusIndicator>
          <Box color="text-body-secondary">{Math.floor(usedPercent)}% used</Box>
        </div>
        <SlaBar usedPercent={usedPercent} status={status} />
      </SpaceBetween>
      <KeyValuePairs
        columns={2}
        minColumnWidth={130}
        items={[
          { label: 'Target', value: <Target priority={sla.priority} minutes={sla.target_minutes} /> },
          { label: sla.ended_at ? 'Ended' : 'Breaches at', value: <When at={sla.ended_at ?? sla.breach_at} /> },
          { label: 'Elapsed', value: durationText(sla.target_minutes * 60_000 - remainingMs) },
          { label: 'Paused', value: durationText(sla.paused_ms) },
        ]}
      />
      <ExpandableSection headerText="SLA intervals" headerCounter={`(${sla.intervals.length})`}>
        <Intervals read={read} />
      </ExpandableSection>
      {sla.clock !== 'ended' && <SlaSimulation sla={sla} />}
    </SpaceBetween>
  );
}

const looks = { running: 'pending', warning: 'warning', breached: 'error', paused: 'stopped', met: 'success' } as const;

/** A cancelled incident has not met its target; there was none to meet. */
function headline(status: keyof typeof looks, remainingMs: number, state: IncidentState): string {
  if (status === 'met') return `${state === 'cancelled' ? 'Ended' : 'Met'} with ${durationText(remainingMs)} left`;
  if (status === 'breached') return `Breached by ${durationText(remainingMs)}`;
  if (status === 'paused') return `Paused with ${durationText(remainingMs)} left`;
  return `${durationText(remainingMs)} left`;
}

function SlaBar({ usedPercent, status }: { usedPercent: number; status: keyof typeof looks }) {
  const shown = Math.min(100, usedPercent);
  return (
    <div
      className={`sla-bar sla-${status}`}
      role="progressbar"
      aria-label="SLA time used"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(shown)}
    >
      <div className="sla-used" style={{ inlineSize: `${shown}%` }} />
      <div
        className="sla-mark"
        style={{ insetInlineStart: `${warningPercent}%` }}
        title={`Warning at ${warningPercent}%`}
      />
    </div>
  );
}

function Target({ priority, minutes }: { priority: ReadSla['sla']['priority']; minutes: number }) {
  return (
    <>
      {durationText(minutes * 60_000)} <PriorityBadge priority={priority} />
    </>
  );
}

function When({ at }: { at: string | null }) {
  return at === null ? <Box color="text-status-inactive">–</Box> : <Moment at={at} />;
}

function Intervals({ read: { sla } }: { read: ReadSla }) {
  return (
    <ul className="intervals">
      {sla.intervals.map(({ clock, from, to, duration_ms }) => (
        <li key={from}>
          <StatusIndicator type={clock === 'running' ? 'in-progress' : 'stopped'}>
            {clock === 'running' ? 'Running' : 'Paused'} for {durationText(duration_ms)}
          </StatusIndicator>
          <Box color="text-body-secondary" fontSize="body-s">
            <Moment at={from} /> – {to === null ? 'now' : <Moment at={to} />}
          </Box>
        </li>
      ))}
    </ul>
  );
}
