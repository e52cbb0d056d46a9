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
import { type OutboundWebhook, outboundList, outboundPath } from '../webhook-words.ts';

export function OutboundListPage() {
  return (
    <ManagersOnly>
      <OutboundList />
    </ManagersOnly>
  );
}

function OutboundList() {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listOutboundWebhooks(page, { signal })),
    [client],
  );
  const { data, problem, loading, reload } = useLoad(load);
  const create = (
    <PageButton to={`${outboundList}/new`} variant="primary">
      Create outbound webhook
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
        ariaLabels={{ tableLabel: 'Outbound webhooks' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description="Other systems that are told what happens here."
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="refresh" ariaLabel="Refresh the list" loading={loading && !!data} onClick={reload} />
                {create}
              </SpaceBetween>
            }
          >
            Outbound webhooks
          </Header>
        }
        empty={
          <Box textAlign="center" padding={{ vertical: 'l' }}>
            <SpaceBetween size="s">
              <Box variant="strong">No outbound webhooks</Box>
              <Box color="text-body-secondary">Tell your chat, your dashboards or your own programs what happens.</Box>
              {create}
            </SpaceBetween>
          </Box>
        }
      />
    </SpaceBetween>
  );
}

const columns: readonly TableProps.ColumnDefinition<OutboundWebhook>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ id, name }) => <PageLink to={outboundPath(id)}>{name}</PageLink>,
  },
  { id: 'url', header: 'Address', cell: ({ url }) => <span className="wrapping">{url}</span> },
  { id: 'events', header: 'Events', cell: ({ events }) => events.length },
  { id: 'active', header: 'Status', cell: ({ active }) => <ActiveLabel active={active} /> },
  { id: 'signed', header: 'Signed', cell: ({ sign_payloads }) => (sign_payloads ? 'Yes' : 'No') },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];
