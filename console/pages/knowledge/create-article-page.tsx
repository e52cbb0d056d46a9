import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { useState } from 'react';
import { useApi } from '../../api.ts';
import { replaceLocation } from '../../location.ts';
import { emptyDraft } from './article-draft.ts';
import { ArticleForm } from './article-form.tsx';
import { articleList, articlePath } from './article-words.ts';

export function CreateArticlePage() {
  const { client } = useApi();
  // Pressing the button again after a lost answer does not write it twice.
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
