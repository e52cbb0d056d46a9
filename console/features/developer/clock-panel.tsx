import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { Panel } from '../../ui/layouts.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatDuration } from '../../ui/time.ts';
import { type Action, useAction } from '../../ui/use-action.ts';

// A service on one machine has a clock that can be moved, at an address that a deployment does not have. The address
// accepts only requests from the machine itself.

const clockPath = '/_local/clock';
/** A day takes about ten seconds: everything that is due on the way runs. */
const timeoutMs = 120_000;

interface ClockState {
  now: string;
  offset_ms: number;
  held: boolean;
}

const steps = [
  { advance: '5m', name: '5 minutes' },
  { advance: '1h', name: '1 hour' },
  { advance: '1d', name: '1 day' },
] as const;

/** Moves the clock of a service on one machine; nothing on a deployment. */
export function ClockPanel() {
  const [clock, setClock] = useState<ClockState>();
  const moving = useAction();
  useEffect(() => {
    const controller = new AbortController();
    void callClock({ signal: controller.signal }).then(setClock, () => {});
    return () => controller.abort();
  }, []);
  if (!clock) return null;
  const command = (body: object, done: string) =>
    moving.run(async () => {
      setClock(await callClock({ method: 'POST', body: JSON.stringify(body) }));
      notify({ type: 'success', content: done });
    });
  return (
    <Panel
      title="Clock"
      description="This service runs on one machine. Fast-forward to see SLA breaches, webhook retries and schedules happen. The clock does not move back."
    >
      <SpaceBetween size="m">
        <Box>
          <time dateTime={clock.now}>{`${clock.now.slice(0, 10)} ${clock.now.slice(11, 19)} UTC`}</time>
          {formatOffset(clock)}
        </Box>
        <Buttons clock={clock} moving={moving} command={command} />
        {moving.problem !== undefined && <ProblemView problem={moving.problem} />}
      </SpaceBetween>
    </Panel>
  );
}

interface ButtonsProps {
  clock: ClockState;
  moving: Action;
  command(body: object, done: string): Promise<boolean>;
}

function Buttons({ clock, moving, command }: ButtonsProps) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {steps.map(({ advance, name }) => (
        <Button
          key={advance}
          disabled={moving.busy}
          onClick={() => command({ advance }, `The clock is ${name} ahead of where it was.`)}
        >
          Fast-forward {name}
        </Button>
      ))}
      <Button
        disabled={moving.busy}
        onClick={() => command({ hold: !clock.held }, clock.held ? 'The clock runs.' : 'The clock is stopped.')}
      >
        {clock.held ? 'Start clock' : 'Stop clock'}
      </Button>
    </SpaceBetween>
  );
}

function formatOffset({ offset_ms, held }: ClockState): string {
  const ahead = offset_ms >= 1_000 ? `, ${formatDuration(offset_ms)} ahead` : '';
  return held ? `${ahead}, stopped` : ahead;
}

/** A deployment returns a page or an error here. */
async function callClock(request: RequestInit): Promise<ClockState> {
  const response = await fetch(clockPath, {
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...request,
  });
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  if (!response.ok || !isJson) throw new Error(`The clock cannot be moved (HTTP status ${response.status}).`);
  return (await response.json()) as ClockState;
}
