import Alert from '@cloudscape-design/components/alert';
import ContentLayout from '@cloudscape-design/components/content-layout';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { FreshSecret } from '../parts/fresh-secret.tsx';
import { WebhookShell } from '../parts/webhook-shell.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { OutboundFacts } from './outbound-facts.tsx';
import { OutboundHeader } from './outbound-header.tsx';
import { type OutboundVersion, useOutbound } from './use-outbound.ts';

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
