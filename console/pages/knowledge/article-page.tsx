import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useApi } from '../../api.ts';
import { DecisionModal } from '../../components/decision-modal.tsx';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { Ago } from '../../components/moment.tsx';
import { PageButton } from '../../components/page-button.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { navigate } from '../../location.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { notify } from '../../notices.ts';
import { useAction } from '../../use-action.ts';
import { useMay } from '../../use-may.ts';
import { ArticleTags } from './article-tags.tsx';
import { articleList, articlePath } from './article-words.ts';
import { type ArticleVersion, useArticle } from './use-article.ts';

export function ArticlePage({ id }: { id: string }) {
  const { data, problem, reload } = useArticle(id);
  if (data) return <LoadedArticle version={data} onChanged={reload} />;
  return (
    <ContentLayout header={<Header variant="h1">Article {id}</Header>}>
      {problem === undefined ? (
        <Container>
          <FactsSkeleton facts={6} label="Loading article" />
        </Container>
      ) : (
        <ProblemView problem={problem} onRetry={reload} />
      )}
    </ContentLayout>
  );
}

function LoadedArticle({ version, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { article } = version;
  const lead = (name: string) => (value: string) =>
    navigate(`${articleList}?${new URLSearchParams({ [name]: value })}`);
  return (
    <ContentLayout
      header={
        <SpaceBetween size="xs">
          <Header variant="h1" actions={<Actions version={version} onChanged={onChanged} />}>
            <span className="wrapping">{article.title}</span>
          </Header>
          <ArticleTags article={article} onCategory={lead('category')} onTag={lead('tags')} />
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

/** What managers can do with it. */
function Actions({ version: { article, etag }, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { client } = useApi();
  const mayWrite = useMay('itsm_manager');
  const action = useAction();
  const [deleting, setDeleting] = useState(false);
  if (!mayWrite) return null;
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
        <Button onClick={() => setDeleting(true)}>Delete</Button>
        <PageButton to={`${articlePath(article.id)}/edit`}>Edit</PageButton>
        <Button
          variant={article.state === 'draft' ? 'primary' : 'normal'}
          loading={action.busy}
          onClick={() => action.run(change)}
        >
          {article.state === 'draft' ? 'Publish' : 'Unpublish'}
        </Button>
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
