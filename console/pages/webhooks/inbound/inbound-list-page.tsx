import type { TableProps } from '@cloudscape-design/components/table';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { Person } from '../../../components/email.tsx';
import { Ago } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { collectPages } from '../../../pages-of.ts';
import { ActiveLabel } from '../parts/active-label.tsx';
import { ManagersOnly } from '../parts/managers-only.tsx';
import { WebhookList } from '../parts/webhook-list.tsx';
import { actionNames, type InboundWebhook, inboundList, inboundPath } from '../webhook-words.ts';

export function InboundListPage() {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listInboundWebhooks(page, { signal })),
    [client],
  );
  return (
    <ManagersOnly>
      <WebhookList
        title="Inbound webhooks"
        description="Let other systems create and update incidents by sending events."
        invitation="Create a webhook so that your monitoring can open incidents."
        createText="Create inbound webhook"
        createTo={`${inboundList}/new`}
        load={load}
        columns={columns}
      />
    </ManagersOnly>
  );
}

const columns: readonly TableProps.ColumnDefinition<InboundWebhook>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ id, name }) => <PageLink to={inboundPath(id)}>{name}</PageLink>,
  },
  { id: 'action', header: 'Action', cell: ({ action }) => actionNames[action] },
  { id: 'active', header: 'Status', cell: ({ active }) => <ActiveLabel active={active} /> },
  { id: 'secret', header: 'Signed', cell: ({ secret_enabled }) => (secret_enabled ? 'Yes' : 'No') },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];
