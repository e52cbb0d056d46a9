import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { PriorityBadge } from '../../resources/incident-labels.tsx';
import { priorities, priorityNames } from '../../resources/incident-words.ts';
import { getSlaFigures, type ReadSla, type SlaView, warningPercent } from '../../resources/sla.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNow } from '../../ui/screen.ts';
import { Duration, Moment } from '../../ui/text.tsx';
import { formatTime } from '../../ui/time.ts';
import type { IncidentVersion } from './incident-change.tsx';

const tickMs = 5000;

export function SlaPanel({ version: { record: incident, etag } }: { version: IncidentVersion }) {
  const { id, state } = incident;
  const { client } = useApi();
  const load = async (signal: AbortSignal): Promise<ReadSla> => {
    const sla = await client.getIncidentSla({ id }, { signal });
    return { sla, readAtMs: serverNow() };
  };
  const { data, problem, reload } = useLoad(['incidents', id, 'sla', etag], load, { keepPrevious: true });
  // Reserves the space of the figures, so that the details below do not move while somebody clicks there.
  const isRunning = state === 'on_hold' || incident.sla_breach_at !== null;
  return (
    <Panel title="SLA">
      <div className={isRunning ? 'sla-space' : undefined}>
        {problem !== undefined ? (
          <ProblemView problem={problem} onRetry={reload} />
        ) : data ? (
          <SlaFacts read={data} state={state} />
        ) : (
          <FactsSkeleton facts={3} label="Loading SLA" />
        )}
      </div>
    </Panel>
  );
}

function SlaFacts({ read, state }: { read: ReadSla; state: IncidentState }) {
  const now = useNow(tickMs);
  const { sla } = read;
  const { usedPercent, remainingMs, status } = getSlaFigures(read, now);
  return (
    <SpaceBetween size="m">
      <SpaceBetween size="xs">
        <div className="sla-line">
          <StatusIndicator type={looks[status]}>
            <Headline status={status} remainingMs={remainingMs} state={state} />
          </StatusIndicator>
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
          { label: 'Elapsed', value: <Duration lengthMs={sla.target_minutes * 60_000 - remainingMs} /> },
          { label: 'Paused', value: <Duration lengthMs={sla.paused_ms} /> },
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
function Headline({ status, remainingMs, state }: HeadlineProps) {
  const left = <Duration lengthMs={remainingMs} suffix=" left" />;
  if (status === 'met') {
    return (
      <>
        {state === 'cancelled' ? 'Ended' : 'Met'} with {left}
      </>
    );
  }
  if (status === 'breached') {
    return (
      <>
        Breached by <Duration lengthMs={remainingMs} />
      </>
    );
  }
  return status === 'paused' ? <>Paused with {left}</> : left;
}

interface HeadlineProps {
  status: keyof typeof looks;
  remainingMs: number;
  state: IncidentState;
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
      <Duration lengthMs={minutes * 60_000} /> <PriorityBadge priority={priority} />
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
            {clock === 'running' ? 'Running' : 'Paused'} for <Duration lengthMs={duration_ms} />
          </StatusIndicator>
          <Box color="text-body-secondary" fontSize="body-s">
            <Moment at={from} /> – {to === null ? 'now' : <Moment at={to} />}
          </Box>
        </li>
      ))}
    </ul>
  );
}

/** What another priority would mean, before anybody changes it. */
export function SlaSimulation({ sla }: { sla: SlaView }) {
  const [priority, setPriority] = useState<Priority>();
  const options = priorities
    .filter((value) => value !== sla.priority)
    .map((value) => ({ value, label: priorityNames[value] }));
  return (
    <SpaceBetween size="xs">
      <FormField label="Preview another priority">
        <Select
          placeholder="Choose a priority"
          selectedOption={options.find(({ value }) => value === priority) ?? null}
          options={options}
          onChange={({ detail }) => setPriority(detail.selectedOption.value as Priority)}
        />
      </FormField>
      {priority && priority !== sla.priority && <Simulated id={sla.incident_id} priority={priority} key={sla.at} />}
    </SpaceBetween>
  );
}

function Simulated({ id, priority }: { id: string; priority: Priority }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['incidents', id, 'sla', { priority }], (signal) =>
    client.getIncidentSla({ id, simulate: `priority:${priority}` }, { signal }),
  );
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <StatusIndicator type="loading">Calculating</StatusIndicator>;
  const target = (
    <>
      target <Duration lengthMs={data.target_minutes * 60_000} />
    </>
  );
  if (data.breached) {
    return (
      <StatusIndicator type="error">
        Breached by <Duration lengthMs={data.remaining_ms} /> ({target})
      </StatusIndicator>
    );
  }
  const until = data.breach_at ? `, until ${formatTime(data.breach_at)}` : '';
  return (
    <StatusIndicator type={data.used_percent >= 75 ? 'warning' : 'success'}>
      <Duration lengthMs={data.remaining_ms} suffix=" left" />
      {until} ({target})
    </StatusIndicator>
  );
}
