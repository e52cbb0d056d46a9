import { useState } from 'react';
import type { IncidentState, Priority } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { PriorityBadge } from '../../resources/incident-labels.tsx';
import { priorities, priorityNames } from '../../resources/incident-words.ts';
import { getSlaFigures, type ReadSla, type SlaView } from '../../resources/sla.ts';
import { Box, Expandable, FormField, KeyValues, Select, Stack, Status } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toSlaPolicyPath } from '../../ui/record-path.ts';
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
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  return (
    <Expandable contained title="SLA" description={data ? <SlaLine read={data} state={state} /> : 'Loading SLA'}>
      {data && <SlaFacts read={data} />}
    </Expandable>
  );
}

/** What matters of it, in one line. */
function SlaLine({ read, state }: { read: ReadSla; state: IncidentState }) {
  const { usedPercent, remainingMs, status } = getSlaFigures(read, useNow(tickMs));
  return (
    <>
      <span className="sla-line">
        <Status type={looks[status]}>
          <Headline status={status} remainingMs={remainingMs} state={state} isPaused={read.sla.clock === 'paused'} />
        </Status>
        <span>{Math.floor(usedPercent)}% used</span>
      </span>
      <SlaBar usedPercent={usedPercent} status={status} warningPercent={read.sla.warning_percent} />
    </>
  );
}

function SlaFacts({ read }: { read: ReadSla }) {
  const { sla } = read;
  const { remainingMs } = getSlaFigures(read, useNow(tickMs));
  return (
    <Stack gap="m">
      <KeyValues
        columns={2}
        items={[
          { label: 'Policy', value: <Policy sla={sla} /> },
          { label: 'Target', value: <Target priority={sla.priority} minutes={sla.target_minutes} /> },
          { label: toEndLabel(sla), value: <When at={sla.breached_at ?? sla.ended_at ?? sla.breach_at} /> },
          { label: 'Elapsed', value: <Duration lengthMs={sla.target_minutes * 60_000 - remainingMs} /> },
          { label: 'Paused', value: <Duration lengthMs={sla.paused_ms} /> },
          ...(sla.calendar ? [{ label: 'Closed hours', value: <Duration lengthMs={sla.closed_ms} /> }] : []),
          ...(sla.acknowledge ? [{ label: 'Acknowledgement', value: <Acknowledgement sla={sla.acknowledge} /> }] : []),
        ]}
      />
      <Expandable title="SLA intervals" counter={`(${sla.intervals.length})`}>
        <Intervals read={read} />
      </Expandable>
      {sla.clock !== 'ended' && <SlaSimulation sla={sla} />}
    </Stack>
  );
}

function toEndLabel({ breached_at, ended_at }: SlaView): string {
  if (breached_at) return 'Breached at';
  return ended_at ? 'Ended' : 'Breaches at';
}

function Policy({ sla: { policy, calendar } }: { sla: SlaView }) {
  const name = policy.id === null ? 'Default' : <PageLink to={toSlaPolicyPath(policy.id)}>{policy.name}</PageLink>;
  return (
    <>
      {name}
      {calendar && <Box muted small>{`Open hours of ${calendar.name} (${calendar.time_zone})`}</Box>}
    </>
  );
}

function Acknowledgement({ sla }: { sla: NonNullable<SlaView['acknowledge']> }) {
  if (sla.breached_at)
    return (
      <Status type="error">
        Due at <Moment at={sla.breached_at} />
      </Status>
    );
  if (sla.acknowledged_at) return <Status type="success">Met</Status>;
  return sla.due_at === null ? (
    'Paused'
  ) : (
    <>
      Due <Moment at={sla.due_at} />
    </>
  );
}

const looks = {
  running: 'pending',
  warning: 'warning',
  breached: 'error',
  paused: 'stopped',
  closed: 'stopped',
  met: 'success',
} as const;

/** A cancelled incident has not met its target; there was none to meet. */
function Headline({ status, remainingMs, state, isPaused }: HeadlineProps) {
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
        {isPaused ? 'Paused and breached by' : 'Breached by'} <Duration lengthMs={remainingMs} />
      </>
    );
  }
  if (status === 'closed') return <>Outside open hours with {left}</>;
  return status === 'paused' ? <>Paused with {left}</> : left;
}

interface HeadlineProps {
  status: keyof typeof looks;
  remainingMs: number;
  state: IncidentState;
  isPaused: boolean;
}

interface SlaBarProps {
  usedPercent: number;
  status: keyof typeof looks;
  warningPercent: number;
}

function SlaBar({ usedPercent, status, warningPercent }: SlaBarProps) {
  const shown = Math.min(100, usedPercent);
  return (
    <span
      className={`sla-bar sla-${status}`}
      role="progressbar"
      aria-label="SLA time used"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(shown)}
    >
      <span className="sla-used" style={{ inlineSize: `${shown}%` }} />
      <span
        className="sla-mark"
        style={{ insetInlineStart: `${warningPercent}%` }}
        title={`Warning at ${warningPercent}%`}
      />
    </span>
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
  return at === null ? <Box muted>–</Box> : <Moment at={at} />;
}

const intervalNames = { running: 'Running', paused: 'Paused', closed: 'Outside open hours' } as const;

function Intervals({ read: { sla } }: { read: ReadSla }) {
  return (
    <ul className="intervals">
      {sla.intervals.map(({ clock, from, to, duration_ms }) => (
        <li key={from}>
          <Status type={clock === 'running' ? 'in-progress' : 'stopped'}>
            {intervalNames[clock]} for <Duration lengthMs={duration_ms} />
          </Status>
          <Box muted small>
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
    <Stack gap="xs">
      <FormField label="Preview another priority">
        <Select
          placeholder="Choose a priority"
          value={priority}
          options={options}
          onChange={(value) => setPriority(value as Priority)}
        />
      </FormField>
      {priority && priority !== sla.priority && <Simulated id={sla.incident_id} priority={priority} key={sla.at} />}
    </Stack>
  );
}

function Simulated({ id, priority }: { id: string; priority: Priority }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['incidents', id, 'sla', { priority }], (signal) =>
    client.getIncidentSla({ id, simulate: `priority:${priority}` }, { signal }),
  );
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!data) return <Status type="loading">Calculating</Status>;
  const target = (
    <>
      target <Duration lengthMs={data.target_minutes * 60_000} />
    </>
  );
  if (data.breached) {
    return (
      <Status type="error">
        Breached by <Duration lengthMs={data.remaining_ms} /> ({target})
      </Status>
    );
  }
  const until = data.breach_at ? `, until ${formatTime(data.breach_at)}` : '';
  return (
    <Status type={data.used_percent >= data.warning_percent ? 'warning' : 'success'}>
      <Duration lengthMs={data.remaining_ms} suffix=" left" />
      {until} ({target})
    </Status>
  );
}
