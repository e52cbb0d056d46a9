import { aiOperations } from '../../contract/ai.ts';
import { analyzeRecord } from '../ai/analyze-record.ts';
import { askQuestion } from '../ai/ask-question.ts';
import { deployedAssistant } from '../ai/deployed-assistant.ts';
import { deployedQuery } from '../ai/deployed-query.ts';
import { findExemplars } from '../ai/find-exemplars.ts';
import { deployedModel } from '../ai/model/deployed-model.ts';
import { queryRecords } from '../ai/query-records.ts';
import { suggestFields } from '../ai/suggest-fields.ts';
import { route } from '../platform/http/route.ts';
import { sharedFunction } from '../platform/http/shared-function.ts';
import { deployedStore } from '../records/deployed-records.ts';

const assistant = deployedAssistant();
const converse = deployedModel();
const { nearest, read, cache } = assistant;

export const handler = sharedFunction([
  [aiOperations.askQuestion, route(aiOperations.askQuestion, askQuestion(assistant, converse))],
  [
    aiOperations.analyzeRecord,
    route(aiOperations.analyzeRecord, analyzeRecord({ assistant, converse, store: deployedStore() })),
  ],
  [aiOperations.findExemplars, route(aiOperations.findExemplars, findExemplars(nearest, read, cache))],
  [aiOperations.suggestFields, route(aiOperations.suggestFields, suggestFields(nearest, cache))],
  [aiOperations.queryRecords, route(aiOperations.queryRecords, queryRecords(deployedQuery(assistant, converse)))],
]);
