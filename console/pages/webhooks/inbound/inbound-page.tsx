import ContentLayout from '@cloudscape-design/components/content-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { FreshSecret, keepSecret } from '../parts/fresh-secret.tsx';
import { WebhookHeader } from '../parts/webhook-header.tsx';
import { WebhookShell } from '../parts/webhook-shell.tsx';
import { onTopOf } from '../parts/webhook-version.ts';
import { inboundList, inboundPath } from '../webhook-words.ts';
import { EventsPanel } from './events-panel.tsx';
import { InboundFacts } from './inbound-facts.tsx';
import { LabPanel } from './lab-panel.tsx';
import { type InboundVersion, useInbound } from './use-inbound.ts';

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
    keepSecret(id, (await client.rotateInboundSecret({ id })).secret);
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
      remove={() => client.deleteInboundWebhook({ id }, onTopOf(version))}
      warning="The endpoint stops working and the sender will receive errors. Existing incidents are not affected."
    />
  );
}
