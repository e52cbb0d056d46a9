import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { replaceLocation } from '../../location.ts';
import { draftOf } from './article-draft.ts';
import { ArticleForm } from './article-form.tsx';
import { articlePath } from './article-words.ts';
import { useArticle } from './use-article.ts';

/** Saves only on top of the version that the form was opened with; otherwise the service says that it changed. */
export function EditArticlePage({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useArticle(id);
  return (
    <ContentLayout header={<Header variant="h1">Edit article</Header>}>
      {data && (
        <ArticleForm
          initial={draftOf(data.article)}
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
