import { aiOperations as operations } from '../../contract/ai.ts';
import { affectedItems } from '../ai/affected-items.ts';
import { analyzeRecord } from '../ai/analyze-record.ts';
import { askQuestion } from '../ai/ask-question.ts';
import { deployedAssistant } from '../ai/deployed-assistant.ts';
import { deployedQuery } from '../ai/deployed-query.ts';
import { findExemplars } from '../ai/find-exemplars.ts';
import { deployedModel } from '../ai/model/deployed-model.ts';
import { queryRecords } from '../ai/query-records.ts';
import { suggestFields } from '../ai/suggest-fields.ts';
import { deployedGraph } from '../cmdb/deployed-graph.ts';
import { route } from '../platform/http/route.ts';
import { sharedFunction } from '../platform/http/shared-function.ts';
import { deployedStore } from '../records/deployed-records.ts';

const assistant = deployedAssistant();
const converse = deployedModel();
const nameAffected = affectedItems(deployedGraph());
const analysis = analyzeRecord({ assistant, converse, store: deployedStore(), nameAffected });
const { nearest, read, cache } = assistant;

export const handler = sharedFunction([
  [operations.askQuestion, route(operations.askQuestion, askQuestion(assistant, converse))],
  [operations.analyzeRecord, route(operations.analyzeRecord, analysis)],
  [operations.findExemplars, route(operations.findExemplars, findExemplars(nearest, read, cache))],
  [operations.suggestFields, route(operations.suggestFields, suggestFields(nearest, cache))],
  [operations.queryRecords, route(operations.queryRecords, queryRecords(deployedQuery(assistant, converse)))],
]);
