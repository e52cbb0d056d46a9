import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Cards from '@cloudscape-design/components/cards';
import Header from '@cloudscape-design/components/header';
import Pagination from '@cloudscape-design/components/pagination';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import TokenGroup from '@cloudscape-design/components/token-group';
import { useMemo } from 'react';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { loadWholePage } from '../../base/paging.ts';
import { changeQuery, useQueryString } from '../../base/router.ts';
import { useLoad } from '../../base/use-load.ts';
import {
  type Article,
  type ArticleView,
  articleList,
  articlePath,
  pageSize,
  parseView,
  stateNames,
  summarize,
  toQuery,
  toRequest,
} from '../../resources/article-words.ts';
import { SearchInput } from '../../ui/forms.tsx';
import { PageButton, PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago } from '../../ui/text.tsx';
import { ArticleTags } from './article-page.tsx';

export function ArticleListPage() {
  const { client } = useApi();
  const query = useQueryString();
  const view = useMemo(() => parseView(query), [query]);
  const { data, problem, reload } = useLoad(
    ['articles', view],
    (signal) => loadWholePage(toRequest(view), (some) => client.listArticles(some, { signal })),
    { keepPrevious: true },
  );
  const canWrite = useHasRole('itsm_manager');
  const show = (change: Partial<ArticleView>) => changeQuery(toQuery({ ...view, page: 1, ...change }));
  return (
    <SpaceBetween size="m">
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <Cards
        variant="full-page"
        items={data?.data ?? []}
        trackBy="id"
        cardsPerRow={[{ cards: 1 }, { minWidth: 900, cards: 2 }]}
        cardDefinition={{ header: title, sections: [{ id: 'about', content: (article) => about(article, show) }] }}
        loading={!data && problem === undefined}
        loadingText="Loading articles"
        ariaLabels={{ cardsLabel: 'Articles', itemSelectionLabel: () => '', selectionGroupLabel: '' }}
        header={
          <Header
            variant="awsui-h1-sticky"
            {...(data ? { counter: `(${data.total})` } : {})}
            description="Known solutions and how-to guides."
            actions={
              canWrite && (
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
        empty={<Nothing isFiltered={toQuery(view) !== ''} />}
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
      <span className="wrapping">{summarize(article.body)}</span>
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

interface ArticleFilterProps {
  view: ArticleView;
  onChange(change: Partial<ArticleView>): void;
}

export function ArticleFilter({ view, onChange }: ArticleFilterProps) {
  const canReadDrafts = useHasRole('itsm_manager');
  return (
    <div className="article-filter">
      <SearchInput
        value={view.q}
        label="Search articles"
        placeholder="Search by symptom, error code or product"
        onChange={(q) => onChange({ q })}
      />
      {canReadDrafts && (
        <Select
          ariaLabel="State"
          selectedOption={stateOptions.find(({ value }) => value === view.state) ?? null}
          options={stateOptions}
          onChange={({ detail }) => onChange({ state: detail.selectedOption.value as ArticleView['state'] })}
        />
      )}
      <Chosen view={view} onChange={onChange} />
    </div>
  );
}

const stateOptions = [
  { value: '', label: 'All states' },
  ...(Object.keys(stateNames) as Article['state'][]).map((value) => ({ value, label: stateNames[value] })),
];

/** The category and tag filters, which the user sets on an article and removes here. */
function Chosen({ view, onChange }: ArticleFilterProps) {
  const chosen = [
    ...(view.category ? [{ label: `Category: ${view.category}`, clear: { category: '' } }] : []),
    ...(view.tags ? [{ label: `Tag: ${view.tags}`, clear: { tags: '' } }] : []),
  ];
  if (chosen.length === 0) return null;
  return (
    <TokenGroup
      items={chosen.map(({ label }) => ({ label, dismissLabel: `Remove ${label}` }))}
      onDismiss={({ detail }) => onChange(chosen[detail.itemIndex]?.clear ?? {})}
    />
  );
}
