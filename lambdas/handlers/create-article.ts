import { routes } from '../../contract/routes.ts';
import { articleType, draftArticle } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  routes.createArticle,
  createRecord('createArticle', deployedStore(), articleType, draftArticle),
);
