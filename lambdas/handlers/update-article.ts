import { knowledgeOperations } from '../../contract/knowledge.ts';
import { articleType, changedArticle } from '../knowledge/article.ts';
import { route } from '../platform/http/route.ts';
import { deployedChanger } from '../records/deployed-records.ts';
import { updateRecord } from '../records/update-record.ts';

export const handler = route(
  knowledgeOperations.updateArticle,
  updateRecord(deployedChanger(articleType), articleType, ({ document }, body, _caller, nowMs) => ({
    document: changedArticle(document, body, nowMs),
  })),
);
