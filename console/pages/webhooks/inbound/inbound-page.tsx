import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { FreshSecret, keepSecret } from '../parts/fresh-secret.tsx';
import { WebhookHeader } from '../parts/webhook-header.tsx';
import { inboundList, inboundPath } from '../webhook-words.ts';
import { EventsPanel } from './events-panel.tsx';
import { InboundFacts } from './inbound-facts.tsx';
import { LabPanel } from './lab-panel.tsx';
import { type InboundVersion, useInbound } from './use-inbound.ts';

export function InboundPage({ id }: { id: string }) {
  const { data, problem, reload } = useInbound(id);
  if (data) return <LoadedInbound version={data} onChanged={reload} />;
  return (
    <ContentLayout header={<Header variant="h1">Inbound webhook</Header>}>
      {problem === undefined ? (
        <Container>
          <FactsSkeleton facts={5} label="Loading the webhook" />
        </Container>
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </ContentLayout>
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
        <FreshSecret id={webhook.id} what="The sender signs every event with it." />
        <Tabs
          activeTabId={tab}
          ariaLabel="The webhook"
          onChange={({ detail }) => setTab(detail.activeTabId)}
          tabs={[
            { id: 'settings', label: 'Settings', content: <InboundFacts webhook={webhook} /> },
            { id: 'lab', label: 'Lab', content: <LabPanel webhook={webhook} /> },
            { id: 'events', label: 'Received events', content: <EventsPanel webhook={webhook} /> },
          ]}
        />
      </SpaceBetween>
    </ContentLayout>
  );
}

function InboundHeader({ version: { webhook, etag }, onChanged }: LoadedInboundProps) {
  const { client } = useApi();
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
      remove={() => client.deleteInboundWebhook({ id }, etag ? { ifMatch: etag } : {})}
      warning="Its address will not be found any more, and the sender will get errors. What it wrote stays."
    />
  );
}
