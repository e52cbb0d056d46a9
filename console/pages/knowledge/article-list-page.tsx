import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Cards from '@cloudscape-design/components/cards';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useMemo } from 'react';
import { useApi } from '../../api.ts';
import { Ago } from '../../components/moment.tsx';
import { PageButton } from '../../components/page-button.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { changeQuery, currentQuery } from '../../location.ts';
import { loadWholePage } from '../../pages-of.ts';
import { useLoad } from '../../use-load.ts';
import { useMay } from '../../use-may.ts';
import { useStore } from '../../use-store.ts';
import { ArticleFilter } from './article-filter.tsx';
import { ArticleTags } from './article-tags.tsx';
import { type ArticleView, pageSize, queryOf, requestOf, viewOf } from './article-view.ts';
import { type Article, articleList, articlePath, summaryOf } from './article-words.ts';

export function ArticleListPage() {
  const { client } = useApi();
  const query = useStore(currentQuery);
  const view = useMemo(() => viewOf(query), [query]);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const page = await loadWholePage(requestOf(view), (some) => client.listArticles(some, { signal }));
      return { ...page, query };
    },
    [client, view, query],
  );
  const { data, problem, reload } = useLoad(load);
  const mayWrite = useMay('itsm_manager');
  const stale = data?.query !== query;
  const show = (change: Partial<ArticleView>) => changeQuery(queryOf({ ...view, page: 1, ...change }));
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Cards
        variant="full-page"
        items={data?.data ?? []}
        trackBy="id"
        cardsPerRow={[{ cards: 1 }, { minWidth: 900, cards: 2 }]}
        cardDefinition={{ header: title, sections: [{ id: 'about', content: (article) => about(article, show) }] }}
        loading={stale && !data && problem === undefined}
        loadingText="Loading articles"
        ariaLabels={{ cardsLabel: 'Articles', itemSelectionLabel: () => '', selectionGroupLabel: '' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description="Known solutions and how-to guides."
            actions={
              mayWrite && (
                <PageButton to={`${articleList}/new`} variant="primary">
                  Create article
                </PageButton>
              )
            }
          >
            Knowledge
          </Header>
        }
        filter={<ArticleFilter view={view} onChange={show} />}
        pagination={
          <Pagination
            currentPageIndex={view.page}
            pagesCount={Math.max(view.page, Math.ceil((data?.total ?? 0) / pageSize))}
            ariaLabels={{ previousPageLabel: 'Previous page', nextPageLabel: 'Next page' }}
            onChange={({ detail }) => show({ page: detail.currentPageIndex })}
          />
        }
        empty={<Nothing isFiltered={queryOf(view) !== ''} />}
      />
    </SpaceBetween>
  );
}

function title({ id, title: text }: Article) {
  return (
    <span className="wrapping">
      <PageLink to={articlePath(id)} fontSize="heading-s">
        {text}
      </PageLink>
    </span>
  );
}

function about(article: Article, show: (change: Partial<ArticleView>) => void) {
  return (
    <SpaceBetween size="xs">
      <span className="wrapping">{summaryOf(article.body)}</span>
      <ArticleTags article={article} onCategory={(category) => show({ category })} onTag={(tags) => show({ tags })} />
      <Box color="text-body-secondary" fontSize="body-s">
        {article.id} · updated <Ago at={article.updated_at} />
      </Box>
    </SpaceBetween>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Box textAlign="center" padding={{ vertical: 'l' }}>
      <SpaceBetween size="s">
        <Box variant="strong">{isFiltered ? 'No matches' : 'No articles'}</Box>
        <Box color="text-body-secondary">
          {isFiltered ? 'No articles match your search.' : 'Create an article to share a known solution.'}
        </Box>
        {isFiltered && <Button onClick={() => changeQuery('')}>Clear filters</Button>}
      </SpaceBetween>
    </Box>
  );
}
