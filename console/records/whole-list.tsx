import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { ProblemView } from '../components/problem-view.tsx';
import type { Collected } from '../pages-of.ts';
import type { Loaded } from '../use-load.ts';

interface WholeListProps<Item> {
  title: string;
  description: string;
  things: string;
  trackBy: string;
  list: Loaded<Collected<Item>>;
  columns: readonly TableProps.ColumnDefinition<Item>[];
  actions?: ReactNode;
  /** What to do about it when there are none. */
  invitation: ReactNode;
}

/** All there is of something that there are few of, without filters and pages. */
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
            {...(data ? { counter: `(${data.total})` } : {})}
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
