import { knowledgeOperations } from '../../contract/knowledge.ts';
import { articleType } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { deployedChanger } from '../records/deployed-records.ts';

export const handler = route(knowledgeOperations.deleteArticle, deleteRecord(deployedChanger(articleType)));
