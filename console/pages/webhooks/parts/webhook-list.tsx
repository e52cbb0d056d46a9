import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import type { Collected } from '../../../pages-of.ts';
import { useLoad } from '../../../use-load.ts';

interface WebhookListProps<Webhook> {
  title: string;
  description: string;
  load(signal: AbortSignal): Promise<Collected<Webhook>>;
  columns: readonly TableProps.ColumnDefinition<Webhook>[];
  createText: string;
  createTo: string;
  /** Why one would create the first. */
  invitation: string;
}

/** All webhooks of one direction: there are few. */
export function WebhookList<Webhook extends { id: string }>(props: WebhookListProps<Webhook>) {
  const { data, problem, loading, reload } = useLoad(props.load);
  const create = (
    <PageButton to={props.createTo} variant="primary">
      {props.createText}
    </PageButton>
  );
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Table
        variant="full-page"
        stickyHeader
        items={data?.items ?? []}
        trackBy="id"
        loading={!data && problem === undefined}
        loadingText="Loading webhooks"
        skeleton={{ totalRows: 3 }}
        columnDefinitions={props.columns}
        ariaLabels={{ tableLabel: props.title }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description={props.description}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Refresh the list" loading={loading && !!data} onClick={reload} />
                {create}
              </SpaceBetween>
            }
          >
            {props.title}
          </Header>
        }
        empty={
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="s">
              <Box variant="strong">None yet</Box>
              <Box color="text-body-secondary">{props.invitation}</Box>
              {create}
            </SpaceBetween>
          </Box>
        }
      />
    </SpaceBetween>
  );
}
