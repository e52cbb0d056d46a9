import { knowledgeOperations } from '../../contract/knowledge.ts';
import { articleType, draftArticle } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deployedStore } from '../records/deployed-records.ts';

export const handler = route(
  knowledgeOperations.createArticle,
  createRecord('createArticle', deployedStore(), articleType, draftArticle),
);
