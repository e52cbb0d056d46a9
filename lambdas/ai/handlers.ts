import { join } from 'node:path';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { aiOperations as operations } from '../../contract/ai.ts';
import { createFiles } from '../attachments/file-store.ts';
import { createCiGraphReader } from '../cmdb/ci-graph.ts';
import { incidentListing } from '../incidents/incident-listing.ts';
import { createFeedStore } from '../lists/feed-store.ts';
import { createRecordReader, type ReadRecords } from '../lists/record-store.ts';
import { createListSource } from '../lists/wiring.ts';
import { getAllGroupPaging } from '../oncall/policies/group-paging.ts';
import type { PolicyDocument } from '../oncall/policies/policy.ts';
import { getOnCall } from '../oncall/schedules/read-shifts.ts';
import type { ScheduleDocument } from '../oncall/schedules/schedule.ts';
import { scheduleListing } from '../oncall/schedules/schedule-listing.ts';
import { documentClient } from '../platform/clients/document.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { createSearchClient } from '../platform/clients/opensearch.ts';
import { createDeadLetterQueue, sqsClient } from '../platform/clients/sqs.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route, routeByResource } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { memoize } from '../platform/memoize.ts';
import { problemListing } from '../problems/problem.ts';
import { findUnusedFile } from '../records/attachment-items.ts';
import { createCursorSeal, createRecordStore } from '../records/wiring.ts';
import { createDeliveryStore } from '../webhooks/outbound/delivery-store.ts';
import { createOutboundWebhookList } from '../webhooks/outbound/webhook-list.ts';
import { analyzeRecord } from './analyze-record.ts';
import { askQuestion } from './ask-question.ts';
import type { Assistant } from './assistant.ts';
import { createAnswerCache } from './cache/answer-cache.ts';
import { createCacheStore } from './cache/cache-store.ts';
import { createUsageStore } from './cache/usage-store.ts';
import { createDeployedEncoder, type Encoder } from './embedding/embedder.ts';
import { preferKnownVectors, readKnownVectors } from './embedding/known-vectors.ts';
import { embedderName } from './embedding/model-files.ts';
import { createAffectedItemFinder } from './evidence.ts';
import { findExemplars } from './find-exemplars.ts';
import { getAiStatistics } from './get-ai-statistics.ts';
import { createPassageFinder } from './knowledge/find-passages.ts';
import { createKnownErrorFinder, getKnownErrors } from './knowledge/known-errors.ts';
import { createMemoryEngine } from './knowledge/learned-engine.ts';
import { createLearnedSearch } from './knowledge/learned-search.ts';
import { createLearnedIndex, type DeployedIndex, type LiveIndex } from './knowledge/live-index.ts';
import { learnFromRecords as learn, relearnRecords } from './learning/learn-from-records.ts';
import { createLearnedStore } from './learning/learned-store.ts';
import { createDeployedModel } from './model/bedrock-model.ts';
import { createReasonWriter } from './model/write-reasons.ts';
import { findProblemCandidates } from './problem-candidates.ts';
import { conversationStore } from './query/conversation-store.ts';
import type { OnCallSources } from './query/record-tools.ts';
import { queryTools } from './query/tools.ts';
import { queryRecords } from './query-records.ts';
import { suggestFields } from './suggest-fields.ts';
import { createNearestFinder, createResolutionFinder } from './suggestions/nearest-incidents.ts';

