import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { navigate } from '../../base/router.ts';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { type Article, articleList, articlePath } from '../../resources/article-words.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { PageButton } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { DecisionModal } from '../../ui/modals.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ArticleTags } from './article-tags.tsx';

export function ArticlePage({ id }: { id: string }) {
  const { data, problem, reload } = useArticle(id);
  if (data) return <LoadedArticle version={data} onChanged={reload} />;
  return (
    <PageLayout title={`Article ${id}`}>
      {problem === undefined ? (
        <Container>
          <FactsSkeleton facts={6} label="Loading article" />
        </Container>
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </PageLayout>
  );
}

function LoadedArticle({ version, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { article } = version;
  return (
    <ContentLayout
      header={
        <SpaceBetween size="xs">
          <Header variant="h1" actions={<Actions version={version} onChanged={onChanged} />}>
            <span className="wrapping">{article.title}</span>
          </Header>
          <ArticleTags article={article} />
        </SpaceBetween>
      }
    >
      <SpaceBetween size="l">
        {article.state === 'draft' && <Alert type="info">This article is a draft. Only managers can view it.</Alert>}
        <Container>
          <div className="article">
            <Markdown source={article.body} lines="joined" />
          </div>
        </Container>
        <Box color="text-body-secondary" fontSize="body-s">
          {article.id} · by {article.created_by} · updated <Ago at={article.updated_at} />
        </Box>
      </SpaceBetween>
    </ContentLayout>
  );
}

/** The actions of managers. */
function Actions({ version: { article, etag }, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { client } = useApi();
  const canWrite = useHasRole('itsm_manager');
  const action = useAction();
  const [deleting, setDeleting] = useState(false);
  if (!canWrite) return null;
  const next = article.state === 'draft' ? 'published' : 'draft';
  const options = etag ? { ifMatch: etag } : {};
  const change = async () => {
    await client.updateArticle({ id: article.id }, { state: next }, options);
    onChanged();
  };
  const remove = async () => {
    await client.deleteArticle({ id: article.id }, options);
    notify({ type: 'success', content: `${article.id} was deleted.` });
    navigate(articleList);
  };
  return (
    <SpaceBetween size="xs">
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant={article.state === 'draft' ? 'primary' : 'normal'}
          loading={action.busy}
          onClick={() => action.run(change)}
        >
          {article.state === 'draft' ? 'Publish' : 'Unpublish'}
        </Button>
        <PageButton to={`${articlePath(article.id)}/edit`} iconName="edit">
          Edit
        </PageButton>
        <Button iconName="remove" variant="normal" ariaLabel="Delete" onClick={() => setDeleting(true)} />
      </SpaceBetween>
      {action.problem !== undefined && !deleting && <ProblemView problem={action.problem} onRetry={onChanged} />}
      {deleting && (
        <DecisionModal
          title={`Delete ${article.id}?`}
          dismissText="Cancel"
          onDismiss={() => setDeleting(false)}
          confirmText="Delete"
          onConfirm={() => action.run(remove)}
          busy={action.busy}
        >
          {action.problem !== undefined && <ProblemView problem={action.problem} />}
          <Box>
            <strong className="wrapping">{article.title}</strong> is removed from lists, search results and AI answers.
            A record is retained for audit.
          </Box>
        </DecisionModal>
      )}
    </SpaceBetween>
  );
}

/** An article with the ETag that a change of it must name. */
interface ArticleVersion {
  article: Article;
  etag: string | undefined;
}

function useArticle(id: string): Loaded<ArticleVersion> {
  const { client } = useApi();
  return useLoad(['articles', id], async (signal) => {
    const { data, etag } = await client.getArticle.withResponse({ id }, { signal });
    if (data) nameRecord(id, data.title);
    return { article: data as Article, etag };
  });
}
