import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { ServiceProblem } from '../../../../client/index.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { changeQuery, currentQuery } from '../../../location.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { Description, recordColumns } from '../../../records/record-page.tsx';
import { useMay } from '../../../use-may.ts';
import { useStore } from '../../../use-store.ts';
import { type CurrentIncident, type IncidentVersion, useIncident } from '../use-incident.ts';
import { AnalysisPanel } from './analysis-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { IncidentHeader } from './incident-header.tsx';
import { NotesPanel } from './notes-panel.tsx';
import { SlaPanel } from './sla-panel.tsx';

const polling = { intervalMs: 20_000, maxIntervalMs: 160_000, maxPolls: 180 };
const deletedQuery = 'include_deleted=true';

export function IncidentPage({ id }: { id: string }) {
  const which = useStore(currentQuery) === deletedQuery ? 'deleted' : 'existing';
  const current = useIncident(id, which, polling);
  const { data, problem, reload } = current;
  if (data) return <LoadedIncident version={data} current={current} which={which} />;
  if (problem !== undefined) return <NoIncident id={id} problem={problem} onRetry={reload} />;
  return (
    <ContentLayout header={<Header variant="h1">{id}</Header>}>
      <Container>
        <FactsSkeleton facts={6} label="Loading incident" />
      </Container>
    </ContentLayout>
  );
}

interface LoadedIncidentProps {
  version: IncidentVersion;
  current: CurrentIncident;
  which: 'existing' | 'deleted';
}

function LoadedIncident({ version, current, which }: LoadedIncidentProps) {
  const { incident } = version;
  return (
    <ContentLayout header={<IncidentHeader version={version} current={current} />}>
      <SpaceBetween size="l">
        {current.problem !== undefined && <ProblemView problem={current.problem} onRetry={current.reload} />}
        {incident.deleted && <Alert type="warning">This incident was deleted and is retained for audit.</Alert>}
        <Grid gridDefinition={recordColumns}>
          <SpaceBetween size="l">
            <Texts version={version} />
            <Activity version={version} which={which} onAdded={current.reload} />
            {!incident.deleted && <AnalysisPanel key={incident.id} id={incident.id} />}
          </SpaceBetween>
          <SpaceBetween size="l">
            {!incident.deleted && <SlaPanel version={version} />}
            <DetailsPanel version={version} onSaved={current.show} />
          </SpaceBetween>
        </Grid>
      </SpaceBetween>
    </ContentLayout>
  );
}

function Texts({ version: { incident } }: { version: IncidentVersion }) {
  const { description, resolution, ai_suggested_resolution: suggestion } = incident;
  return (
    <SpaceBetween size="l">
      {resolution !== null && (
        <Container header={<Header variant="h2">Resolution</Header>}>
          <Markdown source={resolution} />
        </Container>
      )}
      {resolution === null && suggestion !== null && (
        <Alert type="info" header="Suggested resolution">
          <Markdown source={suggestion} />
        </Alert>
      )}
      <Description text={description} />
    </SpaceBetween>
  );
}

interface ActivityProps {
  version: IncidentVersion;
  which: 'existing' | 'deleted';
  onAdded(): void;
}

function Activity({ version: { incident, etag }, which, onAdded }: ActivityProps) {
  const [tab, setTab] = useState(incident.deleted ? 'history' : 'notes');
  const notes = {
    id: 'notes',
    label: `Work notes (${incident.work_notes_count})`,
    content: <NotesPanel id={incident.id} revision={etag} onAdded={onAdded} />,
  };
  const history = {
    id: 'history',
    label: 'History',
    content: <HistoryPanel id={incident.id} revision={etag} which={which} />,
  };
  return (
    <Tabs
      variant="container"
      ariaLabel="Activity"
      activeTabId={tab}
      onChange={({ detail }) => setTab(detail.activeTabId)}
      tabs={incident.deleted ? [history] : [notes, history]}
    />
  );
}

function NoIncident({ id, problem, onRetry }: { id: string; problem: unknown; onRetry(): void }) {
  const maySeeDeleted = useMay('itsm_manager');
  if (!(problem instanceof ServiceProblem) || problem.status !== 404) {
    return <ProblemView problem={problem} onRetry={onRetry} />;
  }
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <Box variant="h1">Incident {id} not found</Box>
        <Box color="text-body-secondary">Check the ID. The incident may also have been deleted.</Box>
        <div className="centered">
          <PageButton to="/incidents" variant="primary">
            Go to incidents
          </PageButton>
          {maySeeDeleted && <Button onClick={() => changeQuery(deletedQuery)}>Show deleted incident</Button>}
        </div>
      </SpaceBetween>
    </Box>
  );
}
