import { knowledgeOperations } from '../../contract/knowledge.ts';
import { articleListing } from '../knowledge/article-listing.ts';
import { listArticles } from '../knowledge/list-articles.ts';
import { deployedList } from '../lists/deployed-list.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(knowledgeOperations.listArticles, listArticles(deployedList(articleListing)));
