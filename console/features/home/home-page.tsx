import Box from '@cloudscape-design/components/box';
import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, Suspense } from 'react';
import { type Caller, useCaller, useHasRole } from '../../base/caller.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageButton } from '../../ui/links.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { ApprovalQueue, IncidentQueue, incidentQueues, RequestQueue } from './work-queues.tsx';

/** The charts are large and below the first screen, so they load after the queues. */
const OverviewCharts = lazy(() => import('./overview-charts.tsx'));

const half = { default: 12, s: 6 } as const;

export function HomePage() {
  const { data: caller } = useCaller();
  const canWrite = useHasRole('itsm_agent');
  return (
    <PageLayout
      title="Overview"
      description="What needs attention now."
      actions={
        <PageButton to={canWrite ? '/incidents/new' : '/requests/new'} variant="primary">
          {canWrite ? 'Create incident' : 'Create request'}
        </PageButton>
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
    <SpaceBetween size="l">
      <Grid gridDefinition={[{ colspan: half }, { colspan: half }]}>
        <SpaceBetween size="l">
          <IncidentQueue queue={breached} />
          {canDecide && <ApprovalQueue email={caller.email} />}
          {canWrite && !canDecide && <IncidentQueue queue={mine} />}
        </SpaceBetween>
        <SpaceBetween size="l">
          <IncidentQueue queue={dueSoon} />
          {canDecide && <IncidentQueue queue={mine} />}
          {canWrite && <IncidentQueue queue={unassigned} />}
          {!canWrite && <RequestQueue email={caller.email} />}
        </SpaceBetween>
      </Grid>
      <Suspense
        fallback={
          <Box textAlign="center">
            <Spinner /> Loading charts
          </Box>
        }
      >
        <OverviewCharts />
      </Suspense>
    </SpaceBetween>
  );
}
