import { knowledgeOperations } from '../../contract/knowledge.ts';
import { route } from '../platform/http/route.ts';
import { deployedSeal, deployedStore } from '../records/deployed-records.ts';
import { listHistory } from '../records/list-history.ts';

export const handler = route(knowledgeOperations.listArticleHistory, listHistory(deployedStore(), deployedSeal()));
