import { useApi } from '../../../api.ts';
import { navigate } from '../../../location.ts';
import { keepSecret } from '../parts/fresh-secret.tsx';
import { WebhookHeader } from '../parts/webhook-header.tsx';
import { onTopOf } from '../parts/webhook-version.ts';
import { deliveryPath, outboundList, outboundPath } from '../webhook-words.ts';
import type { OutboundVersion } from './use-outbound.ts';

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
    keepSecret(id, (await client.rotateOutboundSecret({ id })).secret);
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
      remove={() => client.deleteOutboundWebhook({ id }, onTopOf(version))}
      warning="Pending deliveries are cancelled."
    />
  );
}
