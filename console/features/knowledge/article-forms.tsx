import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useRef, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { RequireRole } from '../../records/require-role.tsx';
import {
  type ArticleDraft,
  articleList,
  articlePath,
  emptyDraft,
  findProblems,
  isShown,
  toDraft,
  toFields,
} from '../../resources/article-words.ts';
import { useKnownValues } from '../../resources/known-values.ts';
import { SuggestingField } from '../../resources/suggesting-field.tsx';
import { splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { MarkdownField } from '../../ui/markdown.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useArticle } from './article-page.tsx';

export function CreateArticlePage() {
  const { client } = useApi();
  // A retry after a lost response creates no second article.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  return (
    <ContentLayout header={<Header variant="h1">Create article</Header>}>
      <ArticleForm
        initial={emptyDraft}
        submitText="Save article"
        cancelTo={articleList}
        save={async (fields) => {
          const { id } = await client.createArticle(fields, { idempotencyKey });
          replaceLocation(articlePath(id));
        }}
      />
    </ContentLayout>
  );
}

/** Updates the version that the form was opened with; the service rejects the update if there is a newer one. */
export function EditArticlePage({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useArticle(id);
  return (
    <ContentLayout header={<Header variant="h1">Edit article</Header>}>
      {data && (
        <ArticleForm
          initial={toDraft(data.article)}
          submitText="Save changes"
          cancelTo={articlePath(id)}
          save={async (fields) => {
            await client.updateArticle({ id }, fields, data.etag ? { ifMatch: data.etag } : {});
            replaceLocation(articlePath(id));
          }}
        />
      )}
      {!data && problem === undefined && <FactsSkeleton facts={6} label="Loading article" />}
      {!data && problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
    </ContentLayout>
  );
}

interface ArticleFormProps {
  initial: ArticleDraft;
  submitText: string;
  cancelTo: string;
  save(fields: ReturnType<typeof toFields>): Promise<void>;
}

/** The form that creates and edits articles. */
export function ArticleForm(props: ArticleFormProps) {
  return (
    <RequireRole minRole="itsm_manager" action="write articles">
      <ArticleFields {...props} />
    </RequireRole>
  );
}

function ArticleFields({ initial, submitText, cancelTo, save }: ArticleFormProps) {
  useKnownValues();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [checked, setChecked] = useState(false);
  const action = useAction();
  const { byField, rest } = splitProblem(action.problem, isShown);
  const problems = { ...(checked ? findProblems(draft) : {}), ...byField };
  const change = (part: Partial<ArticleDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    action.forget();
  };
  const submit = async () => {
    setChecked(true);
    const complete = Object.keys(findProblems(draft)).length === 0;
    if (!complete || !(await action.run(() => save(toFields(draft))))) focusFirstProblem(form.current);
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
