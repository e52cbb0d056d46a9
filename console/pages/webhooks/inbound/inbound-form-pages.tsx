import { useApi } from '../../../api.ts';
import { CreateWebhookPage, EditWebhookPage } from '../parts/webhook-form-pages.tsx';
import { onTopOf } from '../parts/webhook-version.ts';
import { inboundList, inboundPath } from '../webhook-words.ts';
import { draftOf, emptyDraft, isShown, patchOf, problemsOf, settingsOf } from './inbound-draft.ts';
import { InboundFields } from './inbound-fields.tsx';
import { useInbound } from './use-inbound.ts';

const forms = { Fields: InboundFields, problemsOf, isShown, pathOf: inboundPath };

export function CreateInboundPage() {
  const { client } = useApi();
  return (
    <CreateWebhookPage
      forms={forms}
      title="Create inbound webhook"
      description="The endpoint URL and signing secret are shown after you create the webhook."
      emptyDraft={emptyDraft}
      listPath={inboundList}
      create={(draft, key) => client.createInboundWebhook(settingsOf(draft), { idempotencyKey: key })}
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
      draftOf={draftOf}
      update={(draft, version) =>
        client.updateInboundWebhook({ id }, patchOf(draft, version.webhook), onTopOf(version))
      }
    />
  );
}
