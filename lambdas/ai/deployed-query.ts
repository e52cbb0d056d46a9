import { createListSource } from '../lists/wiring.ts';
import { dynamodbClient } from '../platform/clients/dynamodb.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { openIncidentIds } from '../records/index-store.ts';
import type { Assistant } from './deployed-assistant.ts';
import { passageFinder } from './knowledge/find-passages.ts';
import type { Converse } from './model/model.ts';
import { conversationStore } from './query/conversation-store.ts';
import { queryTools } from './query/tools.ts';
import type { QueryTools } from './query-records.ts';

/** What the copilot stands on inside Lambda. */
export function deployedQuery({ embed, index, read }: Assistant, converse: Converse): QueryTools {
  const { AI_CACHE_TABLE, RECORDS_TABLE } = env('AI_CACHE_TABLE', 'RECORDS_TABLE');
  const findPassages = passageFinder(embed, index, read);
  return {
    tools: queryTools({
      list: createListSource,
      read,
      findPassages,
      openIncidentIds: openIncidentIds(dynamodbClient(), RECORDS_TABLE),
    }),
    conversations: conversationStore(dynamodbClient(), AI_CACHE_TABLE, clock),
    converse,
  };
}
