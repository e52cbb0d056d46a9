import { articleStates } from '../../contract/knowledge.ts';
import type { routes } from '../../contract/routes.ts';
import { relevance } from '../lists/list-query.ts';
import type { ListSource } from '../lists/list-records.ts';
import { listResource } from '../lists/list-resource.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { mayReadDrafts, showArticle } from './article.ts';
import { articleListing } from './article-listing.ts';

/** Whoever may not read drafts lists published articles only, whatever they ask for. */
export function listArticles(source: ListSource): UseCase<typeof routes.listArticles> {
  const list = listResource(source, articleListing, { show: showArticle });
  return ({ query }, { caller }) => {
    const states = query.state ?? articleStates;
    const state = mayReadDrafts(caller) ? states : states.filter((each) => each === 'published');
    const sort = query.sort === relevance && query.q === undefined ? 'created_at' : query.sort;
    return list({ query: { ...query, state, sort } });
  };
}
