import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { ServiceProblem } from '../../../client/index.ts';
import { useHasRole } from '../../base/caller.tsx';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { Description, recordColumns } from '../../records/record-page.tsx';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { PageButton } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNarrowScreen } from '../../ui/screen.ts';
import { AnalysisPanel } from './analysis-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { EscalationPanel } from './escalation-panel.tsx';
import { IncidentActions } from './incident-actions.tsx';
import { type CurrentIncident, type IncidentVersion, useIncident } from './incident-change.tsx';
import { SlaPanel } from './sla-panel.tsx';
import { Timeline } from './timeline.tsx';

const deletedQuery = 'include_deleted=true';

export function IncidentPage({ id }: { id: string }) {
  const which = useQueryString() === deletedQuery ? 'deleted' : 'existing';
  const current = useIncident(id, which);
  const { data, problem, reload } = current;
  if (data) return <LoadedIncident version={data} current={current} which={which} />;
  if (problem !== undefined) return <NoIncident id={id} problem={problem} onRetry={reload} />;
  return (
    <PageLayout title={id}>
      <Container>
        <FactsSkeleton facts={6} label="Loading incident" />
      </Container>
    </PageLayout>
  );
}

interface LoadedIncidentProps {
  version: IncidentVersion;
  current: CurrentIncident;
  which: 'existing' | 'deleted';
}

function LoadedIncident({ version, current, which }: LoadedIncidentProps) {
  const { record: incident } = version;
  const isNarrow = useNarrowScreen();
  // Pages are answered on phones, so there it comes first.
  const escalation = !incident.deleted && <EscalationPanel version={version} onAnswered={current.reload} />;
  return (
    <ContentLayout header={<IncidentHeader version={version} current={current} />}>
      <SpaceBetween size="l">
        {current.problem !== undefined && <ProblemView problem={current.problem} onRetry={current.reload} />}
        {incident.deleted && <Alert type="warning">This incident was deleted and is retained for audit.</Alert>}
        {isNarrow && escalation}
        <Grid gridDefinition={recordColumns}>
          <SpaceBetween size="l">
            <Texts version={version} />
            <Timeline version={version} which={which} onAdded={current.reload} />
            {!incident.deleted && <AnalysisPanel key={incident.id} id={incident.id} />}
          </SpaceBetween>
          <SpaceBetween size="l">
            {!isNarrow && escalation}
            {!incident.deleted && <SlaPanel version={version} />}
            <DetailsPanel version={version} onSaved={current.show} />
          </SpaceBetween>
        </Grid>
      </SpaceBetween>
    </ContentLayout>
  );
}

function Texts({ version: { record: incident } }: { version: IncidentVersion }) {
  const { description, resolution, ai_suggested_resolution: suggestion } = incident;
  return (
    <SpaceBetween size="l">
      {resolution !== null && (
        <Panel title="Resolution">
          <Markdown source={resolution} />
        </Panel>
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

function NoIncident({ id, problem, onRetry }: { id: string; problem: unknown; onRetry(): void }) {
  const canSeeDeleted = useHasRole('itsm_manager');
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
          {canSeeDeleted && <Button onClick={() => changeQuery(deletedQuery)}>Show deleted incident</Button>}
        </div>
      </SpaceBetween>
    </Box>
  );
}

export function IncidentHeader({ version, current }: { version: IncidentVersion; current: CurrentIncident }) {
  const { record: incident } = version;
  const { id, short_description, priority, state } = incident;
  return (
    <Header
      variant="h1"
      actions={<IncidentActions version={version} onSaved={current.show} />}
      description={
        <div className="facts-line">
          <span className="facts-line-part">
            <Box variant="strong">{id}</Box>
            <CopyToClipboard
              variant="icon"
              copyButtonAriaLabel="Copy ID"
              copySuccessText="ID copied"
              copyErrorText="Could not copy"
              textToCopy={id}
            />
          </span>
          <PriorityBadge priority={priority} />
          <StateLabel state={state} />
          {incident.sla_breach_at !== null && <SlaLabel incident={incident} />}
        </div>
      }
    >
      <span className="wrapping">{short_description}</span>
    </Header>
  );
}
