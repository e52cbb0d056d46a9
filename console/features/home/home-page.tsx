import Box from '@cloudscape-design/components/box';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { lazy, Suspense } from 'react';
import { type Caller, useCaller, useHasRole } from '../../app/caller.tsx';
import { PageButton } from '../../ui/links.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { ApprovalQueue, IncidentQueue, incidentQueues } from './work-queues.tsx';

/** The charts are large and below the first screen, so they load after the queues. */
const OverviewCharts = lazy(() => import('./overview-charts.tsx'));

const half = { default: 12, s: 6 } as const;

export function HomePage() {
  const { data: caller } = useCaller();
  const canWrite = useHasRole('itsm_agent');
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description="What needs attention now."
          actions={
            canWrite ? (
              <PageButton to="/incidents/new" variant="primary">
                Create incident
              </PageButton>
            ) : undefined
          }
        >
          Overview
        </Header>
      }
    >
      {caller ? <Overview caller={caller} /> : <CallerPanel />}
    </ContentLayout>
  );
}

function Overview({ caller }: { caller: Caller }) {
  const canWrite = useHasRole('itsm_agent');
  const canDecide = useHasRole('itsm_manager');
  const queues = incidentQueues(caller.email).filter(({ isForAgents }) => canWrite || !isForAgents);
  return (
    <SpaceBetween size="l">
      <Grid gridDefinition={[...queues.map(() => ({ colspan: half })), ...(canDecide ? [{ colspan: 12 }] : [])]}>
        {queues.map((queue) => (
          <IncidentQueue key={queue.title} queue={queue} />
        ))}
        {canDecide && <ApprovalQueue email={caller.email} />}
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
