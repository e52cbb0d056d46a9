import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { RecordList } from '../../records/record-list.tsx';
import {
  type Article,
  articleList,
  articleListSpec,
  articlePath,
  articleWords,
  summarize,
} from '../../resources/article-words.ts';
import { Box, Stack } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { Ago } from '../../ui/text.tsx';
import { ArticleTags } from './article-tags.tsx';

export function ArticleListPage() {
  const { client } = useApi();
  const canReadDrafts = useHasRole('itsm_agent');
  return (
    <RecordList<Article>
      title="Knowledge"
      things="articles"
      words={articleWords}
      spec={articleListSpec}
      columns={[]}
      card={(article) => <ArticleCard article={article} />}
      load={(request, signal) => client.listArticles(request as object, { signal })}
      views={[
        { id: 'all', text: 'All', filters: {} },
        ...(canReadDrafts ? [{ id: 'drafts', text: 'Drafts', filters: { state: 'draft' } }] : []),
      ]}
      createTo={`${articleList}/new`}
      invitation="Create an article to share a known solution."
    />
  );
}

function ArticleCard({ article }: { article: Article }) {
  return (
    <Stack gap="xs">
      <span className="wrapping">
        <PageLink to={articlePath(article.id)} fontSize="heading-s">
          {article.title}
        </PageLink>
      </span>
      <span className="wrapping">{summarize(article.body)}</span>
      <ArticleTags article={article} />
      <Box muted small>
        {article.id} · updated <Ago at={article.updated_at} />
      </Box>
    </Stack>
  );
}
