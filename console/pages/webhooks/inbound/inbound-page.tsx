import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { DeleteWebhookModal } from '../parts/delete-webhook-modal.tsx';
import { FreshSecret, keepSecret } from '../parts/fresh-secret.tsx';
import { useAction } from '../parts/use-action.ts';
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
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  const rotate = () =>
    action.run(async () => {
      const after = await client.rotateInboundSecret({ id: webhook.id });
      keepSecret(after.id, after.secret);
      onChanged();
    });
  const toggle = () =>
    action.run(async () => {
      await client.updateInboundWebhook({ id: webhook.id }, { active: !webhook.active });
      onChanged();
    });
  return (
    <SpaceBetween size="m">
      <Header
        variant="h1"
        description={webhook.description ?? undefined}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <Button onClick={toggle} disabled={action.busy}>
              {webhook.active ? 'Deactivate' : 'Activate'}
            </Button>
            {webhook.secret_enabled && (
              <Button onClick={rotate} loading={action.busy}>
                Rotate secret
              </Button>
            )}
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <PageButton to={`${inboundPath(webhook.id)}/edit`} variant="primary">
              Edit
            </PageButton>
          </SpaceBetween>
        }
      >
        {webhook.name}
      </Header>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {deleting && (
        <DeleteWebhookModal
          name={webhook.name}
          to={inboundList}
          remove={() => client.deleteInboundWebhook({ id: webhook.id }, etag ? { ifMatch: etag } : {})}
          onClose={() => setDeleting(false)}
        >
          <Box>Its address will not be found any more, and the sender will get errors. What it wrote stays.</Box>
        </DeleteWebhookModal>
      )}
    </SpaceBetween>
  );
}
