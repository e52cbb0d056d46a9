import Box from '@cloudscape-design/components/box';
import ButtonDropdown from '@cloudscape-design/components/button-dropdown';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import Toggle from '@cloudscape-design/components/toggle';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type IncidentState, incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller, useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { PriorityBadge, SlaLabel } from '../../resources/incident-labels.tsx';
import { type Incident, incidentPath, stateNames } from '../../resources/incident-words.ts';
import { formatCount } from '../../ui/count.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Person } from '../../ui/text.tsx';

const columns: readonly IncidentState[] = ['new', 'reopened', 'in_progress', 'on_hold', 'resolved'];

const maxCards = 20;

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

/** Incidents by state. A card moves by drag and drop or with its menu, where the transition is allowed. */
export function BoardPage() {
  const { data: caller } = useCaller();
  const canWrite = useHasRole('itsm_agent');
  const [isMine, setMine] = useState(false);
  const [dragged, setDragged] = useState<Incident>();
  const move = useMove();
  return (
    <PageLayout
      title="Board"
      {...(canWrite ? { description: 'Drag a card, or use its menu, to change the state.' } : {})}
      actions={
        <Toggle checked={isMine} onChange={({ detail }) => setMine(detail.checked)}>
          Assigned to me
        </Toggle>
      }
    >
      <div className="board">
        {columns.map((state) => (
          <Column
            key={state}
            state={state}
            assignee={isMine ? caller?.email : undefined}
            dragged={dragged}
            onDrag={setDragged}
            onMove={move.start}
          />
        ))}
      </div>
      {move.dialog}
    </PageLayout>
  );
}

/** Moves an incident to another state; a resolution is asked for first. */
function useMove() {
  const { client } = useApi();
  const queries = useQueryClient();
  const [resolving, setResolving] = useState<Incident>();
  const change = async ({ id }: Incident, fields: { state: IncidentState; resolution?: string }) => {
    try {
      await client.updateIncident({ id }, fields);
      notify({ type: 'success', content: `${id} is now ${stateNames[fields.state].toLowerCase()}.` });
    } catch (problem) {
      notify({ type: 'error', content: <ProblemView problem={problem} /> });
    }
    await queries.invalidateQueries({ queryKey: ['incidents'] });
  };
  const start = (incident: Incident, state: IncidentState) => {
    if (state === 'resolved') setResolving(incident);
    else void change(incident, { state });
  };
  const dialog = resolving && (
    <ResolveDialog
      incident={resolving}
      onClose={() => setResolving(undefined)}
      onResolve={(resolution) => {
        setResolving(undefined);
        void change(resolving, { state: 'resolved', resolution });
      }}
    />
  );
  return { start, dialog };
}

interface ResolveDialogProps {
  incident: Incident;
  onResolve(resolution: string): void;
  onClose(): void;
}

function ResolveDialog({ incident, onResolve, onClose }: ResolveDialogProps) {
  const [resolution, setResolution] = useState(incident.resolution ?? '');
  return (
    <DecisionModal
      title={`Resolve ${incident.id}`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Resolve"
      onConfirm={() => onResolve(resolution.trim())}
      busy={false}
      disabled={resolution.trim() === ''}
    >
      <FormField label="Resolution" description="How the incident was resolved." stretch>
        <Textarea rows={4} value={resolution} onChange={({ detail }) => setResolution(detail.value)} />
      </FormField>
    </DecisionModal>
  );
}

interface ColumnProps {
  state: IncidentState;
  assignee: string | undefined;
  dragged: Incident | undefined;
  onDrag(incident: Incident | undefined): void;
  onMove(incident: Incident, state: IncidentState): void;
}

function Column({ state, assignee, dragged, onDrag, onMove }: ColumnProps) {
  const { client } = useApi();
  const list = useLoad(
    ['incidents', 'board', state, assignee ?? ''],
    (signal) =>
      client.listIncidents(
        {
          state,
          sort: state === 'resolved' ? 'updated_at' : 'sla_breach_at',
          order: state === 'resolved' ? 'desc' : 'asc',
          limit: maxCards,
          ...(assignee === undefined ? {} : { assigned_to: assignee }),
        },
        { signal },
      ),
    { polling },
  );
  const canDrop = dragged !== undefined && incidentTransitions[dragged.state].includes(state);
  const total = list.data?.total ?? 0;
  return (
    <section
      className={`board-column${canDrop ? ' board-target' : ''}`}
      aria-label={`${stateNames[state]}: ${formatCount(total, 'incident')}`}
      onDragOver={(event) => {
        if (canDrop) event.preventDefault();
      }}
      onDrop={() => {
        if (canDrop) onMove(dragged, state);
        onDrag(undefined);
      }}
    >
      <Header variant="h2" counter={list.data ? `(${total.toLocaleString('en')})` : ''}>
        {stateNames[state]}
      </Header>
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {!list.data && list.problem === undefined && <FactsSkeleton facts={3} label={`Loading: ${stateNames[state]}`} />}
      <ul className="board-cards">
        {list.data?.data.map((incident) => (
          <li key={incident.id}>
            <Card incident={incident} onDrag={onDrag} onMove={onMove} />
          </li>
        ))}
      </ul>
      {total > maxCards && (
        <PageLink to={`/incidents?state=${state}`} variant="secondary">
          View all {total.toLocaleString('en')}
          <span className="visually-hidden"> {stateNames[state]}</span>
        </PageLink>
      )}
    </section>
  );
}

function Card({ incident, onDrag, onMove }: { incident: Incident } & Pick<ColumnProps, 'onDrag' | 'onMove'>) {
  const canWrite = useHasRole('itsm_agent');
  const next = incidentTransitions[incident.state];
  return (
    <article
      className="board-card"
      draggable={canWrite && next.length > 0}
      onDragStart={() => onDrag(incident)}
      onDragEnd={() => onDrag(undefined)}
    >
      <SpaceBetween size="xxs">
        <div className="board-head">
          <PriorityBadge priority={incident.priority} />
          <Box color="text-body-secondary" fontSize="body-s">
            {incident.id}
          </Box>
          {canWrite && next.length > 0 && (
            <ButtonDropdown
              variant="inline-icon"
              expandToViewport
              ariaLabel={`Move ${incident.id}`}
              items={next.map((state) => ({ id: state, text: `Move to ${stateNames[state]}` }))}
              onItemClick={({ detail }) => {
                const chosen = next.find((state) => state === detail.id);
                if (chosen) onMove(incident, chosen);
              }}
            />
          )}
        </div>
        <PageLink to={incidentPath(incident.id)} variant="secondary">
          {incident.short_description}
        </PageLink>
        {incident.state !== 'resolved' && <SlaLabel incident={incident} />}
        <Box color="text-body-secondary" fontSize="body-s">
          {incident.assigned_to === null ? (
            (incident.assignment_group ?? 'Unassigned')
          ) : (
            <Person address={incident.assigned_to} />
          )}
        </Box>
      </SpaceBetween>
    </article>
  );
}
