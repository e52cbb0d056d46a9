import Box from '@cloudscape-design/components/box';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { useLoad } from '../../use-load.ts';
import { incidentPath } from '../incidents/incident-words.ts';
import { PriorityBadge } from '../incidents/priority-badge.tsx';
import { StateLabel } from '../incidents/state-label.tsx';
import { CiStatusLabel } from './ci-status.tsx';
import { ciPath, type Impact, viaNames } from './ci-words.ts';

/** The open incidents of an item, and what depends on it. */
export function ImpactPanels({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getCiImpact({ id }, { signal }), [client, id]);
  const { data, problem, reload } = useLoad(load);
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  const loading = { loading: !data, loadingText: 'Loading dependencies' };
  return (
    <SpaceBetween size="l">
      <Table
        {...loading}
        items={data?.open_incidents ?? []}
        trackBy="id"
        columnDefinitions={incidentColumns}
        ariaLabels={{ tableLabel: 'Open incidents' }}
        header={
          <Header variant="h2" counter={counter(data?.open_incidents.length, data?.truncated.open_incidents)}>
            Open incidents
          </Header>
        }
        empty={<Box textAlign="center">No open incidents.</Box>}
      />
      <Table
        {...loading}
        items={data?.affected ?? []}
        trackBy="id"
        columnDefinitions={affectedColumns(data)}
        ariaLabels={{ tableLabel: 'Dependent items' }}
        header={
          <Header
            variant="h2"
            counter={counter(data?.affected_total, data?.truncated.affected)}
            description="Items that depend on this one directly or indirectly, closest first."
          >
            {' '}
            Dependent items{' '}
          </Header>
        }
        empty={<Box textAlign="center">No dependent items.</Box>}
        {...(data && data.affected_total > data.affected.length
          ? { footer: <Box textAlign="center">Showing the closest {data.affected.length}.</Box> }
          : {})}
      />
    </SpaceBetween>
  );
}

function counter(count: number | undefined, truncated: boolean | undefined): string {
  return count === undefined ? '' : `(${count}${truncated ? '+' : ''})`;
}

/** What an item is called, where the answer tells it. */
function nameIn(data: Impact | undefined, id: string): string {
  return (data ? [data.ci, ...data.affected] : []).find((ci) => ci.id === id)?.name ?? id;
}

const incidentColumns: readonly TableProps.ColumnDefinition<Impact['open_incidents'][number]>[] = [
  {
    id: 'id',
    header: 'Incident',
    minWidth: 120,
    cell: ({ id }) => <PageLink to={incidentPath(id)}>{id}</PageLink>,
  },
  { id: 'priority', header: 'Priority', minWidth: 90, cell: ({ priority }) => <PriorityBadge priority={priority} /> },
  {
    id: 'what',
    header: 'Summary',
    isRowHeader: true,
    minWidth: 240,
    cell: ({ short_description }) => <span className="wrapping">{short_description}</span>,
  },
  { id: 'state', header: 'State', minWidth: 130, cell: ({ state }) => <StateLabel state={state} /> },
  { id: 'created', header: 'Created', minWidth: 120, cell: ({ created_at }) => <Ago at={created_at} /> },
];

const affectedColumns = (data?: Impact): readonly TableProps.ColumnDefinition<Impact['affected'][number]>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 160,
    cell: ({ id, name }) => <PageLink to={ciPath(id)}>{name}</PageLink>,
  },
  { id: 'class', header: 'Class', minWidth: 110, cell: (ci) => ci.class },
  { id: 'status', header: 'Status', minWidth: 130, cell: ({ status }) => <CiStatusLabel status={status} /> },
  { id: 'distance', header: 'Distance', minWidth: 80, cell: ({ distance }) => distance },
  {
    id: 'via',
    header: 'Relation',
    minWidth: 220,
    cell: ({ via }) => (
      <>
        {viaNames[via.type].toLowerCase()} <PageLink to={ciPath(via.ci_id)}>{nameIn(data, via.ci_id)}</PageLink>
      </>
    ),
  },
];
