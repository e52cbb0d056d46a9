import { type ComponentType, useRef, useState } from 'react';
import { ProblemView } from '../../../components/problem-view.tsx';
import { RecordForm } from '../../../components/record-form.tsx';
import { divideProblem, type FieldProblems } from '../../../field-problems.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { replaceLocation } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useAction } from '../../../use-action.ts';
import { keepSecret } from './fresh-secret.tsx';

export interface WebhookFieldsProps<Draft> {
  draft: Draft;
  problems: FieldProblems;
  onChange(fields: Partial<Draft>): void;
}

/** What the form has to know of a direction. */
export interface WebhookForms<Draft> {
  Fields: ComponentType<WebhookFieldsProps<Draft>>;
  /** What can be said before the service is asked. */
  problemsOf(draft: Draft): FieldProblems;
  /** Whether the fields have a place for problems of this one. */
  isShown(field: string): boolean;
  pathOf(id: string): string;
}

export interface SavedWebhook {
  id: string;
  secret?: string | undefined;
  /** Side effects that the reader has to know. */
  notices?: readonly { message: string }[] | undefined;
}

interface WebhookFormProps<Draft> {
  forms: WebhookForms<Draft>;
  initial: Draft;
  submitText: string;
  cancelTo: string;
  /** A form that was filled in by somebody says at once what is wrong; an empty one waits for the first try. */
  checkedFrom: 'start' | 'first try';
  /** The key stays the same for the same content, so that trying again after a lost answer does nothing twice. */
  save(draft: Draft, key: string): Promise<SavedWebhook>;
}

/** The settings of a webhook, new or known. */
export function WebhookForm<Draft>(props: WebhookFormProps<Draft>) {
  const { forms, initial, submitText, cancelTo, checkedFrom, save } = props;
  const { Fields, problemsOf, isShown, pathOf } = forms;
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [checked, setChecked] = useState(checkedFrom === 'start');
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const { byField, rest } = divideProblem(action.problem, isShown);
  const run = async () => {
    const webhook = await save(draft, key);
    keepSecret(webhook.id, webhook.secret);
    for (const { message } of webhook.notices ?? []) notify({ type: 'warning', content: message });
    replaceLocation(pathOf(webhook.id));
  };
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(problemsOf(draft)).length === 0;
    if (!complete || !(await action.run(run))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm ref={form} submitText={submitText} onSubmit={submit} saving={action.busy} cancelTo={cancelTo}>
      {rest !== undefined && <ProblemView problem={rest} />}
      <Fields
        draft={draft}
        problems={{ ...(checked ? problemsOf(draft) : {}), ...byField }}
        onChange={(fields) => {
          setDraft((before) => ({ ...before, ...fields }));
          setKey(crypto.randomUUID());
          action.forget();
        }}
      />
    </RecordForm>
  );
}
