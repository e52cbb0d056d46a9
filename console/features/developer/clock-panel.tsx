import { useEffect } from 'react';
import { callLocalClock, type LocalClock, localClock } from '../../base/local-clock.ts';
import { useStore } from '../../base/store.ts';
import { Box, Button, Row, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatDuration, formatTime } from '../../ui/time.ts';
import { type Action, useAction } from '../../ui/use-action.ts';

const steps = [
  { advance: '5m', name: '5 minutes' },
  { advance: '1h', name: '1 hour' },
  { advance: '1d', name: '1 day' },
] as const;

/** Moves the clock of a service on one machine; nothing on a deployment. */
export function ClockPanel() {
  const clock = useStore(localClock);
  const moving = useAction();
  useEffect(() => {
    const controller = new AbortController();
    void callLocalClock({ signal: controller.signal }).catch(() => {});
    return () => controller.abort();
  }, []);
  if (!clock) return null;
  const command = (body: object, done: string) =>
    moving.run(async () => {
      await callLocalClock({ method: 'POST', body: JSON.stringify(body) });
      notify({ type: 'success', content: done });
    });
  return (
    <Panel
      title="Clock"
      description="This service runs on one machine. Fast-forward to see SLA breaches, webhook retries and schedules happen. It does not jump back: a reset lets a clock that is at most 1 hour ahead run at half speed until it shows the real time. Once it is more than 5 minutes ahead, receivers on other machines reject signed deliveries because of their timestamp."
    >
      <Stack gap="m">
        <Box>
          <time dateTime={clock.now}>{formatTime(clock.now)}</time>
          {formatOffset(clock)}
        </Box>
        <Buttons clock={clock} moving={moving} command={command} />
        {moving.problem !== undefined && <ProblemView problem={moving.problem} />}
      </Stack>
    </Panel>
  );
}

interface ButtonsProps {
  clock: LocalClock;
  moving: Action;
  command(body: object, done: string): Promise<boolean>;
}

function Buttons({ clock, moving, command }: ButtonsProps) {
  return (
    <Row>
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
      {(clock.offset_ms >= 1_000 || clock.held) && clock.returns_at === undefined && (
        <Button disabled={moving.busy} onClick={() => command({ reset: true }, 'The clock returns to the real time.')}>
          Reset clock
        </Button>
      )}
    </Row>
  );
}

function formatOffset({ offset_ms, held }: LocalClock): string {
  const ahead = offset_ms >= 1_000 ? `, ${formatDuration(offset_ms)} ahead` : '';
  return held ? `${ahead}, stopped` : ahead;
}
