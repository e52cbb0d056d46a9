import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { Person } from '../../../components/email.tsx';
import { Ago } from '../../../components/moment.tsx';
import { PageButton } from '../../../components/page-button.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { collectPages } from '../../../pages-of.ts';
import { useLoad } from '../../../use-load.ts';
import { ActiveLabel } from '../parts/active-label.tsx';
import { ManagersOnly } from '../parts/managers-only.tsx';
import { actionNames, type InboundWebhook, inboundList, inboundPath } from '../webhook-words.ts';

export function InboundListPage() {
  return (
    <ManagersOnly>
      <InboundList />
    </ManagersOnly>
  );
}

function InboundList() {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listInboundWebhooks(page, { signal })),
    [client],
  );
  const { data, problem, loading, reload } = useLoad(load);
  const create = (
    <PageButton to={`${inboundList}/new`} variant="primary">
      Create inbound webhook
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
        columnDefinitions={columns}
        ariaLabels={{ tableLabel: 'Inbound webhooks' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description="Addresses at which other systems report events, which become incidents here."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Refresh the list" loading={loading && !!data} onClick={reload} />
                {create}
              </SpaceBetween>
            }
          >
            Inbound webhooks
          </Header>
        }
        empty={
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="s">
              <Box variant="strong">No inbound webhooks</Box>
              <Box color="text-body-secondary">Let your monitoring open incidents by itself.</Box>
              {create}
            </SpaceBetween>
          </Box>
        }
      />
    </SpaceBetween>
  );
}

const columns: readonly TableProps.ColumnDefinition<InboundWebhook>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ id, name }) => <PageLink to={inboundPath(id)}>{name}</PageLink>,
  },
  { id: 'action', header: 'What it does', cell: ({ action }) => actionNames[action] },
  { id: 'active', header: 'Status', cell: ({ active }) => <ActiveLabel active={active} /> },
  { id: 'secret', header: 'Signed', cell: ({ secret_enabled }) => (secret_enabled ? 'Yes' : 'No') },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];
