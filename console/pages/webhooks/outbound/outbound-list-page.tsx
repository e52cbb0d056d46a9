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
import { type OutboundWebhook, outboundList, outboundPath } from '../webhook-words.ts';

export function OutboundListPage() {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listOutboundWebhooks(page, { signal })),
    [client],
  );
  return (
    <ManagersOnly>
      <WebhookList
        title="Outbound webhooks"
        description="Notify other systems about events in this service."
        invitation="Create a webhook to notify your chat, dashboards or scripts."
        createText="Create outbound webhook"
        createTo={`${outboundList}/new`}
        load={load}
        columns={columns}
      />
    </ManagersOnly>
  );
}

const columns: readonly TableProps.ColumnDefinition<OutboundWebhook>[] = [
  {
    id: 'name',
    header: 'Name',
    isRowHeader: true,
    cell: ({ id, name }) => <PageLink to={outboundPath(id)}>{name}</PageLink>,
  },
  { id: 'url', header: 'URL', cell: ({ url }) => <span className="wrapping">{url}</span> },
  { id: 'events', header: 'Events', cell: ({ events }) => events.length },
  { id: 'active', header: 'Status', cell: ({ active }) => <ActiveLabel active={active} /> },
  { id: 'signed', header: 'Signed', cell: ({ sign_payloads }) => (sign_payloads ? 'Yes' : 'No') },
  { id: 'created_by', header: 'Created by', cell: ({ created_by }) => <Person address={created_by} /> },
  { id: 'created_at', header: 'Created', cell: ({ created_at }) => <Ago at={created_at} /> },
];
