import ContentLayout from '@cloudscape-design/components/content-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { TableProps } from '@cloudscape-design/components/table';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useApi } from '../../app/api.ts';
import { collectPages } from '../../records/paging.ts';
import { type Loaded, useLoad } from '../../records/use-load.ts';
import { PageLink } from '../../ui/links.tsx';
import { Ago, Person } from '../../ui/text.tsx';
import { emptyDraft, findProblems, isShown, toDraft, toPatch, toSettings } from './inbound-draft.ts';
import { EventsPanel } from './inbound-events.tsx';
import { InboundFields } from './inbound-fields.tsx';
import { InboundFacts, LabPanel } from './inbound-panels.tsx';
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
import { actionNames, type InboundWebhook, inboundList, inboundPath } from './webhook-words.ts';

export function InboundListPage() {
  const { client } = useApi();
  const list = useLoad(['webhooks', 'inbound'], (signal) =>
    collectPages((page) => client.listInboundWebhooks(page, { signal })),
  );
  return (
    <ManagersOnly>
      <WebhookList
        title="Inbound webhooks"
        description="Let other systems create and update incidents by sending events."
        invitation="Create a webhook so that your monitoring can open incidents."
        createText="Create inbound webhook"
        createTo={`${inboundList}/new`}
        list={list}
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

export function InboundPage({ id }: { id: string }) {
  const loaded = useInbound(id);
  return (
    <WebhookShell loaded={loaded} title="Inbound webhook">
      {(version) => <LoadedInbound version={version} onChanged={loaded.reload} />}
    </WebhookShell>
  );
}

interface LoadedInboundProps {
  version: InboundVersion;
  onChanged(): void;
}

function LoadedInbound({ version, onChanged }: LoadedInboundProps) {
  const { webhook } = version;
  const [tab, setTab] = useState('settings');
  return (
    <ContentLayout header={<InboundHeader version={version} onChanged={onChanged} />}>
      <SpaceBetween size="l">
        <FreshSecret id={webhook.id} what="The sender uses this secret to sign events." />
        <Tabs
          activeTabId={tab}
          ariaLabel="Webhook"
          onChange={({ detail }) => setTab(detail.activeTabId)}
          tabs={[
            { id: 'settings', label: 'Settings', content: <InboundFacts webhook={webhook} /> },
            { id: 'lab', label: 'Test', content: <LabPanel webhook={webhook} /> },
            { id: 'events', label: 'Received events', content: <EventsPanel webhook={webhook} /> },
          ]}
        />
      </SpaceBetween>
    </ContentLayout>
  );
}

function InboundHeader({ version, onChanged }: LoadedInboundProps) {
  const { client } = useApi();
  const { webhook } = version;
  const { id, active } = webhook;
  const rotate = async () => {
    storeSecret(id, (await client.rotateInboundSecret({ id })).secret);
    onChanged();
  };
  const toggle = async () => {
    await client.updateInboundWebhook({ id }, { active: !active });
    onChanged();
  };
  return (
    <WebhookHeader
      name={webhook.name}
      description={webhook.description}
      actions={{
        [active ? 'Deactivate' : 'Activate']: toggle,
        ...(webhook.secret_enabled && { 'Rotate secret': rotate }),
      }}
      editTo={`${inboundPath(id)}/edit`}
      listTo={inboundList}
      remove={() => client.deleteInboundWebhook({ id }, toIfMatch(version))}
      warning="The endpoint stops working and the sender will receive errors. Existing incidents are not affected."
    />
  );
}

const forms = { Fields: InboundFields, findProblems, isShown, toPagePath: inboundPath };

export function CreateInboundPage() {
  const { client } = useApi();
  return (
    <CreateWebhookPage
      forms={forms}
      title="Create inbound webhook"
      description="The endpoint URL and signing secret are shown after you create the webhook."
      emptyDraft={emptyDraft}
      listPath={inboundList}
      create={(draft, key) => client.createInboundWebhook(toSettings(draft), { idempotencyKey: key })}
    />
  );
}

export function EditInboundPage({ id }: { id: string }) {
  const { client } = useApi();
  return (
    <EditWebhookPage
      forms={forms}
      loaded={useInbound(id)}
      title="Edit inbound webhook"
      toDraft={toDraft}
      update={(draft, version) =>
        client.updateInboundWebhook({ id }, toPatch(draft, version.webhook), toIfMatch(version))
      }
    />
  );
}

export type InboundVersion = WebhookVersion<InboundWebhook>;

export function useInbound(id: string): Loaded<InboundVersion> {
  const { client } = useApi();
  return useLoad(['webhooks', id], async (signal) => {
    const { data, etag } = await client.getInboundWebhook.withResponse({ id }, { signal });
    return { webhook: data as InboundWebhook, etag };
  });
}
