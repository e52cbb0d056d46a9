import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useCallback, useMemo } from 'react';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { changeQuery, currentQuery } from '../../location.ts';
import { useLoad } from '../../use-load.ts';
import { useStore } from '../../use-store.ts';
import { CiFilter } from './ci-filter.tsx';
import { CiStatusLabel } from './ci-status.tsx';
import { type CiView, pageSize, queryOf, requestOf, viewOf } from './ci-view.ts';
import { type Ci, ciPath } from './ci-words.ts';

type Show = (change: Partial<CiView>) => void;

export function CiListPage() {
  const { client } = useApi();
  const query = useStore(currentQuery);
  const view = useMemo(() => viewOf(query), [query]);
  const load = useCallback((signal: AbortSignal) => client.listCis(requestOf(view), { signal }), [client, view]);
  const { data, problem, loading, reload } = useLoad(load);
  const show: Show = (change) => changeQuery(queryOf({ ...view, page: 1, ...change }));
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        variant="full-page"
        stickyHeader
        items={data?.data ?? []}
        trackBy="id"
        columnDefinitions={columnsOf(show)}
        loading={!data && problem === undefined}
        loadingText="Loading configuration items"
        ariaLabels={{ tableLabel: 'Configuration items' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description="What the organisation runs, and what rests on what."
            actions={
              <Button iconName="refresh" ariaLabel="Refresh the list" loading={loading && !!data} onClick={reload} />
            }
          >
            Configuration items
          </Header>
        }
        filter={<CiFilter view={view} onChange={show} />}
        pagination={
          <Pagination
            currentPageIndex={view.page}
            pagesCount={Math.max(view.page, Math.ceil((data?.total ?? 0) / pageSize))}
            ariaLabels={{ previousPageLabel: 'Previous page', nextPageLabel: 'Next page' }}
            onChange={({ detail }) => show({ page: detail.currentPageIndex })}
          />
        }
        empty={<Nothing isFiltered={queryOf(view) !== ''} />}
      />
    </SpaceBetween>
  );
}

const columnsOf = (show: Show): readonly TableProps.ColumnDefinition<Ci>[] => [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    minWidth: 160,
    cell: ({ id, name }) => <PageLink to={ciPath(id)}>{name}</PageLink>,
  },
  { id: 'id', header: 'Id', minWidth: 110, cell: ({ id }) => id },
  {
    id: 'class',
    header: 'Class',
    minWidth: 110,
    cell: (ci) => <Choice text={ci.class} onChoose={() => show({ class: ci.class })} />,
  },
  { id: 'status', header: 'Status', minWidth: 130, cell: ({ status }) => <CiStatusLabel status={status} /> },
  {
    id: 'environment',
    header: 'Environment',
    minWidth: 120,
    cell: ({ environment }) =>
      environment === null ? '–' : <Choice text={environment} onChoose={() => show({ environment })} />,
  },
  { id: 'owner', header: 'Owner', minWidth: 110, cell: ({ owner }) => owner ?? '–' },
  { id: 'location', header: 'Location', minWidth: 110, cell: ({ location }) => location ?? '–' },
  { id: 'updated', header: 'Changed', minWidth: 120, cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

/** A value that narrows the list to those that have it, too. */
function Choice({ text, onChoose }: { text: string; onChoose(): void }) {
  return (
    <Link variant="secondary" ariaLabel={`Only ${text}`} onFollow={onChoose}>
      {text}
    </Link>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{isFiltered ? 'No matches' : 'No configuration items'}</Box>
        <Box color="text-body-secondary">
          {isFiltered ? 'Nothing has all of this.' : 'Discovery fills this list: POST /cmdb/cis/bulk.'}
        </Box>
        {isFiltered && <Button onClick={() => changeQuery('')}>Show all</Button>}
      </SpaceBetween>
    </Box>
  );
}
