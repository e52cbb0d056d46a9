import { knowledgeOperations } from '../../contract/knowledge.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord, deleteRecord, getRecord, listHistory, updateRecord } from '../records/record-operations.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import {
  applyArticlePatch,
  articleListing,
  articleType,
  canReadArticle,
  listArticles as listArticlesUseCase,
  newArticle,
} from './article.ts';

export const listArticles = () =>
  route(knowledgeOperations.listArticles, listArticlesUseCase(createListSource(articleListing)));

export const createArticle = () =>
  route(knowledgeOperations.createArticle, createRecord('createArticle', createRecordStore(), articleType, newArticle));

export const getArticle = () =>
  route(knowledgeOperations.getArticle, getRecord(createRecordStore(), articleType, canReadArticle));

export const updateArticle = () =>
  route(
    knowledgeOperations.updateArticle,
    updateRecord(createChanger(articleType), articleType, ({ document }, body, _caller, nowMs) => ({
      document: applyArticlePatch(document, body, nowMs),
    })),
  );

export const deleteArticle = () => route(knowledgeOperations.deleteArticle, deleteRecord(createChanger(articleType)));

export const listArticleHistory = () =>
  route(knowledgeOperations.listArticleHistory, listHistory(createRecordStore(), articleType, createCursorSeal()));
