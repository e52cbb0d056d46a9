import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useApi } from '../../app/api.ts';
import { navigate } from '../../app/router.ts';
import { collectPages } from '../../records/paging.ts';
import { type Loaded, useLoad } from '../../records/use-load.ts';
import { PageLink } from '../../ui/links.tsx';
import { Ago, Email, Moment, Person } from '../../ui/text.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { FilterList } from './filters.tsx';
import { emptyDraft, findProblems, isShown, toDraft, toPatch, toSettings } from './outbound-draft.ts';
import { OutboundFields } from './outbound-fields.tsx';
import { CreateWebhookPage, EditWebhookPage, toIfMatch, type WebhookVersion } from './webhook-form.tsx';
import {
  ActiveLabel,
  FreshSecret,
  ManagersOnly,
  storeSecret,
  WebhookHeader,
  WebhookList,
  WebhookShell,
} from './webhook-page.tsx';
import {
  deliveryPath,
  eventTypeNames,
  inboundPath,
  type OutboundWebhook,
  outboundList,
  outboundPath,
} from './webhook-words.ts';

export function OutboundListPage() {
  const { client } = useApi();
  const list = useLoad(['webhooks', 'outbound'], (signal) =>
    collectPages((page) => client.listOutboundWebhooks(page, { signal })),
  );
  return (
    <ManagersOnly>
      <WebhookList
        title="Outbound webhooks"
        description="Notify other systems about events in this service."
        invitation="Create a webhook to notify your chat, dashboards or scripts."
        createText="Create outbound webhook"
        createTo={`${outboundList}/new`}
        list={list}
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

export function OutboundPage({ id }: { id: string }) {
  const loaded = useOutbound(id);
  return (
    <WebhookShell loaded={loaded} title="Outbound webhook">
      {(version) => <LoadedOutbound version={version} onChanged={loaded.reload} />}
    </WebhookShell>
  );
}

function LoadedOutbound({ version, onChanged }: { version: OutboundVersion; onChanged(): void }) {
  const { webhook } = version;
  const [tab, setTab] = useState('settings');
  return (
    <ContentLayout header={<OutboundHeader version={version} onChanged={onChanged} />}>
      <SpaceBetween size="l">
        <FreshSecret id={webhook.id} what="The receiver uses this secret to verify signatures." />
        {webhook.disabled_reason !== null && (
          <Alert type="warning" header="This webhook was deactivated automatically">
            <span className="wrapping">{webhook.disabled_reason}</span>
          </Alert>
        )}
        <Tabs
          activeTabId={tab}
          ariaLabel="Webhook"
          onChange={({ detail }) => setTab(detail.activeTabId)}
          tabs={[
            { id: 'settings', label: 'Settings', content: <OutboundFacts webhook={webhook} /> },
            { id: 'deliveries', label: 'Deliveries', content: <DeliveriesPanel webhook={webhook} /> },
          ]}
        />
      </SpaceBetween>
    </ContentLayout>
  );
}

interface OutboundHeaderProps {
  version: OutboundVersion;
  onChanged(): void;
}

export function OutboundHeader({ version, onChanged }: OutboundHeaderProps) {
  const { client } = useApi();
  const { webhook } = version;
  const { id, active } = webhook;
  const ping = async () => navigate(deliveryPath(id, (await client.testOutboundWebhook({ id })).id));
  const rotate = async () => {
    storeSecret(id, (await client.rotateOutboundSecret({ id })).secret);
    onChanged();
  };
  const toggle = async () => {
    await client.updateOutboundWebhook({ id }, { active: !active });
    onChanged();
  };
  return (
    <WebhookHeader
      name={webhook.name}
      description={<span className="wrapping">{webhook.url}</span>}
      actions={{
        'Send ping': ping,
        [active ? 'Deactivate' : 'Activate']: toggle,
        ...(webhook.sign_payloads && { 'Rotate secret': rotate }),
      }}
      editTo={`${outboundPath(id)}/edit`}
      listTo={outboundList}
      remove={() => client.deleteOutboundWebhook({ id }, toIfMatch(version))}
      warning="Pending deliveries are cancelled."
    />
  );
}

export function OutboundFacts({ webhook }: { webhook: OutboundWebhook }) {
  const headers = Object.keys(webhook.headers);
  const { inbound_webhook_id: inbound } = webhook;
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Receiver</Header>}>
        <KeyValuePairs
          columns={4}
          minColumnWidth={150}
          items={[
            { label: 'Status', value: <ActiveLabel active={webhook.active} /> },
            { label: 'Signed', value: webhook.sign_payloads ? 'Yes' : 'No' },
            { label: 'Timeout', value: `${webhook.timeout_seconds} s` },
            { label: 'Extra headers', value: headers.length === 0 ? 'None' : headers.join(', ') },
            { label: 'Owner', value: <Email address={webhook.created_by} /> },
            { label: 'Created', value: <Moment at={webhook.created_at} /> },
            {
              label: 'Linked inbound webhook',
              value: inbound === null ? '–' : <PageLink to={inboundPath(inbound)}>{inbound}</PageLink>,
            },
            { label: 'Receiver’s API client', value: webhook.client_id ?? '–' },
            { label: 'Receives its own changes', value: webhook.include_own ? 'Yes' : 'No' },
          ]}
        />
      </Container>
      <Container header={<Header variant="h2">Events</Header>}>
        <SpaceBetween size="l">
          <ul className="changes">
            {webhook.events.map((event) => (
              <li key={event}>
                <code>{event}</code>{' '}
                <Box variant="span" color="text-body-secondary">
                  {eventTypeNames[event]}
                </Box>
              </li>
            ))}
          </ul>
          <SpaceBetween size="xxs">
            <Box variant="awsui-key-label">Filters</Box>
            <FilterList filters={webhook.filters} />
          </SpaceBetween>
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}

const forms = { Fields: OutboundFields, findProblems, isShown, toPagePath: outboundPath };

export function CreateOutboundPage() {
  const { client } = useApi();
  return (
    <CreateWebhookPage
      forms={forms}
      title="Create outbound webhook"
      description="The signing secret is shown after you create the webhook."
      emptyDraft={emptyDraft}
      listPath={outboundList}
      create={(draft, key) => client.createOutboundWebhook(toSettings(draft), { idempotencyKey: key })}
    />
  );
}

export function EditOutboundPage({ id }: { id: string }) {
  const { client } = useApi();
  return (
    <EditWebhookPage
      forms={forms}
      loaded={useOutbound(id)}
      title="Edit outbound webhook"
      toDraft={toDraft}
      update={(draft, version) =>
        client.updateOutboundWebhook({ id }, toPatch(draft, version.webhook), toIfMatch(version))
      }
    />
  );
}

export type OutboundVersion = WebhookVersion<OutboundWebhook>;

export function useOutbound(id: string): Loaded<OutboundVersion> {
  const { client } = useApi();
  return useLoad(['webhooks', id], async (signal) => {
    const { data, etag } = await client.getOutboundWebhook.withResponse({ id }, { signal });
    return { webhook: data as OutboundWebhook, etag };
  });
}
