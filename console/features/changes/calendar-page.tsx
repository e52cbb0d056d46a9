import type { CalendarEntry, Collision } from '../../../contract/change-calendar.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { serverNow } from '../../base/server-clock.ts';
import { timeZone } from '../../base/time-zone.ts';
import { useLoad } from '../../base/use-load.ts';
import { changePath } from '../../resources/change-words.ts';
import { CiLink, useCis } from '../../resources/ci-links.tsx';
import {
  Alert,
  Box,
  Button,
  type Column,
  Container,
  Header,
  Row,
  SegmentedControl,
  Stack,
  Table,
} from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { PlannedTime } from '../../ui/text.tsx';
import { formatDay, toDayStart } from '../../ui/time.ts';
import { CalendarBars } from './calendar-bars.tsx';
import {
  type CalendarRange,
  getDay,
  getEnd,
  getLastDay,
  lengths,
  moveRange,
  parseRange,
  toQuery,
} from './calendar-range.ts';

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

export function CalendarPage() {
  const { client } = useApi();
  const canWrite = useHasRole('itsm_agent');
  const range = parseRange(useQueryString(), serverNow());
  const [from, to] = [getDay(range, 0).toISOString(), getEnd(range).toISOString()];
  const { data, problem, reload } = useLoad(
    ['changes', 'calendar', from, to],
    (signal) => client.getChangeCalendar({ from, to }, { signal }),
    { polling },
  );
  return (
    <PageLayout
      title="Change calendar"
      description={`Planned changes and conflicts between them. Times are in your time zone (${timeZone.get()}).`}
      actions={
        canWrite && (
          <Button to="/changes/new" variant="primary">
            Create change
          </Button>
        )
      }
    >
      <Stack>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        <Container header={<RangeControls range={range} />}>
          {!data ? (
            problem === undefined && <FactsSkeleton facts={5} label="Loading calendar" />
          ) : data.data.length === 0 ? (
            <Box center muted padded="l">
              No changes are planned for this period.
            </Box>
          ) : (
            <CalendarBars range={range} entries={data.data} collisions={data.collisions} />
          )}
        </Container>
        {data && data.collisions.length > 0 && (
          <Panel title="Conflicts" counter={`(${data.collisions_total})`}>
            <CollisionTable entries={data.data} collisions={data.collisions} />
          </Panel>
        )}
        {data?.truncated.changes && (
          <Alert type="warning">
            Showing the first {data.data.length} of {data.total} changes. Select a shorter period to see all changes and
            conflicts.
          </Alert>
        )}
        {data?.truncated.dependencies && (
          <Alert type="info">Some dependencies are too deep to check, so not all conflicts may be shown.</Alert>
        )}
        {data && data.data.length > 0 && data.collisions.length === 0 && (
          <Alert type="success">
            No conflicts: none of these changes affect the same configuration items at the same time.
          </Alert>
        )}
      </Stack>
    </PageLayout>
  );
}

function RangeControls({ range }: { range: CalendarRange }) {
  const show = (next: CalendarRange) => changeQuery(toQuery(next));
  return (
    <Header
      actions={
        <Row align="end">
          <SegmentedControl
            label="Days"
            selectedId={String(range.days)}
            options={lengths.map((days) => ({ id: String(days), text: `${days} days` }))}
            onChange={(id) => show({ ...range, days: Number(id) as CalendarRange['days'] })}
          />
          <Button icon="left" ariaLabel="Earlier" onClick={() => show(moveRange(range, -1))} />
          <Button onClick={() => changeQuery(range.days === 14 ? '' : `days=${range.days}`)}>Today</Button>
          <Button icon="right" ariaLabel="Later" onClick={() => show(moveRange(range, 1))} />
        </Row>
      }
    >
      {formatDay(toDayStart(range.from))} – {formatDay(toDayStart(getLastDay(range)))}
    </Header>
  );
}

const reasons: Readonly<Record<Collision['reason'], string>> = {
  same_ci: 'Both affect',
  dependency: 'One depends on',
};

function CollisionTable({
  entries,
  collisions,
}: {
  entries: readonly CalendarEntry[];
  collisions: readonly Collision[];
}) {
  const cis = useCis(collisions.flatMap(({ ci_ids }) => ci_ids));
  const titles = new Map(entries.map(({ id, short_description }) => [id, short_description]));
  const change = (place: 0 | 1) => (collision: Collision) => {
    const id = collision.change_ids[place];
    const title = titles.get(id);
    return (
      <span className="wrapping">
        <PageLink to={changePath(id)}>{id}</PageLink>{' '}
        {title !== undefined && (
          <PageLink to={changePath(id)} variant="secondary">
            {title}
          </PageLink>
        )}
      </span>
    );
  };
  const columns: readonly Column<Collision>[] = [
    { id: 'first', header: 'Change', cell: change(0), isRowHeader: true, minWidth: 180 },
    { id: 'second', header: 'Conflicts with', cell: change(1), minWidth: 180 },
    {
      id: 'at',
      header: 'Shared items',
      minWidth: 140,
      cell: ({ ci_ids, reason }) => (
        <>
          {reasons[reason]}:
          <ul className="changes">
            {ci_ids.map((id) => (
              <li key={id}>
                <CiLink id={id} cis={cis} />
              </li>
            ))}
          </ul>
        </>
      ),
    },
    { id: 'from', header: 'From', cell: ({ from }) => <PlannedTime at={from} /> },
    { id: 'to', header: 'To', cell: ({ to }) => <PlannedTime at={to} /> },
  ];
  return (
    <Table items={collisions} trackBy={({ change_ids }) => change_ids.join()} columns={columns} label="Conflicts" />
  );
}
