import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import type { Article } from './article-words.ts';

interface ArticleTagsProps {
  article: Article;
  onCategory(category: string): void;
  onTag(tag: string): void;
}

/** What an article is about; each of them leads to the others of its kind. */
export function ArticleTags({ article: { category, tags, state }, onCategory, onTag }: ArticleTagsProps) {
  return (
    <div className="facts-line">
      {state === 'draft' && <Badge color="severity-medium">Draft</Badge>}
      {category !== null && (
        <Button variant="inline-link" onClick={() => onCategory(category)}>
          {category}
        </Button>
      )}
      {tags.map((tag) => (
        <Button key={tag} variant="inline-link" ariaLabel={`Show articles tagged ${tag}`} onClick={() => onTag(tag)}>
          #{tag}
        </Button>
      ))}
    </div>
  );
}
