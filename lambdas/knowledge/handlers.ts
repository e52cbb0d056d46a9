import { knowledgeOperations } from '../../contract/knowledge.ts';
import { createListSource } from '../lists/wiring.ts';
import { route } from '../platform/http/route.ts';
import { createRecord } from '../records/create-record.ts';
import { deleteRecord } from '../records/delete-record.ts';
import { getRecord } from '../records/get-record.ts';
import { listHistory } from '../records/list-history.ts';
import { updateRecord } from '../records/update-record.ts';
import { createChanger, createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { articleType, changedArticle, draftArticle, mayReadArticle } from './article.ts';
import { articleListing } from './article-listing.ts';
import { listArticles as listArticlesUseCase } from './list-articles.ts';

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
