import { useHasRole } from '../../base/caller.tsx';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { Description } from '../../records/record-page.tsx';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import { Alert, Box, Button, Columns, CopyButton, Header, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useNarrowScreen } from '../../ui/screen.ts';
import { Person } from '../../ui/text.tsx';
import { LinksPanel } from '../problems/links-panel.tsx';
import { AnalysisPanel } from './analysis-panel.tsx';
import { DetailsPanel } from './details-panel.tsx';
import { EscalationPanel } from './escalation-panel.tsx';
import { IncidentActions } from './incident-actions.tsx';
import { type CurrentIncident, type IncidentVersion, useIncident } from './incident-change.tsx';
import { IncidentTimeline } from './incident-timeline.tsx';
import { WorkaroundBanner } from './known-errors.tsx';
import { RelatedPanel } from './related-panel.tsx';
import { SlaPanel } from './sla-panel.tsx';

const deletedQuery = 'include_deleted=true';

export function IncidentPage({ id }: { id: string }) {
  const which = useQueryString() === deletedQuery ? 'deleted' : 'existing';
  const current = useIncident(id, which);
  const canSeeDeleted = useHasRole('itsm_manager') && which === 'existing';
  if (current.data) return <LoadedIncident version={current.data} current={current} which={which} />;
  return (
    <PendingPage title={id} thing={`incident ${id}`} loaded={current}>
      {canSeeDeleted && <Button onClick={() => changeQuery(deletedQuery)}>Show deleted incident</Button>}
    </PendingPage>
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
    <Stack>
      <IncidentHeader version={version} current={current} />
      {current.problem !== undefined && <ProblemView problem={current.problem} onRetry={current.reload} />}
      {incident.deleted && <Alert type="warning">This incident was deleted and is retained for audit.</Alert>}
      {isNarrow && escalation}
      <Columns count="main-side">
        <Stack>
          {!incident.deleted && <WorkaroundBanner id={incident.id} />}
          <Texts version={version} />
          <IncidentTimeline version={version} which={which} onAdded={current.reload} />
          {!incident.deleted && <AnalysisPanel key={incident.id} id={incident.id} />}
        </Stack>
        <Stack>
          {!isNarrow && escalation}
          <DetailsPanel version={version} onSaved={current.show} />
          {!incident.deleted && <SlaPanel version={version} />}
          {!incident.deleted && <LinksPanel kind="incident" id={incident.id} incident={incident} />}
          {!incident.deleted && <RelatedPanel key={incident.id} incident={incident} />}
        </Stack>
      </Columns>
    </Stack>
  );
}

function Texts({ version: { record: incident } }: { version: IncidentVersion }) {
  const { description, resolution, ai_suggested_resolution: suggestion } = incident;
  return (
    <Stack>
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
    </Stack>
  );
}

export function IncidentHeader({ version, current }: { version: IncidentVersion; current: CurrentIncident }) {
  const { record: incident } = version;
  const { id, short_description, priority, state, assigned_to } = incident;
  return (
    <Header
      variant="h1"
      actions={
        <div className="incident-aside">
          <div className="facts-line">
            <StateLabel state={state} />
            <PriorityBadge priority={priority} />
            {assigned_to === null ? <Box muted>Unassigned</Box> : <Person address={assigned_to} />}
            {incident.sla_breach_at !== null && <SlaLabel incident={incident} />}
          </div>
          <IncidentActions version={version} onSaved={current.show} />
        </div>
      }
      description={
        <span className="facts-line-part">
          <Box variant="strong">{id}</Box>
          <CopyButton label="Copy ID" value={id} />
        </span>
      }
    >
      <span className="wrapping">{short_description}</span>
    </Header>
  );
}
