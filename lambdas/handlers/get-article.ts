import { routes } from '../../contract/routes.ts';
import { articleType, mayReadArticle } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(routes.getArticle, getRecord(deployedStore(), articleType, mayReadArticle));
