import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { type Loaded, useLoad } from '../../use-load.ts';
import type { Article } from './article-words.ts';

/** An article with what a change of it must name. */
export interface ArticleVersion {
  article: Article;
  etag: string | undefined;
}

export function useArticle(id: string): Loaded<ArticleVersion> {
  const { client } = useApi();
  const load = useCallback(
    async (signal: AbortSignal) => {
      const answer = await client.getArticle.withResponse({ id }, { signal });
      return { article: answer.data as Article, etag: answer.etag };
    },
    [client, id],
  );
  return useLoad(load);
}
