import { knowledgeOperations } from '../../contract/knowledge.ts';
import { articleType, mayReadArticle } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { deployedStore } from '../records/deployed-records.ts';
import { getRecord } from '../records/get-record.ts';

export const handler = route(knowledgeOperations.getArticle, getRecord(deployedStore(), articleType, mayReadArticle));
