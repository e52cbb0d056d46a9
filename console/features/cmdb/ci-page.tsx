import { Suspense, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import { toHistoryWords } from '../../records/record-words.ts';
import { Timeline } from '../../records/timeline.tsx';
import { CiLink, CiStatusLabel, useCis } from '../../resources/ci-links.tsx';
import { type Ci, ciList, ciPath, ciWords, type Impact, relationNames, viaNames } from '../../resources/ci-words.ts';
import { PriorityBadge, StateLabel } from '../../resources/incident-labels.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import { Box, Button, type Column, Container, Header, KeyValues, Row, Stack, Table } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { lazyPage } from '../../ui/lazy-page.ts';
import { PageLink } from '../../ui/links.tsx';
import { DeleteModal } from '../../ui/modals.tsx';
import { JsonView } from '../../ui/panels.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { Ago, Moment } from '../../ui/text.tsx';

const ImpactGraph = lazyPage(() => import('./impact-graph.tsx'), 'ImpactGraph');

export function CiPage({ id }: { id: string }) {
  const { client } = useApi();
  const loaded = useLoad(['cis', id], async (signal) => {
    const response = await client.getCi.withResponse({ id }, { signal });
    if (response.data) nameRecord(id, response.data.name);
    return response;
  });
  const ci = loaded.data?.data;
  if (!ci) return <PendingPage title="Configuration item" thing={`configuration item ${id}`} loaded={loaded} />;
  return (
    <PageLayout
      title={<span className="wrapping">{ci.name}</span>}
      description={`${ci.class} · ${id}`}
      actions={<Actions ci={ci} etag={loaded.data?.etag} />}
    >
      <Stack>
        <Facts ci={ci} />
        <ImpactPanels id={id} />
        {Object.keys(ci.attributes).length > 0 && (
          <Container>
            <JsonView title="Attributes" value={ci.attributes} />
          </Container>
        )}
        <Timeline
          id={id}
          timelineKey={['cis', id]}
          words={toHistoryWords(ciWords, ['discovered_at', 'deleted'])}
          history={(page, options) => client.listCiHistory({ id, ...page }, options)}
        />
      </Stack>
    </PageLayout>
  );
}

function Facts({ ci }: { ci: Ci }) {
  return (
    <Panel title="Details">
      <KeyValues
        columns={4}
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
  if (ci.relations.length === 0) return <Box muted>None</Box>;
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
  const remove = () => client.deleteCi({ id: ci.id }, etag ? { ifMatch: etag } : {});
  return (
    <Row>
      {canWrite && (
        <Button to={`${ciPath(ci.id)}/edit`} icon="edit">
          Edit
        </Button>
      )}
      {canDelete && <Button icon="remove" ariaLabel="Delete" onClick={() => setDeleting(true)} />}
      {deleting && (
        <DeleteModal name={ci.name} remove={remove} listTo={ciList} onClose={() => setDeleting(false)}>
          The item is removed from all lists and dependency views. A record is retained for audit.
        </DeleteModal>
      )}
    </Row>
  );
}

/** The open incidents of an item, and the items that depend on it. */
export function ImpactPanels({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['cis', id, 'impact'], (signal) => client.getCiImpact({ id }, { signal }));
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  const loading = { loading: !data, loadingText: 'Loading dependencies' };
  return (
    <Stack>
      {data && data.affected.length > 0 && (
        <Suspense fallback={null}>
          <ImpactGraph impact={data} />
        </Suspense>
      )}
      <Table
        {...loading}
        items={data?.open_incidents ?? []}
        trackBy="id"
        columns={incidentColumns}
        label="Open incidents"
        header={
          <Header counter={counter(data?.open_incidents.length, data?.truncated.open_incidents)}>Open incidents</Header>
        }
        empty={<Box center>No open incidents.</Box>}
      />
      <Table
        {...loading}
        items={data?.affected ?? []}
        trackBy="id"
        columns={affectedColumns(data)}
        label="Dependent items"
        header={
          <Header
            counter={counter(data?.affected_total, data?.truncated.affected)}
            description="Items that depend on this one directly or indirectly, closest first."
          >
            {' '}
            Dependent items{' '}
          </Header>
        }
        empty={<Box center>No dependent items.</Box>}
        {...(data && data.affected_total > data.affected.length
          ? { footer: <Box center>Showing the closest {data.affected.length}.</Box> }
          : {})}
      />
    </Stack>
  );
}

function counter(count: number | undefined, truncated: boolean | undefined): string {
  return count === undefined ? '' : `(${count}${truncated ? '+' : ''})`;
}

/** Finds the name of an item in the response. */
function findName(data: Impact | undefined, id: string): string {
  return (data ? [data.ci, ...data.affected] : []).find((ci) => ci.id === id)?.name ?? id;
}

const incidentColumns: readonly Column<Impact['open_incidents'][number]>[] = [
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

const affectedColumns = (data?: Impact): readonly Column<Impact['affected'][number]>[] => [
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
