import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { type Collected, formatTotal } from '../base/paging.ts';
import type { Loaded, More } from '../base/use-load.ts';
import { ProblemView } from '../ui/problem-view.tsx';

interface WholeListProps<Item> {
  title: string;
  description: string;
  things: string;
  trackBy: string;
  list: Loaded<Collected<Item>>;
  columns: readonly TableProps.ColumnDefinition<Item>[];
  actions?: ReactNode;
  /** Shown when the list is empty. */
  invitation: ReactNode;
}

/** A complete short list, without filters and pages. */
export function WholeList<Item>(props: WholeListProps<Item>) {
  const { title, description, things, trackBy, columns, actions, invitation } = props;
  const { data, problem, loading, reload } = props.list;
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        variant="full-page"
        stickyHeader
        items={data?.items ?? []}
        trackBy={trackBy}
        loading={!data && problem === undefined}
        loadingText={`Loading ${things}`}
        skeleton={{ totalRows: 4 }}
        columnDefinitions={columns}
        ariaLabels={{ tableLabel: title }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${formatTotal(data)})` } : {})}
            description={description}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Refresh list" loading={loading && !!data} onClick={reload} />
                {actions}
              </SpaceBetween>
            }
          >
            {title}
          </Header>
        }
        empty={
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="s">
              <Box variant="strong">No {things}</Box>
              <Box color="text-body-secondary">{invitation}</Box>
              {actions}
            </SpaceBetween>
          </Box>
        }
      />
    </SpaceBetween>
  );
}

interface MoreTableProps<Item> {
  list: More<Item>;
  /** The capitalized name of the rows. */
  title: string;
  description: string;
  columns: readonly TableProps.ColumnDefinition<Item>[];
  empty: string;
  actions?: ReactNode;
  filter?: ReactNode;
}

/** A table that loads more rows on demand. */
export function MoreTable<Item extends { id: string }>(props: MoreTableProps<Item>) {
  const { list, title, description, columns, empty, actions, filter } = props;
  const { data, problem, loading, reload, total } = list;
  const header = (
    <Header
      variant="h2"
      description={description}
      {...(total !== undefined && { counter: `(${total})` })}
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            iconName="refresh"
            ariaLabel={`Refresh ${title.toLowerCase()}`}
            loading={loading && !!data}
            onClick={reload}
          />
          {actions}
        </SpaceBetween>
      }
    >
      {title}
    </Header>
  );
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        items={data ?? []}
        trackBy="id"
        loading={!data && problem === undefined}
        loadingText={`Loading ${title.toLowerCase()}`}
        skeleton={{ totalRows: 4 }}
        columnDefinitions={columns}
        ariaLabels={{ tableLabel: title }}
        header={header}
        filter={filter}
        empty={<Box textAlign="center">{list.hasMore ? 'No matches among the newest entries.' : empty}</Box>}
        footer={<ShowMore list={list} />}
      />
    </SpaceBetween>
  );
}

/** The button that loads the next page of a list. */
export function ShowMore({ list: { hasMore, loadMore, loading } }: { list: More<unknown> }) {
  if (!hasMore) return null;
  return (
    <Box textAlign="center">
      <Button onClick={loadMore} loading={loading}>
        Show more
      </Button>
    </Box>
  );
}
