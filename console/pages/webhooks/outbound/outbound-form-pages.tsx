import { useApi } from '../../../api.ts';
import { CreateWebhookPage, EditWebhookPage } from '../parts/webhook-form-pages.tsx';
import { onTopOf } from '../parts/webhook-version.ts';
import { outboundList, outboundPath } from '../webhook-words.ts';
import { draftOf, emptyDraft, isShown, patchOf, problemsOf, settingsOf } from './outbound-draft.ts';
import { OutboundFields } from './outbound-fields.tsx';
import { useOutbound } from './use-outbound.ts';

const forms = { Fields: OutboundFields, problemsOf, isShown, pathOf: outboundPath };

export function CreateOutboundPage() {
  const { client } = useApi();
  return (
    <CreateWebhookPage
      forms={forms}
      title="Create outbound webhook"
      description="The signing secret is shown after you create the webhook."
      emptyDraft={emptyDraft}
      listPath={outboundList}
      create={(draft, key) => client.createOutboundWebhook(settingsOf(draft), { idempotencyKey: key })}
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
      draftOf={draftOf}
      update={(draft, version) =>
        client.updateOutboundWebhook({ id }, patchOf(draft, version.webhook), onTopOf(version))
      }
    />
  );
}
