import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { useRef, useState } from 'react';
import { useApi } from '../../../api.ts';
import { FactsSkeleton } from '../../../components/facts-skeleton.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { RecordForm } from '../../../components/record-form.tsx';
import { divideProblem } from '../../../field-problems.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { replaceLocation } from '../../../location.ts';
import { useAction } from '../../../use-action.ts';
import { keepSecret } from '../parts/fresh-secret.tsx';
import { outboundPath } from '../webhook-words.ts';
import { draftOf, isShown, patchOf, problemsOf } from './outbound-draft.ts';
import { OutboundFields } from './outbound-fields.tsx';
import { type OutboundVersion, useOutbound } from './use-outbound.ts';

export function EditOutboundPage({ id }: { id: string }) {
  const { data, problem, reload } = useOutbound(id);
  return (
    <ContentLayout header={<Header variant="h1">Edit {data?.webhook.name ?? 'outbound webhook'}</Header>}>
      {data && <EditForm version={data} />}
      {!data && problem === undefined && <FactsSkeleton facts={6} label="Loading the webhook" />}
      {!data && problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
    </ContentLayout>
  );
}

/** Saves only on top of the version that the form was opened with; otherwise the service says that it changed. */
function EditForm({ version: { webhook, etag } }: { version: OutboundVersion }) {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => draftOf(webhook));
  const action = useAction();
  const { byField, rest } = divideProblem(action.problem, isShown);
  const save = async () => {
    const options = etag ? { ifMatch: etag } : {};
    const after = await client.updateOutboundWebhook({ id: webhook.id }, patchOf(draft, webhook), options);
    keepSecret(after.id, after.secret);
    replaceLocation(outboundPath(after.id));
  };
  const submit = async () => {
    const complete = Object.keys(problemsOf(draft)).length === 0;
    if (!complete || !(await action.run(save))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText="Save changes"
      onSubmit={submit}
      saving={action.busy}
      cancelTo={outboundPath(webhook.id)}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <OutboundFields
        draft={draft}
        problems={{ ...problemsOf(draft), ...byField }}
        onChange={(fields) => {
          setDraft((before) => ({ ...before, ...fields }));
          action.forget();
        }}
      />
    </RecordForm>
  );
}
