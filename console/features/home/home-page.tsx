import { Suspense } from 'react';
import { type Caller, useCaller, useHasRole } from '../../base/caller.tsx';
import { Button, Columns, Stack } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { lazyPage } from '../../ui/lazy-page.ts';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { Counters } from './counters.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { ApprovalQueue, IncidentQueue, incidentQueues } from './work-queues.tsx';

const Portal = lazyPage(() => import('./portal.tsx'), 'Portal');

export function HomePage() {
  const { data: caller } = useCaller();
  const canWrite = useHasRole('itsm_agent');
  return (
    <PageLayout
      title="Overview"
      description={canWrite ? 'What needs attention now.' : 'How can we help?'}
      actions={
        <Button to={canWrite ? '/incidents/new' : '/report'} variant="primary">
          {canWrite ? 'Create incident' : 'Report a problem'}
        </Button>
      }
    >
      {caller ? <Overview caller={caller} /> : <CallerPanel />}
    </PageLayout>
  );
}

/** Each column stacks by itself, so a short queue leaves no gap beside a long one. */
function Overview({ caller }: { caller: Caller }) {
  const canWrite = useHasRole('itsm_agent');
  const canDecide = useHasRole('itsm_manager');
  const { breached, dueSoon, unassigned, mine } = incidentQueues(caller.email);
  return (
    <Stack>
      <Suspense>{!canWrite && <Portal caller={caller} />}</Suspense>
      <Counters />
      <Columns>
        <Stack>
          {canWrite ? <IncidentQueue queue={mine} /> : <IncidentQueue queue={dueSoon} />}
          {canDecide && <ApprovalQueue email={caller.email} />}
          {canWrite && <IncidentQueue queue={unassigned} />}
        </Stack>
        <Stack>
          {canWrite && <IncidentQueue queue={dueSoon} />}
          <IncidentQueue queue={breached} />
        </Stack>
      </Columns>
      <OverviewCharts />
    </Stack>
  );
}
