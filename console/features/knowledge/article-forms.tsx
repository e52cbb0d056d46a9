import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { replaceLocation } from '../../base/router.ts';
import { emptyDraft, toCreation } from '../../records/record-draft.ts';
import { EditRecordPage, RecordEditor } from '../../records/record-editor.tsx';
import {
  type Article,
  articleFields,
  articleList,
  articlePath,
  articleSections,
  articleWords,
} from '../../resources/article-words.ts';
import { incidentControls } from '../../resources/incident-controls.tsx';
import { useKnownValues } from '../../resources/known-values.ts';

/** Only managers publish, so only they choose the state. */
function useForm() {
  const isManager = useHasRole('itsm_manager');
  useKnownValues();
  const isOffered = ({ name }: { name: string }) => isManager || name !== 'state';
  const sections = articleSections.map((section) => ({ ...section, fields: section.fields.filter(isOffered) }));
  const fields = articleFields.filter(isOffered);
  return { fields, props: { sections, words: articleWords, controls: incidentControls } };
}

export function CreateArticlePage() {
  const { client } = useApi();
  const { fields, props } = useForm();
  return (
    <RecordEditor
      {...props}
      title="Create article"
      first={emptyDraft(articleFields)}
      submitText="Save article"
      cancelTo={articleList}
      save={async (draft, key) => {
        const creation = { title: '', body: '', ...toCreation(draft, fields) };
        const { id } = await client.createArticle(creation, { idempotencyKey: key });
        replaceLocation(articlePath(id));
      }}
    />
  );
}

export function EditArticlePage({ id }: { id: string }) {
  const { client } = useApi();
  const { fields, props } = useForm();
  return (
    <EditRecordPage<Article>
      {...props}
      id={id}
      load={(signal) => client.getArticle.withResponse({ id }, { signal })}
      fields={fields}
      pageTo={articlePath(id)}
      save={(patch, options) => client.updateArticle({ id }, patch, options)}
    />
  );
}
