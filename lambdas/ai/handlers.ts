import type { DynamoDBStreamEvent } from 'aws-lambda';
import { aiOperations as operations } from '../../contract/ai.ts';
import { createCiGraphReader } from '../cmdb/ci-graph.ts';
import { createFeedStore, type FeedStore } from '../lists/feed-store.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route, routeByPath } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { createRecordStore } from '../records/wiring.ts';
import { analyzeRecord } from './analyze-record.ts';
import { askQuestion } from './ask-question.ts';
import { deployedAssistant, deployedCopilot, deployedKnowledge } from './deployed-assistant.ts';
import { affectedItems } from './evidence.ts';
import { findExemplars } from './find-exemplars.ts';
import { getAiStatistics } from './get-ai-statistics.ts';
import { learnFromRecords as learn, relearnRecords } from './learning/learn-from-records.ts';
import { createLearnedStore } from './learning/learned-store.ts';
import { deployedModel } from './model/bedrock-model.ts';
import { queryRecords } from './query-records.ts';
import { suggestFields } from './suggest-fields.ts';
import { createNearestFinder, createResolutionFinder } from './suggestions/nearest-incidents.ts';

/** All AI operations share one function, and so one model in memory. */
export const assist = () => {
  const assistant = deployedAssistant();
  const converse = deployedModel();
  const nameAffected = affectedItems(createCiGraphReader());
  const analysis = analyzeRecord({ assistant, converse, store: createRecordStore(), nameAffected });
  const { nearest, read, cache, usage } = assistant;
  return routeByPath([
    [operations.askQuestion, route(operations.askQuestion, askQuestion(assistant, converse))],
    [operations.analyzeRecord, route(operations.analyzeRecord, analysis)],
    [operations.findExemplars, route(operations.findExemplars, findExemplars(nearest, read, cache))],
    [operations.suggestFields, route(operations.suggestFields, suggestFields(nearest, cache))],
    [operations.queryRecords, route(operations.queryRecords, queryRecords(deployedCopilot(assistant, converse)))],
    [operations.getAiStatistics, route(operations.getAiStatistics, getAiStatistics(usage))],
  ]);
};

export const learnFromRecords = () => {
  const { embed, learned: index, read } = deployedKnowledge();
  const nearest = createNearestFinder(embed, index.refreshRarely);
  const learned = createLearnedStore(createRecordStore());
  const tools = { embed, learned, findResolution: createResolutionFinder(nearest, read), clock, log };
  const feeds = { incident: createRecordFeed('incident'), article: createRecordFeed('article') };
  // The schedule invokes the same function, so that the model is in memory once.
  return (event: Partial<DynamoDBStreamEvent>) =>
    event.Records ? learn({ Records: event.Records }, tools) : relearnRecords({ ...tools, feeds, read });
};

function createRecordFeed(type: string): FeedStore {
  return createFeedStore(dynamodbClient(), env('RECORDS_TABLE').RECORDS_TABLE, type);
}
