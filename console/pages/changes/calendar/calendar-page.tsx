import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { changeQuery, currentQuery } from '../../../location.ts';
import { serverNow } from '../../../server-clock.ts';
import { usePolling } from '../../../use-load.ts';
import { useMay } from '../../../use-may.ts';
import { useStore } from '../../../use-store.ts';
import { CalendarBars } from './calendar-bars.tsx';
import { type CalendarRange, endOf, lastDayOf, lengths, moved, queryOf, rangeFrom } from './calendar-range.ts';
import { CollisionTable } from './collision-table.tsx';

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

export function CalendarPage() {
  const { client } = useApi();
  const mayWrite = useMay('itsm_agent');
  const range = rangeFrom(useStore(currentQuery), serverNow());
  const { from } = range;
  const to = endOf(range);
  const load = useCallback(
    async (signal: AbortSignal) => ({ from, to, ...(await client.getChangeCalendar({ from, to }, { signal })) }),
    [client, from, to],
  );
  const { data, problem, reload } = usePolling(load, polling);
  const isCurrent = data?.from === from && data.to === to;
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description="Planned changes and conflicts between them. Times are in UTC."
          actions={
            mayWrite && (
              <PageButton to="/changes/new" variant="primary">
                Create change
              </PageButton>
            )
          }
        >
          Change calendar
        </Header>
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        <Container header={<RangeControls range={range} />}>
          {!data || !isCurrent ? (
            problem === undefined && <FactsSkeleton facts={5} label="Loading calendar" />
          ) : data.data.length === 0 ? (
            <Box textAlign="center" color="text-body-secondary" padding={{ vertical: 'l' }}>
              No changes are planned for this period.
            </Box>
          ) : (
            <CalendarBars range={range} entries={data.data} collisions={data.collisions} />
          )}
        </Container>
        {data && isCurrent && data.collisions.length > 0 && (
          <Container
            header={
              <Header variant="h2" counter={`(${data.collisions_total})`}>
                {' '}
                Conflicts{' '}
              </Header>
            }
          >
            <CollisionTable entries={data.data} collisions={data.collisions} />
          </Container>
        )}
        {data && isCurrent && data.truncated.changes && (
          <Alert type="warning">
            Showing the first {data.data.length} of {data.total} changes. Select a shorter period to see all changes and
            conflicts.
          </Alert>
        )}
        {data && isCurrent && data.truncated.dependencies && (
          <Alert type="info">Some dependencies are too deep to check, so not all conflicts may be shown.</Alert>
        )}
        {data && isCurrent && data.data.length > 0 && data.collisions.length === 0 && (
          <Alert type="success">
            No conflicts: none of these changes affect the same configuration items at the same time.
          </Alert>
        )}
      </SpaceBetween>
    </ContentLayout>
  );
}

function RangeControls({ range }: { range: CalendarRange }) {
  const show = (next: CalendarRange) => changeQuery(queryOf(next));
  return (
    <Header
      variant="h2"
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <SegmentedControl
            label="Days"
            selectedId={String(range.days)}
            options={lengths.map((days) => ({ id: String(days), text: `${days} days` }))}
            onChange={({ detail }) => show({ ...range, days: Number(detail.selectedId) as CalendarRange['days'] })}
          />
          <Button iconName="angle-left" ariaLabel="Earlier" onClick={() => show(moved(range, -1))} />
          <Button onClick={() => changeQuery(range.days === 14 ? '' : `days=${range.days}`)}>Today</Button>
          <Button iconName="angle-right" ariaLabel="Later" onClick={() => show(moved(range, 1))} />
        </SpaceBetween>
      }
    >
      {range.from} to {lastDayOf(range)}
    </Header>
  );
}
