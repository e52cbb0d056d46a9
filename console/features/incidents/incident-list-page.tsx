import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { useStore } from '../../base/store.ts';
import { ageColumn, linkColumn, personColumn, summaryColumn, textColumn } from '../../records/columns.tsx';
import { type BulkModalProps, type ListRequest, RecordList } from '../../records/record-list.tsx';
import type { RecordColumn } from '../../records/record-table.tsx';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import {
  type Incident,
  incidentListSpec,
  incidentPath,
  incidentViews,
  incidentWords,
} from '../../resources/incident-words.ts';
import { collectValues, knownValues } from '../../resources/known-values.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { PageLink } from '../../ui/links.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';

const loadPanels = () => import('./incident-panels.ts');
const LoadedBulkUpdate = lazyPage(loadPanels, 'BulkUpdate');
const IncidentPreview = lazyPage(loadPanels, 'IncidentPreview');

function BulkUpdate(props: BulkModalProps<Incident>) {
  return (
    <Suspense fallback={null}>
      <LoadedBulkUpdate {...props} />
    </Suspense>
  );
}

export function IncidentListPage() {
  const { client } = useApi();
  const { data: caller } = useCaller();
  const known = useStore(knownValues);
  const queries = useQueryClient();
  const email = caller?.email;
  const triage = useMemo(
    () => ({
      path: ({ id }: Incident) => incidentPath(id),
      preview: (incident: Incident) => ({
        header: `${incident.id}: ${incident.short_description}`,
        content: (
          <Suspense fallback={null}>
            <IncidentPreview incident={incident} />
          </Suspense>
        ),
      }),
      assign: ({ id }: Incident) => {
        if (email === undefined) return;
        client.updateIncident({ id }, { assigned_to: email }).then(
          () => {
            notify({ type: 'success', content: `Assigned ${id} to you.` });
            void queries.invalidateQueries({ queryKey: ['incidents'] });
          },
          (problem: unknown) => notify({ type: 'error', content: <ProblemView problem={problem} /> }),
        );
      },
    }),
    [client, email, queries],
  );
  return (
    <RecordList
      title="Incidents"
      things="incidents"
      words={incidentWords}
      spec={incidentListSpec}
      createTo="/incidents/new"
      invitation="There are no incidents to display."
      savedViews="incidents"
      columns={columns}
      load={(request, signal) => loadIncidents(client, request, signal)}
      views={incidentViews(caller?.email)}
      suggestions={incidentListSpec.texts.flatMap((propertyKey) =>
        known[propertyKey].map((value) => ({ propertyKey, value })),
      )}
      bulk={{ max: maxBulk, Modal: BulkUpdate }}
      triage={triage}
      card={(incident) => <IncidentCard incident={incident} />}
    />
  );
}

async function loadIncidents(client: ServiceClient, request: ListRequest, signal: AbortSignal) {
  // The service takes one age; of several choices the first, which includes the others, applies.
  const [age] = String(request.min_age_hours ?? '').split(',');
  const asked = { ...request, ...(age && { min_age_hours: age }) };
  const page = await client.listIncidents(asked as object, { signal });
  collectValues(page.data);
  return page;
}

/** The service accepts at most this many per request. */
const maxBulk = 100;

const columns: readonly RecordColumn<Incident>[] = [
  linkColumn('id', 'ID', incidentPath),
  summaryColumn(incidentPath, { minWidth: 140 }),
  {
    id: 'priority',
    header: 'Priority',
    sortingField: 'priority',
    minWidth: 92,
    cell: ({ priority }) => <PriorityBadge priority={priority} />,
  },
  { id: 'state', header: 'State', minWidth: 128, cell: ({ state }) => <StateLabel state={state} /> },
  {
    id: 'sla',
    header: 'Time to breach',
    sortingField: 'sla_breach_at',
    minWidth: 128,
    cell: (incident) => <SlaLabel incident={incident} />,
  },
  textColumn('assignment_group', 'Group', { minWidth: 84, wide: true }),
  personColumn('assigned_to', 'Assigned to', { minWidth: 84, wide: true }),
  ageColumn('updated_at', 'Updated', { minWidth: 104, wide: true }),
  ageColumn('created_at', 'Created', { minWidth: 104, hidden: true }),
  textColumn('category', 'Category', { hidden: true }),
  personColumn('opened_by', 'Requester', { hidden: true }),
];

function IncidentCard({ incident }: { incident: Incident }) {
  const { id, short_description, priority, state, assignment_group, assigned_to, updated_at } = incident;
  return (
    <SpaceBetween size="xs">
      <span className="wrapping">
        <PageLink to={incidentPath(id)} fontSize="heading-s">
          {short_description}
        </PageLink>
      </span>
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <PriorityBadge priority={priority} />
        <StateLabel state={state} />
        <SlaLabel incident={incident} />
      </SpaceBetween>
      <Box color="text-body-secondary" fontSize="body-s">
        <span className="wrapping">
          {id} · {assigned_to ?? assignment_group ?? 'unassigned'} · updated <Ago at={updated_at} />
        </span>
      </Box>
    </SpaceBetween>
  );
}
