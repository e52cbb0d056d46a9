import type { Calendar } from '../../../contract/calendars.ts';
import type { SlaPolicy, SlaRecalculation } from '../../../contract/sla-policies.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { Button, type Column, Row, Stack, Status, Table } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { serviceLevelsPath, toSlaPolicyPath } from '../../ui/record-path.ts';
import { Duration } from '../../ui/text.tsx';

/** While open records are recalculated. */
const polling = { intervalMs: 10_000, maxIntervalMs: 60_000, maxPolls: 60 };

const maxRecords = 200;

export const toCalendarPath = (id: string) => `${serviceLevelsPath}/calendars/${id}/edit`;

export function ServiceLevelsPage() {
  const { client } = useApi();
  const isManager = useHasRole('itsm_manager');
  const policies = useLoad(['sla-policies'], (signal) => client.listSlaPolicies({ limit: maxRecords }, { signal }));
  const calendars = useLoad(['calendars'], (signal) => client.listSlaCalendars({ limit: maxRecords }, { signal }));
  const recalculation = useLoad(['sla-recalculation'], (signal) => client.getSlaRecalculation({}, { signal }), {
    polling,
  });
  const problem = policies.problem ?? calendars.problem ?? recalculation.problem;
  const reload = () => {
    for (const each of [policies, calendars, recalculation]) each.reload();
  };
  const names = new Map((calendars.data?.data ?? []).map(({ id, name }) => [id, name]));
  return (
    <PageLayout
      title="Service levels"
      description="How fast records are acknowledged and resolved, and in which hours time counts."
      actions={
        isManager && (
          <Row>
            <Button to={`${serviceLevelsPath}/calendars/new`}>Create calendar</Button>
            <Button to={`${serviceLevelsPath}/policies/new`} variant="primary">
              Create SLA policy
            </Button>
          </Row>
        )
      }
    >
      <Stack>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        <Panel
          title="SLA policies"
          description="The policy with the most conditions applies; then the one with a group, a category, a priority. Other incidents have the default targets."
        >
          <Stack gap="s">
            {recalculation.data && <Recalculation recalculation={recalculation.data} />}
            <PolicyTable policies={policies.data?.data} names={names} isManager={isManager} />
          </Stack>
        </Panel>
        <Panel title="Calendars" description="Policies without a calendar count around the clock.">
          <CalendarTable calendars={calendars.data?.data} isManager={isManager} />
        </Panel>
      </Stack>
    </PageLayout>
  );
}

function Recalculation({ recalculation: { revision, status, checked, changed } }: { recalculation: SlaRecalculation }) {
  if (revision === 0) return null;
  if (status === 'completed')
    return <Status type="success">{`The last change reached all open records: ${changed} changed.`}</Status>;
  return <Status type="in-progress">{`Open records are recalculated: ${checked} checked, ${changed} changed.`}</Status>;
}

const kindNames = { incident: 'Incidents', request: 'Service requests', change: 'Changes' } as const;

function describeConditions({ kind, assignment_group, category, priority }: SlaPolicy): string {
  const conditions = [priority, category, assignment_group && `of ${assignment_group}`].filter(Boolean);
  return [kindNames[kind], ...conditions].join(', ');
}

interface PolicyTableProps {
  policies: readonly SlaPolicy[] | undefined;
  names: ReadonlyMap<string, string>;
  isManager: boolean;
}

function PolicyTable({ policies, names, isManager }: PolicyTableProps) {
  const columns: readonly Column<SlaPolicy>[] = [
    {
      id: 'name',
      header: 'Policy',
      minWidth: 110,
      isRowHeader: true,
      cell: ({ id, name }) => (isManager ? <PageLink to={toSlaPolicyPath(id)}>{name}</PageLink> : name),
    },
    { id: 'covers', header: 'Covers', minWidth: 130, cell: describeConditions },
    {
      id: 'acknowledge',
      header: 'Acknowledge',
      minWidth: 90,
      cell: ({ acknowledge_minutes: minutes }) => (minutes === null ? '–' : <Duration lengthMs={minutes * 60_000} />),
    },
    {
      id: 'resolve',
      header: 'Resolve',
      minWidth: 80,
      cell: ({ resolve_minutes: minutes }) => <Duration lengthMs={minutes * 60_000} />,
    },
    {
      id: 'calendar',
      header: 'Calendar',
      minWidth: 100,
      cell: ({ calendar_id: id }) => (id === null ? 'Around the clock' : (names.get(id) ?? id)),
    },
  ];
  return (
    <Table
      items={policies ?? []}
      trackBy="id"
      columns={columns}
      label="SLA policies"
      empty={policies ? 'There is no policy yet: the default targets apply.' : 'Loading policies'}
    />
  );
}

function CalendarTable({ calendars, isManager }: { calendars: readonly Calendar[] | undefined; isManager: boolean }) {
  const columns: readonly Column<Calendar>[] = [
    {
      id: 'name',
      header: 'Calendar',
      minWidth: 110,
      isRowHeader: true,
      cell: ({ id, name }) => (isManager ? <PageLink to={toCalendarPath(id)}>{name}</PageLink> : name),
    },
    { id: 'zone', header: 'Time zone', minWidth: 100, cell: ({ time_zone }) => time_zone },
    { id: 'hours', header: 'Open', minWidth: 150, cell: ({ hours }) => hours.map(describeHours).join('; ') },
    { id: 'holidays', header: 'Holidays', minWidth: 70, cell: ({ holidays }) => holidays.length },
  ];
  return (
    <Table
      items={calendars ?? []}
      trackBy="id"
      columns={columns}
      label="Calendars"
      empty={calendars ? 'There is no calendar yet.' : 'Loading calendars'}
    />
  );
}

function describeHours({ weekdays, from, to }: Calendar['hours'][number]): string {
  const days = weekdays.map((day) => day.charAt(0).toUpperCase() + day.slice(1, 3)).join(', ');
  return `${days} ${from}–${to}`;
}
