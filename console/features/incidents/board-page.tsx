import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type IncidentState, incidentTransitions } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller, useHasRole } from '../../base/caller.tsx';
import { useStore } from '../../base/store.ts';
import { useLoad } from '../../base/use-load.ts';
import { useKnownNames } from '../../records/directory.ts';
import { PriorityBadge, SlaLabel } from '../../resources/incident-labels.tsx';
import { type Incident, incidentPath, priorities, stateNames } from '../../resources/incident-words.ts';
import { knownValues } from '../../resources/known-values.ts';
import { formatCount } from '../../ui/count.ts';
import { Box, FormField, Header, Input, Menu, Select, Stack, Textarea, Toggle } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useSettled } from '../../ui/screen.ts';
import { Person } from '../../ui/text.tsx';

const columns: readonly IncidentState[] = ['new', 'reopened', 'in_progress', 'on_hold', 'resolved'];

const maxCards = 20;

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

/** Incidents by state. A card moves by drag and drop or with its menu, where the transition is allowed. */
export function BoardPage() {
  const { data: caller } = useCaller();
  const known = useStore(knownValues);
  const groups = useKnownNames('assignment_group') ?? known.assignment_group;
  const [isMine, setMine] = useState(false);
  const [isResolvedShown, setResolvedShown] = useState(false);
  const [filters, setFilters] = useState({ assignment_group: '', priority: '', q: '' });
  const [dragged, setDragged] = useState<Incident>();
  const move = useMove();
  const words = useSettled(filters.q.trim(), 300);
  const chosen = { ...filters, q: words, assigned_to: isMine ? (caller?.email ?? '') : '' };
  return (
    <PageLayout
      title="Board"
      actions={
        <div className="board-filters">
          <Input
            type="search"
            ariaLabel="Search the board"
            placeholder="Search"
            value={filters.q}
            onChange={(q) => setFilters({ ...filters, q })}
          />
          <Select
            ariaLabel="Team"
            value={filters.assignment_group}
            options={[{ value: '', label: 'All teams' }, ...groups.map((value) => ({ value }))]}
            onChange={(assignment_group) => setFilters({ ...filters, assignment_group })}
          />
          <Select
            ariaLabel="Priority"
            value={filters.priority}
            options={[{ value: '', label: 'All priorities' }, ...priorities.map((value) => ({ value }))]}
            onChange={(priority) => setFilters({ ...filters, priority })}
          />
          <Toggle checked={isMine} onChange={setMine}>
            Assigned to me
          </Toggle>
          <Toggle checked={isResolvedShown} onChange={setResolvedShown}>
            Resolved
          </Toggle>
        </div>
      }
    >
      <div className="board">
        {columns
          .filter((state) => isResolvedShown || state !== 'resolved')
          .map((state) => (
            <Column
              key={state}
              state={state}
              filters={Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''))}
              moved={move.moved}
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
  const [moved, setMoved] = useState<Incident>();
  const change = async ({ id }: Incident, fields: { state: IncidentState; resolution?: string }) => {
    try {
      setMoved(await client.updateIncident({ id }, fields));
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
  return { start, dialog, moved };
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
      onDismiss={onClose}
      confirmText="Resolve"
      onConfirm={() => onResolve(resolution.trim())}
      disabled={resolution.trim() === ''}
    >
      <FormField label="Resolution" description="How the incident was resolved." stretch>
        <Textarea rows={4} value={resolution} onChange={setResolution} />
      </FormField>
    </DecisionModal>
  );
}

interface ColumnProps {
  state: IncidentState;
  filters: Readonly<Record<string, string>>;
  /** Shown at once, also where it is not among the most urgent ones of its new state. */
  moved: Incident | undefined;
  dragged: Incident | undefined;
  onDrag(incident: Incident | undefined): void;
  onMove(incident: Incident, state: IncidentState): void;
}

function Column({ state, filters, moved, dragged, onDrag, onMove }: ColumnProps) {
  const { client } = useApi();
  const list = useLoad(
    ['incidents', 'board', state, filters],
    (signal) =>
      client.listIncidents(
        {
          state,
          sort: state === 'resolved' ? 'updated_at' : 'priority',
          order: state === 'resolved' ? 'desc' : 'asc',
          limit: maxCards,
          ...filters,
        },
        { signal },
      ),
    { polling },
  );
  const canDrop = dragged !== undefined && incidentTransitions[dragged.state].includes(state);
  const total = list.data?.total ?? 0;
  const isOld = ({ id, updated_at }: Incident) => id === moved?.id && updated_at < moved.updated_at;
  const cards = (list.data?.data ?? []).filter((card) => !isOld(card));
  const isMissing = moved?.state === state && !cards.some(({ id }) => id === moved.id);
  const first = moved && isMissing && (list.loading || total > maxCards) ? [moved] : [];
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
      <Header counter={list.data ? `(${total.toLocaleString('en')})` : ''}>{stateNames[state]}</Header>
      {list.problem !== undefined && <ProblemView problem={list.problem} onRetry={list.reload} />}
      {!list.data && list.problem === undefined && <FactsSkeleton facts={3} label={`Loading: ${stateNames[state]}`} />}
      <ul className="board-cards">
        {[...first, ...cards].map((incident) => (
          <li key={incident.id} className={incident.id === moved?.id ? 'board-moved' : undefined}>
            <Card incident={incident} onDrag={onDrag} onMove={onMove} />
          </li>
        ))}
      </ul>
      {total > maxCards && (
        <PageLink to={`/incidents?${new URLSearchParams({ state, ...filters })}`} variant="secondary">
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
      <Stack gap="xxs">
        <div className="board-head">
          <PriorityBadge priority={incident.priority} />
          <Box muted small>
            {incident.id}
          </Box>
          {canWrite && next.length > 0 && (
            <Menu
              icon="dots"
              ariaLabel={`Move ${incident.id}`}
              items={next.map((state) => ({ id: state, text: `Move to ${stateNames[state]}` }))}
              onChoose={(id) => {
                const chosen = next.find((state) => state === id);
                if (chosen) onMove(incident, chosen);
              }}
            />
          )}
        </div>
        <PageLink to={incidentPath(incident.id)} variant="secondary">
          {incident.short_description}
        </PageLink>
        {incident.state !== 'resolved' && <SlaLabel incident={incident} />}
        <Box muted small>
          {incident.assigned_to === null ? (
            (incident.assignment_group ?? 'Unassigned')
          ) : (
            <Person address={incident.assigned_to} />
          )}
        </Box>
      </Stack>
    </article>
  );
}