/** All AI operations share one function, so that the model is in memory once. */
export const assist = () => {
  const { AI_CACHE_TABLE } = env('AI_CACHE_TABLE');
  const { read, ...encoder } = createKnowledge();
  const { embed } = encoder;
  const { engine, ...learned } = createEngine(({ refresh }) => refresh);
  const usage = createUsageStore(dynamodbClient(), AI_CACHE_TABLE);
  const store = createCacheStore(dynamodbClient(), AI_CACHE_TABLE);
  const cache = createAnswerCache({ ...encoder, store, read, usage, ...learned, clock, log });
  const nearest = createNearestFinder(embed, engine);
  const converse = createDeployedModel();
  const writeReasons = createReasonWriter(converse, clock, log);
  const assistant: Assistant = { ...encoder, engine, nearest, read, cache, writeReasons };
  const recordStore = createRecordStore();
  const findKnownErrors = createKnownErrorFinder({
    problems: createListSource(problemListing),
    store: recordStore,
    embed,
    engine,
    read,
  });
  const findAffected = createAffectedItemFinder(createCiGraphReader());
  const findPassages = createPassageFinder(encoder, engine, read);
  const tools = queryTools({
    list: createListSource,
    store: recordStore,
    seal: createCursorSeal(),
    findPassages,
    nearest,
    onCall: createOnCallSources(read),
    webhooks: { list: createOutboundWebhookList(recordStore), deliveries: createDeliveryStore() },
  });
  const conversations = conversationStore(documentClient(), AI_CACHE_TABLE, clock);
  const analyze = analyzeRecord({ assistant, converse, store: recordStore, findAffected, findKnownErrors });
  const findCandidates = findProblemCandidates({ incidents: createListSource(incidentListing), store: recordStore });
  return routeByResource([
    [operations.askQuestion, route(operations.askQuestion, askQuestion(assistant, converse, findKnownErrors))],
    [operations.analyzeRecord, route(operations.analyzeRecord, analyze)],
    [operations.findExemplars, route(operations.findExemplars, findExemplars(assistant))],
    [operations.suggestFields, route(operations.suggestFields, suggestFields(assistant))],
    [operations.queryRecords, route(operations.queryRecords, queryRecords({ tools, conversations, converse }))],
    [operations.getKnownErrors, route(operations.getKnownErrors, getKnownErrors(findKnownErrors, recordStore))],
    [operations.findProblemCandidates, route(operations.findProblemCandidates, findCandidates)],
    [operations.getAiStatistics, route(operations.getAiStatistics, getAiStatistics(usage))],
  ]);
};

/** A group pages the schedules in the steps of its escalation policy. */
function createOnCallSources(read: ReadRecords): OnCallSources {
  const { RECORDS_TABLE } = env('RECORDS_TABLE');
  const store = createRecordStore();
  return {
    find: getOnCall(createFeedStore(dynamodbClient(), RECORDS_TABLE, scheduleListing.type), read),
    async listGroups() {
      const { body } = await getAllGroupPaging(store)({} as never, {} as never);
      const policies = await read<PolicyDocument>([
        ...new Set(body.groups.flatMap(({ escalation_policy_id: id }) => id ?? [])),
      ]);
      const ids = policies.flatMap(({ record }) => listSchedules(record.document));
      const schedules = await read<ScheduleDocument>([...new Set(ids)]);
      const names = new Map(schedules.map(({ record }) => [record.id, record.document.name]));
      return body.groups.map(({ group, escalation_policy_id: id }) => {
        const policy = policies.find(({ record }) => record.id === id)?.record.document;
        // The first step is the person on call.
        const [first] = policy ? listSchedules(policy) : [];
        return { group, schedules: first ? [names.get(first) ?? ''] : [] };
      });
    },
  };
}

function listSchedules({ steps }: PolicyDocument): string[] {
  return steps.flatMap(({ targets }) => targets.flatMap(({ type, id }) => (type === 'schedule' ? id : [])));
}

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
  const feeds = { incident: createFeed('incident'), article: createFeed('article'), problem: createFeed('problem') };
  const { deleteFile } = createFiles();
  // The schedule invokes the same function, so that the model is in memory once.
  return async ({ Records }: Partial<DynamoDBStreamEvent>) => {
    if (!Records) return relearnRecords({ ...tools, feeds, read });
    await Promise.all(Records.flatMap(findUnusedFile).map(deleteFile));
    return learn({ Records }, tools);
  };
};

function createKnowledge() {
  let encoder: Encoder | undefined;
  const getEncoder = () => {
    encoder ??= createDeployedEncoder();
    return encoder;
  };
  const known = readKnownVectors(
    join(env('LAMBDA_TASK_ROOT').LAMBDA_TASK_ROOT, 'model/known-vectors.bin'),
    embedderName,
  );
  return {
    embed: preferKnownVectors(known, () => getEncoder().embed),
    compare: (one: string, other: string) => getEncoder().compare(one, other),
    read: createRecordReader(),
  };
}

/** OpenSearch, if it is configured, or the memory of this function. */
function createEngine(selectIndex: (index: DeployedIndex) => LiveIndex) {
  const client = createSearchClient();
  if (client) {
    const engine = createLearnedSearch(client);
    const count = memoize(engine.countLearned, countTtlMs);
    return { engine, countLearned: () => count(''), getLastLearnedMs: () => 0 };
  }
  const index = createLearnedIndex();
  const { countLearned, getLastLearnedMs } = index;
  return { engine: createMemoryEngine(selectIndex(index)), countLearned, getLastLearnedMs };
}

const countTtlMs = 2_000;
