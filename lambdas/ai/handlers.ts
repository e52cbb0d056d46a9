import { join } from 'node:path';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { aiOperations as operations } from '../../contract/ai.ts';
import { createCiGraphReader } from '../cmdb/ci-graph.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { createRecordReader } from '../lists/record-store.ts';
import { createListSource } from '../lists/wiring.ts';
import { documentClient } from '../platform/clients/document.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { createDeadLetterQueue, sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route, routeByResource } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { memoize } from '../platform/memoize.ts';
import { createRecordStore } from '../records/wiring.ts';
import { analyzeRecord } from './analyze-record.ts';
import { askQuestion } from './ask-question.ts';
import type { Assistant } from './assistant.ts';
import { createAnswerCache } from './cache/answer-cache.ts';
import { createCacheStore } from './cache/cache-store.ts';
import { createUsageStore } from './cache/usage-store.ts';
import { createDeployedEmbedder } from './embedding/embedder.ts';
import { preferKnownVectors, readKnownVectors } from './embedding/known-vectors.ts';
import { embedderName } from './embedding/model-files.ts';
import { createAffectedItemFinder } from './evidence.ts';
import { findExemplars } from './find-exemplars.ts';
import { getAiStatistics } from './get-ai-statistics.ts';
import { createPassageFinder } from './knowledge/find-passages.ts';
import { createMemoryEngine } from './knowledge/learned-engine.ts';
import { createLearnedSearch } from './knowledge/learned-search.ts';
import { createLearnedIndex, type DeployedIndex, type LiveIndex } from './knowledge/live-index.ts';
import { learnFromRecords as learn, relearnRecords } from './learning/learn-from-records.ts';
import { createLearnedStore } from './learning/learned-store.ts';
import { createDeployedModel } from './model/bedrock-model.ts';
import { conversationStore } from './query/conversation-store.ts';
import { queryTools } from './query/tools.ts';
import { queryRecords } from './query-records.ts';
import { suggestFields } from './suggest-fields.ts';
import { createNearestFinder, createResolutionFinder } from './suggestions/nearest-incidents.ts';

/** All AI operations share one function, so that the model is in memory once. */
export const assist = () => {
  const { AI_CACHE_TABLE } = env('AI_CACHE_TABLE');
  const { embed, read } = createKnowledge();
  const { engine, countLearned } = createEngine(({ refresh }) => refresh);
  const usage = createUsageStore(dynamodbClient(), AI_CACHE_TABLE);
  const store = createCacheStore(dynamodbClient(), AI_CACHE_TABLE);
  const cache = createAnswerCache({ store, embed, read, usage, countLearned, clock, log });
  const nearest = createNearestFinder(embed, engine);
  const assistant: Assistant = { embed, engine, nearest, read, cache };
  const converse = createDeployedModel();
  const findAffected = createAffectedItemFinder(createCiGraphReader());
  const findPassages = createPassageFinder(embed, engine, read);
  const tools = queryTools({ list: createListSource, read, findPassages, nearest });
  const conversations = conversationStore(documentClient(), AI_CACHE_TABLE, clock);
  const analyze = analyzeRecord({ assistant, converse, store: createRecordStore(), findAffected });
  return routeByResource([
    [operations.askQuestion, route(operations.askQuestion, askQuestion(assistant, converse))],
    [operations.analyzeRecord, route(operations.analyzeRecord, analyze)],
    [operations.findExemplars, route(operations.findExemplars, findExemplars(assistant))],
    [operations.suggestFields, route(operations.suggestFields, suggestFields(assistant))],
    [operations.queryRecords, route(operations.queryRecords, queryRecords({ tools, conversations, converse }))],
    [operations.getAiStatistics, route(operations.getAiStatistics, getAiStatistics(usage))],
  ]);
};

export const learnFromRecords = () => {
  const { embed, read } = createKnowledge();
  const { engine } = createEngine(({ refreshRarely }) => refreshRarely);
  const nearest = createNearestFinder(embed, engine);
  const learned = createLearnedStore(createRecordStore());
  const { RECORDS_TABLE, DEAD_LETTER_QUEUE_URL } = env('RECORDS_TABLE', 'DEAD_LETTER_QUEUE_URL');
  const sendToDeadLetterQueue = createDeadLetterQueue(sqsClient(), DEAD_LETTER_QUEUE_URL);
  const findResolution = createResolutionFinder(nearest, read);
  const tools = { embed, learned, findResolution, sendToDeadLetterQueue, clock, log };
  const createFeed = (type: string) => createFeedStore(dynamodbClient(), RECORDS_TABLE, type);
  const feeds = { incident: createFeed('incident'), article: createFeed('article') };
  // The schedule invokes the same function, so that the model is in memory once.
  return (event: Partial<DynamoDBStreamEvent>) =>
    event.Records ? learn({ Records: event.Records }, tools) : relearnRecords({ ...tools, feeds, read });
};

function createKnowledge() {
  const known = readKnownVectors(
    join(env('LAMBDA_TASK_ROOT').LAMBDA_TASK_ROOT, 'model/known-vectors.bin'),
    embedderName,
  );
  return {
    embed: preferKnownVectors(known, createDeployedEmbedder),
    read: createRecordReader(),
  };
}

/** OpenSearch, if it is configured, or the memory of this function. */
function createEngine(selectIndex: (index: DeployedIndex) => LiveIndex) {
  const client = createSearchClient();
  if (client) {
    const engine = createLearnedSearch(client);
    const count = memoize(engine.countLearned, countTtlMs);
    return { engine, countLearned: () => count('') };
  }
  const index = createLearnedIndex();
  return { engine: createMemoryEngine(selectIndex(index)), countLearned: index.countLearned };
}

const countTtlMs = 2_000;
