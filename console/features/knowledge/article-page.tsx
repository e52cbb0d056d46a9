import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { type Loaded, useLoad } from '../../base/use-load.ts';
import { type Article, articleList, articlePath } from '../../resources/article-words.ts';
import { Alert, Box, Button, Container, Header, Row, Stack } from '../../ui/kit/index.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { DeleteModal } from '../../ui/modals.tsx';
import { PendingPage } from '../../ui/problem-page.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { nameRecord } from '../../ui/record-names.ts';
import { Ago } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ArticleTags } from './article-tags.tsx';

export function ArticlePage({ id }: { id: string }) {
  const loaded = useArticle(id);
  if (loaded.data) return <LoadedArticle version={loaded.data} onChanged={loaded.reload} />;
  return <PendingPage title={`Article ${id}`} thing={`article ${id}`} loaded={loaded} />;
}

function LoadedArticle({ version, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { article } = version;
  return (
    <Stack>
      <Stack gap="xs">
        <Header variant="h1" actions={<Actions version={version} onChanged={onChanged} />}>
          <span className="wrapping">{article.title}</span>
        </Header>
        <ArticleTags article={article} />
      </Stack>
      {article.state === 'draft' && (
        <Alert type="info">This article is a draft. Viewers cannot see it until a manager publishes it.</Alert>
      )}
      <Container>
        <div className="article">
          <Markdown source={article.body} lines="joined" />
        </div>
      </Container>
      <Box muted small>
        {article.id} · by {article.created_by} · updated <Ago at={article.updated_at} />
      </Box>
    </Stack>
  );
}

/** Agents change drafts; managers also publish and delete. */
function Actions({ version: { article, etag }, onChanged }: { version: ArticleVersion; onChanged(): void }) {
  const { client } = useApi();
  const isManager = useHasRole('itsm_manager');
  const canEdit = useHasRole('itsm_agent') && (isManager || article.state === 'draft');
  const action = useAction();
  const [deleting, setDeleting] = useState(false);
  if (!canEdit) return null;
  const next = article.state === 'draft' ? 'published' : 'draft';
  const options = etag ? { ifMatch: etag } : {};
  const change = async () => {
    await client.updateArticle({ id: article.id }, { state: next }, options);
    onChanged();
  };
  const remove = () => client.deleteArticle({ id: article.id }, options);
  return (
    <Stack gap="xs">
      <Row>
        {isManager && (
          <Button
            variant={article.state === 'draft' ? 'primary' : 'normal'}
            loading={action.busy}
            onClick={() => action.run(change)}
          >
            {article.state === 'draft' ? 'Publish' : 'Unpublish'}
          </Button>
        )}
        <Button to={`${articlePath(article.id)}/edit`} icon="edit">
          Edit
        </Button>
        {isManager && <Button icon="remove" variant="normal" ariaLabel="Delete" onClick={() => setDeleting(true)} />}
      </Row>
      {action.problem !== undefined && <ProblemView problem={action.problem} onRetry={onChanged} />}
      {deleting && (
        <DeleteModal name={article.id} remove={remove} listTo={articleList} onClose={() => setDeleting(false)}>
          <Box>
            <strong className="wrapping">{article.title}</strong> is removed from lists, search results and AI answers.
            A record is retained for audit.
          </Box>
        </DeleteModal>
      )}
    </Stack>
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
