import { join } from 'node:path';
import { createDynamoRecordReader, type ReadRecords } from '../lists/record-store.ts';
import { createListSource } from '../lists/wiring.ts';
import { documentClient } from '../platform/clients/document.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { backoff } from '../platform/retry.ts';
import { type AnswerCache, createAnswerCache } from './cache/answer-cache.ts';
import { createCacheStore } from './cache/cache-store.ts';
import { createUsageStore, type UsageStore } from './cache/usage-store.ts';
import type { Embed } from './embedding/embedder.ts';
import { deployedEmbedder } from './embedding/embedder.ts';
import { preferKnownVectors, readKnownVectors } from './embedding/known-vectors.ts';
import { embedderName } from './embedding/model-files.ts';
import { passageFinder } from './knowledge/find-passages.ts';
import type { LiveIndex } from './knowledge/live-index.ts';
import { createLearnedIndex } from './knowledge/live-index.ts';
import type { Converse } from './model/model.ts';
import { conversationStore } from './query/conversation-store.ts';
import { queryTools } from './query/tools.ts';
import type { Copilot } from './query-records.ts';
import { createNearestFinder, type Nearest } from './suggestions/nearest-incidents.ts';

/** What the operations of the AI layer stand on inside Lambda; they share one function, and so one model in memory. */
export interface Assistant {
  embed: Embed;
  index: LiveIndex;
  nearest: Nearest;
  read: ReadRecords;
  cache: AnswerCache;
}

export function deployedAssistant(): Assistant & { usage: UsageStore } {
  const { AI_CACHE_TABLE } = env('AI_CACHE_TABLE');
  const { embed, learned, read } = deployedKnowledge();
  const { refresh: index, countLearned } = learned;
  const store = createCacheStore(dynamodbClient(), AI_CACHE_TABLE);
  const usage = createUsageStore(dynamodbClient(), AI_CACHE_TABLE);
  const cache = createAnswerCache({ store, embed, read, usage, countLearned, clock, log });
  return { embed, index, nearest: createNearestFinder(embed, index), read, cache, usage };
}

export function deployedKnowledge() {
  const { RECORDS_TABLE, LAMBDA_TASK_ROOT } = env('RECORDS_TABLE', 'LAMBDA_TASK_ROOT');
  const known = readKnownVectors(join(LAMBDA_TASK_ROOT, 'model/known-vectors.bin'), embedderName);
  const embed = preferKnownVectors(known, deployedEmbedder);
  const read = createDynamoRecordReader(dynamodbClient(), RECORDS_TABLE, backoff);
  return { embed, learned: createLearnedIndex(), read };
}

/** The copilot inside Lambda. */
export function deployedCopilot({ embed, index, nearest, read }: Assistant, converse: Converse): Copilot {
  const { AI_CACHE_TABLE } = env('AI_CACHE_TABLE');
  return {
    tools: queryTools({ list: createListSource, read, findPassages: passageFinder(embed, index, read), nearest }),
    conversations: conversationStore(documentClient(), AI_CACHE_TABLE, clock),
    converse,
  };
}
