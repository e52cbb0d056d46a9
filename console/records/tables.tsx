import type { ReactNode } from 'react';
import { type Collected, formatTotal } from '../base/paging.ts';
import type { Loaded, More } from '../base/use-load.ts';
import { Box, Button, type Column, Header, Row, Stack, Table } from '../ui/kit/index.ts';
import { ProblemView } from '../ui/problem-view.tsx';

interface WholeListProps<Item> {
  title: string;
  description: string;
  things: string;
  trackBy: string;
  list: Loaded<Collected<Item>>;
  columns: readonly Column<Item>[];
  actions?: ReactNode;
  /** Shown when the list is empty. */
  invitation: ReactNode;
}

/** A complete short list, without filters and pages. */
export function WholeList<Item>(props: WholeListProps<Item>) {
  const { title, description, things, trackBy, columns, actions, invitation } = props;
  const { data, problem, loading, reload } = props.list;
  return (
    <Stack gap="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        items={data?.items ?? (problem === undefined ? undefined : [])}
        trackBy={trackBy}
        columns={columns}
        label={title}
        header={
          <Header
            variant="h1"
            counter={data && `(${formatTotal(data)})`}
            description={description}
            actions={
              <Row>
                <Button icon="refresh" ariaLabel="Refresh list" loading={loading && !!data} onClick={reload} />
                {actions}
              </Row>
            }
          >
            {title}
          </Header>
        }
        empty={
          <Box center padded="l">
            <Stack gap="s">
              <Box variant="strong">No {things}</Box>
              <Box muted>{invitation}</Box>
              {actions}
            </Stack>
          </Box>
        }
      />
    </Stack>
  );
}

interface MoreTableProps<Item> {
  list: More<Item>;
  /** The capitalized name of the rows. */
  title: string;
  description: string;
  columns: readonly Column<Item>[];
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
      description={description}
      counter={total && `(${total})`}
      actions={
        <Row>
          <Button
            icon="refresh"
            ariaLabel={`Refresh ${title.toLowerCase()}`}
            loading={loading && !!data}
            onClick={reload}
          />
          {actions}
        </Row>
      }
    >
      {title}
    </Header>
  );
  return (
    <Stack gap="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        items={data ?? (problem === undefined ? undefined : [])}
        trackBy="id"
        columns={columns}
        label={title}
        header={header}
        filter={filter}
        empty={<Box center>{list.hasMore ? 'No matches among the newest entries.' : empty}</Box>}
        footer={<ShowMore list={list} />}
      />
    </Stack>
  );
}

/** The button that loads the next page of a list. */
export function ShowMore({ list: { hasMore, loadMore, loading } }: { list: More<unknown> }) {
  if (!hasMore) return null;
  return (
    <Box center>
      <Button onClick={loadMore} loading={loading}>
        Show more
      </Button>
    </Box>
  );
}
