import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { PageButton } from '../../../components/page-button.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { navigate } from '../../../location.ts';
import { DeleteWebhookModal } from '../parts/delete-webhook-modal.tsx';
import { keepSecret } from '../parts/fresh-secret.tsx';
import { useAction } from '../parts/use-action.ts';
import { deliveryPath, outboundList, outboundPath } from '../webhook-words.ts';
import type { OutboundVersion } from './use-outbound.ts';

interface OutboundHeaderProps {
  version: OutboundVersion;
  onChanged(): void;
}

export function OutboundHeader({ version: { webhook, etag }, onChanged }: OutboundHeaderProps) {
  const { client } = useApi();
  const { id } = webhook;
  const [deleting, setDeleting] = useState(false);
  const action = useAction();
  const ping = async () => navigate(deliveryPath(id, (await client.testOutboundWebhook({ id })).id));
  const rotate = async () => {
    keepSecret(id, (await client.rotateOutboundSecret({ id })).secret);
    onChanged();
  };
  const toggle = async () => {
    await client.updateOutboundWebhook({ id }, { active: !webhook.active });
    onChanged();
  };
  const button = (text: string, work: () => Promise<void>) => (
    <Button disabled={action.busy} onClick={() => action.run(work)}>
      {text}
    </Button>
  );
  return (
    <SpaceBetween size="m">
      <Header
        variant="h1"
        description={<span className="wrapping">{webhook.url}</span>}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            {button('Send a ping', ping)}
            {button(webhook.active ? 'Deactivate' : 'Activate', toggle)}
            {webhook.sign_payloads && button('Rotate secret', rotate)}
            <Button onClick={() => setDeleting(true)}>Delete</Button>
            <PageButton to={`${outboundPath(id)}/edit`} variant="primary">
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
          to={outboundList}
          remove={() => client.deleteOutboundWebhook({ id }, etag ? { ifMatch: etag } : {})}
          onClose={() => setDeleting(false)}
        >
          <Box>What is on its way to the receiver is cancelled.</Box>
        </DeleteWebhookModal>
      )}
    </SpaceBetween>
  );
}
