import { createListSource } from '../lists/wiring.ts';
import { documentClient } from '../platform/clients/document.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import type { Assistant } from './deployed-assistant.ts';
import { passageFinder } from './knowledge/find-passages.ts';
import type { Converse } from './model/model.ts';
import { conversationStore } from './query/conversation-store.ts';
import { queryTools } from './query/tools.ts';
import type { Copilot } from './query-records.ts';

/** What the copilot stands on inside Lambda. */
export function deployedQuery({ embed, index, read }: Assistant, converse: Converse): Copilot {
  const { AI_CACHE_TABLE } = env('AI_CACHE_TABLE');
  return {
    tools: queryTools({ list: createListSource, read, findPassages: passageFinder(embed, index, read) }),
    conversations: conversationStore(documentClient(), AI_CACHE_TABLE, clock),
    converse,
  };
}
