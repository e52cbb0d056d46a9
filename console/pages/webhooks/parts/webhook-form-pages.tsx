import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import type { ReactNode } from 'react';
import type { Loaded } from '../../../use-load.ts';
import { ManagersOnly } from './managers-only.tsx';
import { type SavedWebhook, WebhookForm, type WebhookForms } from './webhook-form.tsx';
import { WebhookShell } from './webhook-shell.tsx';
import type { WebhookVersion } from './webhook-version.ts';

type Saved = Promise<SavedWebhook>;

interface CreateWebhookPageProps<Draft> {
  forms: WebhookForms<Draft>;
  title: string;
  description: ReactNode;
  emptyDraft: Draft;
  listPath: string;
  create(draft: Draft, key: string): Saved;
}

export function CreateWebhookPage<Draft>(props: CreateWebhookPageProps<Draft>) {
  const { forms, title, description, emptyDraft, listPath, create } = props;
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={description}>
          {title}
        </Header>
      }
    >
      <ManagersOnly>
        <WebhookForm
          forms={forms}
          initial={emptyDraft}
          submitText="Create webhook"
          cancelTo={listPath}
          checkedFrom="first try"
          save={create}
        />
      </ManagersOnly>
    </ContentLayout>
  );
}

interface EditWebhookPageProps<Webhook, Draft> {
  forms: WebhookForms<Draft>;
  loaded: Loaded<WebhookVersion<Webhook>>;
  title: string;
  draftOf(webhook: Webhook): Draft;
  update(draft: Draft, version: WebhookVersion<Webhook>): Saved;
}

export function EditWebhookPage<Webhook extends { id: string; name: string }, Draft>(
  props: EditWebhookPageProps<Webhook, Draft>,
) {
  const { forms, loaded, title, draftOf, update } = props;
  return (
    <WebhookShell loaded={loaded} title={title}>
      {(version) => (
        <ContentLayout header={<Header variant="h1">Edit {version.webhook.name}</Header>}>
          <WebhookForm
            forms={forms}
            initial={draftOf(version.webhook)}
            submitText="Save changes"
            cancelTo={forms.pathOf(version.webhook.id)}
            checkedFrom="start"
            save={(draft) => update(draft, version)}
          />
        </ContentLayout>
      )}
    </WebhookShell>
  );
}
