import { useApi } from '../../base/api.ts';
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

const form = {
  sections: articleSections,
  words: articleWords,
  controls: incidentControls,
  minRole: 'itsm_manager',
} as const;

export function CreateArticlePage() {
  const { client } = useApi();
  useKnownValues();
  return (
    <RecordEditor
      {...form}
      title="Create article"
      first={emptyDraft(articleFields)}
      submitText="Save article"
      cancelTo={articleList}
      save={async (draft, key) => {
        const creation = { title: '', body: '', ...toCreation(draft, articleFields) };
        const { id } = await client.createArticle(creation, { idempotencyKey: key });
        replaceLocation(articlePath(id));
      }}
    />
  );
}

export function EditArticlePage({ id }: { id: string }) {
  const { client } = useApi();
  useKnownValues();
  return (
    <EditRecordPage<Article>
      {...form}
      id={id}
      load={(signal) => client.getArticle.withResponse({ id }, { signal })}
      fields={articleFields}
      pageTo={articlePath(id)}
      save={(patch, options) => client.updateArticle({ id }, patch, options)}
    />
  );
}
