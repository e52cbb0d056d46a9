import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef, useState } from 'react';
import { ProblemView } from '../../components/problem-view.tsx';
import { RecordForm } from '../../components/record-form.tsx';
import { divideProblem } from '../../field-problems.ts';
import { focusFirstProblem } from '../../focus-first-problem.ts';
import { MarkdownField } from '../../markdown/markdown-field.tsx';
import { useAction } from '../../use-action.ts';
import { SuggestingField } from '../incidents/form/suggesting-field.tsx';
import { useKnownValues } from '../incidents/form/use-known-values.ts';
import { type ArticleDraft, fieldsOf, isShown, problemsOf } from './article-draft.ts';

interface ArticleFormProps {
  initial: ArticleDraft;
  submitText: string;
  cancelTo: string;
  save(fields: ReturnType<typeof fieldsOf>): Promise<void>;
}

/** Where articles are written, new ones and others. */
export function ArticleForm({ initial, submitText, cancelTo, save }: ArticleFormProps) {
  useKnownValues();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [checked, setChecked] = useState(false);
  const action = useAction();
  const { byField, rest } = divideProblem(action.problem, isShown);
  const problems = { ...(checked ? problemsOf(draft) : {}), ...byField };
  const change = (part: Partial<ArticleDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    action.forget();
  };
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(problemsOf(draft)).length === 0;
    if (!complete || !(await action.run(() => save(fieldsOf(draft))))) focusFirstProblem(form.current);
  };
  return (
    <RecordForm ref={form} submitText={submitText} onSubmit={submit} saving={action.busy} cancelTo={cancelTo}>
      {rest !== undefined && <ProblemView problem={rest} />}
      <Container>
        <SpaceBetween size="l">
          <FormField
            label="Title"
            description="Use words that someone with this problem would search for."
            errorText={problems.title}
            stretch
          >
            <Input value={draft.title} onChange={({ detail }) => change({ title: detail.value })} />
          </FormField>
          <MarkdownField
            label="Article"
            value={draft.body}
            onChange={(body) => change({ body })}
            onSubmit={submit}
            errorText={problems.body}
            rows={22}
            lines="joined"
          />
          <SuggestingField
            field="category"
            label="Category"
            value={draft.category}
            onChange={(category) => change({ category })}
            errorText={problems.category}
          />
          <FormField label="Tags" constraintText="Separated by commas." errorText={problems.tags} stretch>
            <Input value={draft.tags} onChange={({ detail }) => change({ tags: detail.value })} />
          </FormField>
          <Checkbox
            checked={draft.state === 'published'}
            onChange={({ detail }) => change({ state: detail.checked ? 'published' : 'draft' })}
            description="Published articles are visible to everyone and used by the assistant. Drafts are visible to managers only."
          >
            Published
          </Checkbox>
        </SpaceBetween>
      </Container>
    </RecordForm>
  );
}
