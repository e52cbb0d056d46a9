import { type ComponentType, type ReactNode, useRef, useState } from 'react';
import { replaceLocation } from '../../base/router.ts';
import type { Loaded } from '../../base/use-load.ts';
import { type FieldProblems, splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { notify } from '../../ui/notices.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ManagersOnly, storeSecret, WebhookShell } from './webhook-page.tsx';

/** A webhook with the ETag that a change of it must name. */
export interface WebhookVersion<Webhook> {
  webhook: Webhook;
  etag: string | undefined;
}

export interface WebhookFieldsProps<Draft> {
  draft: Draft;
  problems: FieldProblems;
  onChange(fields: Partial<Draft>): void;
}

/** What differs between inbound and outbound webhooks. */
export interface WebhookForms<Draft> {
  Fields: ComponentType<WebhookFieldsProps<Draft>>;
  /** Problems that need no request to find. */
  findProblems(draft: Draft): FieldProblems;
  /** Whether the form shows problems beside this field. */
  isShown(field: string): boolean;
  toPagePath(id: string): string;
}

export interface SavedWebhook {
  id: string;
  secret?: string | undefined;
  /** Side effects that the user must know. */
  notices?: readonly { message: string }[] | undefined;
}

interface WebhookFormProps<Draft> {
  forms: WebhookForms<Draft>;
  initial: Draft;
  submitText: string;
  cancelTo: string;
  /** An existing webhook is validated from the start, a new one from the first attempt. */
  checkedFrom: 'start' | 'first try';
  /** `key` changes with the content, so that a retry creates no second webhook. */
  save(draft: Draft, key: string): Promise<SavedWebhook>;
}

/** The form that creates and edits webhooks. */
export function WebhookForm<Draft>(props: WebhookFormProps<Draft>) {
  const { forms, initial, submitText, cancelTo, checkedFrom, save } = props;
  const { Fields, findProblems, isShown, toPagePath } = forms;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [checked, setChecked] = useState(checkedFrom === 'start');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const { byField, rest } = splitProblem(action.problem, isShown);
  const run = async () => {
    const webhook = await save(draft, key);
    storeSecret(webhook.id, webhook.secret);
    for (const { message } of webhook.notices ?? []) notify({ type: 'warning', content: message });
    replaceLocation(toPagePath(webhook.id));
  };
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(findProblems(draft)).length === 0;
    if (!complete || !(await action.run(run))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm ref={form} submitText={submitText} onSubmit={submit} saving={action.busy} cancelTo={cancelTo}>
      {rest !== undefined && <ProblemView problem={rest} />}
      <Fields
        draft={draft}
        problems={{ ...(checked ? findProblems(draft) : {}), ...byField }}
        onChange={(fields) => {
          setDraft((before) => ({ ...before, ...fields }));
          setKey(crypto.randomUUID());
          action.forget();
        }}
      />
    </RecordForm>
  );
}

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
    <PageLayout title={title} description={description}>
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
    </PageLayout>
  );
}

interface EditWebhookPageProps<Webhook, Draft> {
  forms: WebhookForms<Draft>;
  loaded: Loaded<WebhookVersion<Webhook>>;
  title: string;
  toDraft(webhook: Webhook): Draft;
  update(draft: Draft, version: WebhookVersion<Webhook>): Saved;
}

export function EditWebhookPage<Webhook extends { id: string; name: string }, Draft>(
  props: EditWebhookPageProps<Webhook, Draft>,
) {
  const { forms, loaded, title, toDraft, update } = props;
  return (
    <WebhookShell loaded={loaded} title={title}>
      {(version) => (
        <PageLayout title={`Edit ${version.webhook.name}`}>
          <WebhookForm
            forms={forms}
            initial={toDraft(version.webhook)}
            submitText="Save changes"
            cancelTo={forms.toPagePath(version.webhook.id)}
            checkedFrom="start"
            save={(draft) => update(draft, version)}
          />
        </PageLayout>
      )}
    </WebhookShell>
  );
}
