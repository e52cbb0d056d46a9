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
import { Box, Row, Stack } from '../../ui/kit/index.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { PageLink } from '../../ui/links.tsx';
import { formatPerson } from '../../ui/person.ts';
import { Ago } from '../../ui/text.tsx';

const loadPanels = () => import('./incident-panels.ts');
const LoadedBulkUpdate = lazyPage(loadPanels, 'BulkUpdate');
const FieldEditor = lazyPage(loadPanels, 'FieldEditor');
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
    }),
    [],
  );
  return (
    <RecordList
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
      Editor={FieldEditor}
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
  linkColumn('id', 'ID', incidentPath, { minWidth: 110 }),
  summaryColumn(incidentPath, { header: 'Title' }),
  {
    id: 'priority',
    header: 'Priority',
    sortingField: 'priority',
    minWidth: 94,
    editKey: 'p',
    cell: ({ priority }) => <PriorityBadge priority={priority} />,
  },
  { id: 'state', header: 'State', minWidth: 122, editKey: 's', cell: ({ state }) => <StateLabel state={state} /> },
  textColumn('assignment_group', 'Team', { minWidth: 132, wide: true, editKey: 'l' }),
  personColumn('assigned_to', 'Assignee', { minWidth: 148, wide: true, editKey: 'a' }),
  {
    id: 'sla',
    header: 'Time to breach',
    sortingField: 'sla_breach_at',
    minWidth: 176,
    cell: (incident) => <SlaLabel incident={incident} />,
  },
  ageColumn('updated_at', 'Updated', { wide: true }),
  ageColumn('created_at', 'Created', { hidden: true }),
  textColumn('category', 'Category', { minWidth: 110, hidden: true }),
  personColumn('opened_by', 'Requester', { minWidth: 148, hidden: true }),
];

function IncidentCard({ incident }: { incident: Incident }) {
  const { id, short_description, priority, state, assignment_group, assigned_to, updated_at } = incident;
  return (
    <Stack gap="xs">
      <span className="wrapping">
        <PageLink to={incidentPath(id)} fontSize="heading-s">
          {short_description}
        </PageLink>
      </span>
      <Row gap="s">
        <PriorityBadge priority={priority} />
        <StateLabel state={state} />
        <SlaLabel incident={incident} />
      </Row>
      <Box muted small>
        <span className="wrapping">
          {id} · {assigned_to ? formatPerson(assigned_to) : (assignment_group ?? 'unassigned')} · updated{' '}
          <Ago at={updated_at} />
        </span>
      </Box>
    </Stack>
  );
}
