import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { useRef, useState } from 'react';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { RecordForm } from '../../../components/record-form.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { replaceLocation } from '../../../location.ts';
import { useAction } from '../../../use-action.ts';
import { keepSecret } from '../parts/fresh-secret.tsx';
import { ManagersOnly } from '../parts/managers-only.tsx';
import { inboundList, inboundPath } from '../webhook-words.ts';
import { emptyDraft, isShown, problemsOf, settingsOf } from './inbound-draft.ts';
import { InboundFields } from './inbound-fields.tsx';

export function CreateInboundPage() {
  return (
    <ContentLayout
      header={
        <Header variant="h1" description="You get the address for the sender, and its secret, when it is created.">
          Create inbound webhook
        </Header>
      }
    >
      <ManagersOnly>
        <CreationForm />
      </ManagersOnly>
    </ContentLayout>
  );
}

function CreationForm() {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(emptyDraft);
  const [checked, setChecked] = useState(false);
  // One key for one content: pressing the button again after a lost answer does not create a second webhook.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const action = useAction();
  const { byField, rest } = divideProblem(action.problem, isShown);
  const create = async () => {
    const webhook = await client.createInboundWebhook(settingsOf(draft), { idempotencyKey: key });
    keepSecret(webhook.id, webhook.secret);
    replaceLocation(inboundPath(webhook.id));
  };
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(problemsOf(draft)).length === 0;
    if (!complete || !(await action.run(create))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm ref={form} submitText="Create webhook" onSubmit={submit} saving={action.busy} cancelTo={inboundList}>
      {rest !== undefined && <ProblemView problem={rest} />}
      <InboundFields
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
