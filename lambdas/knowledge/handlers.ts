import { type ArticlePatch, knowledgeOperations } from '../../contract/knowledge.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import {
  applyArticlePatch,
  articleListing,
  articleType,
  assertMayWrite,
  canReadArticle,
  listArticles as listArticlesUseCase,
  newArticle,
} from './article.ts';

export const listArticles = () =>
  route(knowledgeOperations.listArticles, listArticlesUseCase(createListSource(articleListing)));

export const createArticle = () => {
  const create = createRecord('createArticle', createRecordStore(), articleType, newArticle);
  return route(knowledgeOperations.createArticle, async (input, context) => {
    assertMayWrite([input.body.state], context.caller);
    return create(input, context);
  });
};

export const getArticle = () =>
  route(knowledgeOperations.getArticle, getRecord(createRecordStore(), articleType, canReadArticle));

export const updateArticle = () =>
  route(
    knowledgeOperations.updateArticle,
    updateRecord(createChanger(articleType), articleType, ({ document: before }, body: ArticlePatch, caller, nowMs) => {
      const document = applyArticlePatch(before, body, nowMs);
      assertMayWrite([before.state, document.state], caller);
      return { document };
    }),
  );

export const deleteArticle = () => route(knowledgeOperations.deleteArticle, deleteRecord(createChanger(articleType)));

export const listArticleHistory = () =>
  route(knowledgeOperations.listArticleHistory, listHistory(createRecordStore(), articleType, createCursorSeal()));
