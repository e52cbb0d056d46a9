import { useState } from 'react';
import type { EscalationPolicy } from '../../../contract/escalation-policies.ts';
import type { OnCallPerson, Schedule, ShiftView } from '../../../contract/schedules.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { serverNow } from '../../base/server-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { Box, Button, type Column, Row, Stack, Table } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Person, PlannedTime } from '../../ui/text.tsx';
import { formatLocalDay, toDayStart } from '../../ui/time.ts';
import { GroupPagingPanel } from './group-paging-panel.tsx';
import { describePolicy, newPolicyPath, newSchedulePath, toPolicyPath, toSchedulePath } from './on-call-words.ts';
import { OverrideModal } from './override-modal.tsx';
import { type Period, Timeline } from './timeline.tsx';

const polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 120 };

const shownDays = 14;

/** More schedules than this have their own pages in the list of who is on call only. */
const maxTimelines = 50;

export function OnCallPage() {
  const { client } = useApi();
  const isManager = useHasRole('itsm_manager');
  const onCall = useLoad(['on-call'], (signal) => client.getOnCall({}, { signal }), { polling });
  const schedules = useLoad(['schedules'], (signal) => client.listSchedules({ limit: maxTimelines }, { signal }));
  const policies = useLoad(['escalation-policies'], (signal) =>
    client.listEscalationPolicies({ limit: maxTimelines }, { signal }),
  );
  const problem = onCall.problem ?? schedules.problem ?? policies.problem;
  const reload = () => {
    for (const each of [onCall, schedules, policies]) each.reload();
  };
  const names = new Map((schedules.data?.data ?? []).map(({ id, name }) => [id, name]));
  return (
    <PageLayout
      title="On call"
      description="Who is on call now and in the next two weeks. Times are in your time zone."
      actions={
        isManager && (
          <Row>
            <Button to={newPolicyPath}>Create policy</Button>
            <Button to={newSchedulePath} variant="primary">
              Create schedule
            </Button>
          </Row>
        )
      }
    >
      <Stack>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        <Panel title="On call now">
          {onCall.data ? <OnCallTable people={onCall.data.data} /> : <FactsSkeleton facts={3} label="Loading people" />}
        </Panel>
        {(schedules.data?.data ?? []).map((schedule) => (
          <SchedulePanel key={schedule.id} schedule={schedule} onChange={reload} />
        ))}
        <Panel title="Escalation policies">
          <PolicyTable policies={policies.data?.data ?? []} names={names} />
        </Panel>
        <GroupPagingPanel policies={policies.data?.data ?? []} />
      </Stack>
    </PageLayout>
  );
}

const onCallColumns: readonly Column<OnCallPerson>[] = [
  { id: 'schedule', header: 'Schedule', cell: ({ schedule_name }) => schedule_name, isRowHeader: true, minWidth: 90 },
  {
    id: 'person',
    header: 'On call',
    minWidth: 80,
    cell: ({ person }) => (person === null ? <strong>Nobody</strong> : <Person address={person} />),
  },
  {
    id: 'until',
    header: 'Next hand-off',
    minWidth: 130,
    cell: ({ until, next_person }) =>
      until === null ? (
        'None within 14 days'
      ) : (
        <>
          <PlannedTime at={until} /> to {next_person === null ? 'nobody' : <Person address={next_person} />}
        </>
      ),
  },
];

function OnCallTable({ people }: { people: readonly OnCallPerson[] }) {
  return (
    <Table
      items={people}
      trackBy="schedule_id"
      columns={onCallColumns}
      label="On call now"
      empty={<Empty>There is no schedule yet.</Empty>}
    />
  );
}

interface Selection {
  period: Period;
  shift?: ShiftView | undefined;
}

function SchedulePanel({ schedule, onChange }: { schedule: Schedule; onChange(): void }) {
  const { client } = useApi();
  const [canOverride, isManager] = [useHasRole('itsm_agent'), useHasRole('itsm_manager')];
  const [selection, setSelection] = useState<Selection>();
  const period = toShownPeriod();
  const [from, to] = [new Date(period.startMs).toISOString(), new Date(period.endMs).toISOString()];
  const { data, problem, reload } = useLoad(['schedules', schedule.id, schedule.updated_at, from], (signal) =>
    client.getShifts({ id: schedule.id, from, to }, { signal }),
  );
  const close = () => setSelection(undefined);
  const startMs = Math.ceil(serverNow() / 3_600_000) * 3_600_000;
  return (
    <Panel
      title={schedule.name}
      description={`${schedule.description ?? ''} Hand-offs are in ${schedule.time_zone}.`.trim()}
      actions={
        <Row>
          {canOverride && (
            <Button onClick={() => setSelection({ period: { startMs, endMs: startMs + 8 * 3_600_000 } })}>
              Override
            </Button>
          )}
          {isManager && <Button to={toSchedulePath(schedule.id)}>Edit</Button>}
        </Row>
      }
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      {data ? (
        <Timeline
          schedule={schedule}
          shifts={data.shifts}
          period={period}
          canOverride={canOverride}
          onSelect={(chosen, shift) => setSelection({ period: chosen, shift })}
        />
      ) : (
        problem === undefined && <FactsSkeleton facts={3} label="Loading shifts" />
      )}
      {selection && (
        <OverrideModal
          schedule={schedule}
          period={selection.period}
          shift={selection.shift}
          onClose={close}
          onDone={() => {
            close();
            onChange();
            reload();
          }}
        />
      )}
    </Panel>
  );
}

/** From the start of today, in the user's time zone. */
function toShownPeriod(): Period {
  const today = formatLocalDay(new Date(serverNow()));
  return { startMs: toDayStart(today).getTime(), endMs: toDayStart(today, shownDays).getTime() };
}

interface PolicyTableProps {
  policies: readonly EscalationPolicy[];
  names: ReadonlyMap<string, string>;
}

function PolicyTable({ policies, names }: PolicyTableProps) {
  const isManager = useHasRole('itsm_manager');
  const columns: readonly Column<EscalationPolicy>[] = [
    {
      id: 'name',
      header: 'Policy',
      minWidth: 120,
      isRowHeader: true,
      cell: ({ id, name }) => (isManager ? <PageLink to={toPolicyPath(id)}>{name}</PageLink> : name),
    },
    { id: 'steps', header: 'Who is paged', minWidth: 200, cell: (policy) => describePolicy(policy, names) },
  ];
  return (
    <Table
      items={policies}
      trackBy="id"
      columns={columns}
      label="Escalation policies"
      empty={<Empty>There is no escalation policy yet.</Empty>}
    />
  );
}

function Empty({ children }: { children: string }) {
  return (
    <Box center muted padded="s">
      {children}
    </Box>
  );
}
