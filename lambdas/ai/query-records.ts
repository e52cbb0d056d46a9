import { findIdKind } from '../../contract/ids.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { startStopwatch, toResponseMetadata } from './assistant.ts';
import { toArticleTitle } from './knowledge/find-passages.ts';
import { type Converse, type ModelUsage, runToolLoop, startDeadline } from './model/language-model.ts';
import { buildQueryPrompt } from './prompts/prompts.ts';
import type { Conversations } from './query/conversation-store.ts';
import type { QueryTools } from './query/tools.ts';

export interface Copilot {
  tools: QueryTools;
  conversations: Conversations;
  converse: Converse;
}

/**
 * The copilot: a model with read-only tools. The response lists the tools that it used and the records that they found. The
 * same question of a caller in the same state of the conversation and of the records has the same answer for a minute.
 */
export function queryRecords({ tools, conversations, converse }: Copilot): UseCase<typeof routes.queryRecords> {
  return async ({ body }, { caller, clock }) => {
    const elapsedMs = startStopwatch();
    const query = body.query ?? body.question ?? '';
    const conversationId = body.conversation_id ?? newId('conversation');
    const earlier = body.conversation_id ? await conversations.read(caller.id, body.conversation_id) : [];
    if (!earlier) throw new ServiceError('not_found', `${conversationId} does not exist.`);
    const state = [caller.id, caller.roles, body.model, query, earlier, await tools.findVersion()];
    const known = await conversations.findAnswer(state);
    const { modelUsed, tokensUsed, ...found } = (known?.answer as Answered | undefined) ?? (await answer());
    // Articles are learned after they change, and their answers have a cache of their own.
    const isCacheable = !known && found.tools_used.every(({ name }) => name !== 'search_knowledge');
    await Promise.all([
      conversations.write(caller.id, conversationId, [...earlier, { query, answer: found.answer }]),
      isCacheable && conversations.writeAnswer(state, { ...found, modelUsed, tokensUsed }),
    ]);
    const match = known && { matched: query, similarity: 1, age_seconds: known.ageSeconds };
    const metadata = toResponseMetadata({ modelUsed, tokensUsed }, elapsedMs(), match);
    return { status: 200, body: { ...found, conversation_id: conversationId, ...metadata } };

    async function answer(): Promise<Answered> {
      const nowMs = clock.now();
      const request = { model: body.model, ...buildQueryPrompt(query, nowMs, earlier) };
      const callerTools = await tools.list(caller, nowMs);
      const { text, runs, ...usage } = await runToolLoop(converse, request, callerTools, startDeadline());
      const outputs = runs.flatMap(({ output, failed }) => (failed ? [] : [output as Output]));
      const answer = text.trim() || 'Nothing was found.';
      return {
        answer,
        citations: toCitations(outputs),
        records: listRecords(outputs, answer),
        // The lists and figures of the API with the same results.
        lists: [...new Set(outputs.flatMap(({ list }) => list ?? []))].slice(-maxLists),
        tools_used: runs.map(({ name, input }) => ({ name, input: input as Record<string, unknown> })),
        ...usage,
      };
    }
  };
}

interface Answered extends ModelUsage {
  answer: string;
  citations: ReturnType<typeof toCitations>;
  records: ReturnType<typeof listRecords>;
  lists: string[];
  tools_used: { name: string; input: Record<string, unknown> }[];
}

const maxLists = 4;
const maxRecords = 20;

type RecordFields = Readonly<Record<string, unknown>>;

/** The output of any tool. That of `get_record` has the fields of the record. */
interface Output extends RecordFields {
  list?: string;
  records?: readonly RecordFields[];
  /** Best first. */
  passages?: readonly { id: string; title: string; relevance: number }[];
}

/** The found records that the answer names, or all of them if it names none. */
function listRecords(outputs: readonly Output[], answer: string) {
  const found = new Map<string, { type: string; id: string; title: string }>();
  for (const fields of outputs.flatMap((output) => [...(output.records ?? []), output])) {
    const { id, short_description, name, title } = fields;
    if (typeof id !== 'string') continue;
    const type = findIdKind(id) ?? 'record';
    found.set(id, { type, id, title: String(short_description ?? title ?? name ?? id) });
  }
  const all = [...found.values()];
  const named = all.filter(({ id }) => answer.includes(id));
  return (named.length > 0 ? named : all).slice(0, maxRecords);
}

function toCitations(outputs: readonly Output[]) {
  const passages = outputs.flatMap((output) => output.passages ?? []);
  const best = passages.filter(({ id }, index) => passages.findIndex((each) => each.id === id) === index);
  return best.map(({ id, title, relevance }) => ({ article_id: id, title: toArticleTitle(title), relevance }));
}
