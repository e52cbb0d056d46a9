import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { ProblemView } from '../../../components/problem-view.tsx';
import { ShowMore } from './show-more.tsx';
import type { More } from './use-more.ts';

interface MoreTableProps<Item> {
  list: More<Item>;
  /** What the rows are, with a capital letter. */
  title: string;
  description: string;
  columns: readonly TableProps.ColumnDefinition<Item>[];
  empty: string;
  actions?: ReactNode;
  filter?: ReactNode;
}

/** What a webhook got or sent, read from the top. */
export function MoreTable<Item extends { id: string }>(props: MoreTableProps<Item>) {
  const { list, title, description, columns, empty, actions, filter } = props;
  const { data, problem, loading, reload, total } = list;
  const header = (
    <Header
      variant="h2"
      description={description}
      {...(total !== undefined && { counter: `(${total.toLocaleString('en')})` })}
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
        empty={<Box textAlign="center">{empty}</Box>}
        footer={<ShowMore list={list} />}
      />
    </SpaceBetween>
  );
}
