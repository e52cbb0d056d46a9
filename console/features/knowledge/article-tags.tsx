import { type Article, articleList } from '../../resources/article-words.ts';
import { Badge } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';

/** The category and tags of an article, each a link to similar articles. */
export function ArticleTags({ article: { category, tags, state } }: { article: Article }) {
  const toList = (filter: Record<string, string>) => `${articleList}?${new URLSearchParams(filter)}`;
  return (
    <div className="facts-line">
      {state === 'draft' && <Badge tone="orange">Draft</Badge>}
      {category !== null && <PageLink to={toList({ category })}>{category}</PageLink>}
      {tags.map((tag) => (
        <PageLink key={tag} to={toList({ tags: tag })}>
          #{tag}
        </PageLink>
      ))}
    </div>
  );
}
