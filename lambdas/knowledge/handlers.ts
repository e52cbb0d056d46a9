import { knowledgeOperations } from '../../contract/knowledge.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import {
  articleListing,
  articleType,
  changedArticle,
  draftArticle,
  listArticles as listArticlesUseCase,
  mayReadArticle,
} from './article.ts';

export const listArticles = () =>
  route(knowledgeOperations.listArticles, listArticlesUseCase(createListSource(articleListing)));

export const createArticle = () =>
  route(
    knowledgeOperations.createArticle,
    createRecord('createArticle', createRecordStore(), articleType, draftArticle),
  );

export const getArticle = () =>
  route(knowledgeOperations.getArticle, getRecord(createRecordStore(), articleType, mayReadArticle));

export const updateArticle = () =>
  route(
    knowledgeOperations.updateArticle,
    updateRecord(createChanger(articleType), articleType, ({ document }, body, _caller, nowMs) => ({
      document: changedArticle(document, body, nowMs),
    })),
  );

export const deleteArticle = () => route(knowledgeOperations.deleteArticle, deleteRecord(createChanger(articleType)));

export const listArticleHistory = () =>
  route(knowledgeOperations.listArticleHistory, listHistory(createRecordStore(), createCursorSeal()));
