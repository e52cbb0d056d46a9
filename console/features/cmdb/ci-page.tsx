import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { Suspense, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { navigate } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import { HistoryPanel } from '../../records/history-panel.tsx';
import { toHistoryWords } from '../../records/record-words.ts';
import { CiLink, CiStatusLabel, useCis } from '../../resources/ci-links.tsx';
import { type Ci, ciList, ciPath, ciWords, type Impact, relationNames, viaNames } from '../../resources/ci-words.ts';
import { PriorityBadge, StateLabel } from '../../resources/incident-labels.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { lazyPage } from '../../ui/lazy-page.ts';
import { PageButton, PageLink } from '../../ui/links.tsx';
import { ActionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton, JsonView } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { Ago, Moment } from '../../ui/text.tsx';

const ImpactGraph = lazyPage(() => import('./impact-graph.tsx'), 'ImpactGraph');

export function CiPage({ id }: { id: string }) {
  const { client } = useApi();
  const {
    data: version,
    problem,
    reload,
  } = useLoad(['cis', id], async (signal) => {
    const response = await client.getCi.withResponse({ id }, { signal });
    if (response.data) nameRecord(id, response.data.name);
    return response;
  });
  const ci = version?.data;
  return (
    <PageLayout
      title={<span className="wrapping">{ci?.name ?? 'Configuration item'}</span>}
      description={ci ? `${ci.class} · ${id}` : id}
      actions={ci && <Actions ci={ci} etag={version.etag} />}
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!ci && problem === undefined && (
          <Container>
            <FactsSkeleton facts={6} label="Loading configuration item" />
          </Container>
        )}
        {ci && <Facts ci={ci} />}
        {ci && <ImpactPanels id={id} />}
        {ci && Object.keys(ci.attributes).length > 0 && (
          <Container>
            <JsonView title="Attributes" value={ci.attributes} />
          </Container>
        )}
        {ci && (
          <Panel title="History">
            <HistoryPanel
              historyKey={['cis', id, 'history']}
              load={(signal) => collectPages((page) => client.listCiHistory({ id, ...page }, { signal }))}
              words={toHistoryWords(ciWords, ['discovered_at', 'deleted'])}
            />
          </Panel>
        )}
      </SpaceBetween>
    </PageLayout>
  );
}

function Facts({ ci }: { ci: Ci }) {
  return (
    <Panel title="Details">
      <KeyValuePairs
        columns={4}
        minColumnWidth={150}
        items={[
          { label: 'Status', value: <CiStatusLabel status={ci.status} /> },
          { label: 'Environment', value: ci.environment ?? '–' },
          { label: 'Owner', value: <span className="wrapping">{ci.owner ?? '–'}</span> },
          { label: 'Location', value: <span className="wrapping">{ci.location ?? '–'}</span> },
          { label: 'IP address', value: ci.ip_address ?? '–' },
          {
            label: 'Discovered',
            value: ci.discovered_at === null ? 'Added manually' : <Moment at={ci.discovered_at} />,
          },
          { label: 'Updated', value: <Ago at={ci.updated_at} /> },
          { label: 'Relations', value: <Relations ci={ci} /> },
        ]}
      />
    </Panel>
  );
}

function Relations({ ci }: { ci: Ci }) {
  const cis = useCis(ci.relations.map(({ ci_id }) => ci_id));
  if (ci.relations.length === 0) return <Box color="text-status-inactive">None</Box>;
  return (
    <ul className="changes">
      {ci.relations.map(({ type, ci_id }) => (
        <li key={`${type} ${ci_id}`}>
          {relationNames[type]} <CiLink id={ci_id} cis={cis} />
        </li>
      ))}
    </ul>
  );
}

/** The actions that the user's role allows, on the version shown. */
function Actions({ ci, etag }: { ci: Ci; etag: string | undefined }) {
  const { client } = useApi();
  const canWrite = useHasRole('itsm_agent') && !ci.deleted;
  const canDelete = useHasRole('itsm_manager') && !ci.deleted;
  const [deleting, setDeleting] = useState(false);
  const remove = async () => {
    await client.deleteCi({ id: ci.id }, etag ? { ifMatch: etag } : {});
    notify({ type: 'success', content: `${ci.name} was deleted.` });
    navigate(ciList);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {canWrite && (
        <PageButton to={`${ciPath(ci.id)}/edit`} iconName="edit">
          Edit
        </PageButton>
      )}
      {canDelete && <Button iconName="remove" ariaLabel="Delete" onClick={() => setDeleting(true)} />}
      {deleting && (
        <ActionModal title={`Delete ${ci.name}?`} confirmText="Delete" run={remove} onClose={() => setDeleting(false)}>
          <Box>The item is removed from all lists and dependency views. A record is retained for audit.</Box>
        </ActionModal>
      )}
    </SpaceBetween>
  );
}

/** The open incidents of an item, and the items that depend on it. */
export function ImpactPanels({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['cis', id, 'impact'], (signal) => client.getCiImpact({ id }, { signal }));
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  const loading = { loading: !data, loadingText: 'Loading dependencies' };
  return (
    <SpaceBetween size="l">
      {data && data.affected.length > 0 && (
        <Suspense fallback={null}>
          <ImpactGraph impact={data} />
        </Suspense>
      )}
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

/** Finds the name of an item in the response. */
function findName(data: Impact | undefined, id: string): string {
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
    header: 'Short description',
    isRowHeader: true,
    minWidth: 240,
    cell: ({ id, short_description }) => (
      <PageLink to={incidentPath(id)} variant="secondary">
        {short_description}
      </PageLink>
    ),
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
        {viaNames[via.type].toLowerCase()} <PageLink to={ciPath(via.ci_id)}>{findName(data, via.ci_id)}</PageLink>
      </>
    ),
  },
];
