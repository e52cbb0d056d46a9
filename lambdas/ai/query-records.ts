import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { toArticleTitle } from './knowledge/find-passages.ts';
import type { Converse } from './model/model.ts';
import { startDeadline } from './model/model.ts';
import { type ToolRun, toolLoop } from './model/tool-loop.ts';
import { queryPrompt } from './prompts/query.ts';
import type { Conversations } from './query/conversation-store.ts';
import type { QueryTools } from './query/tools.ts';
import { stopwatch, told } from './told.ts';

export interface Copilot {
  tools: QueryTools;
  conversations: Conversations;
  converse: Converse;
}

/** The copilot: a model with tools that only read. The answer shows which tools it used and what they found. */
export function queryRecords({ tools, conversations, converse }: Copilot): UseCase<typeof routes.queryRecords> {
  return async ({ body }, { caller, clock }) => {
    const elapsedMs = stopwatch();
    const query = body.query ?? body.question ?? '';
    const conversationId = body.conversation_id ?? newId('conversation');
    const earlier = body.conversation_id ? await conversations.turns(caller.id, body.conversation_id) : [];
    if (!earlier) throw new ServiceError('not_found', `${conversationId} does not exist.`);
    const { system, messages, maxTokens } = queryPrompt({ query, nowMs: clock.now(), earlier });
    const request = { model: body.model, system, messages, maxTokens };
    const { text, runs, ...usage } = await toolLoop(
      converse,
      request,
      await tools(caller.email, clock.now()),
      startDeadline(),
    );
    const answer = text.trim() || 'Nothing was found.';
    await conversations.keep(caller.id, conversationId, [...earlier, { query, answer }]);
    return {
      status: 200,
      body: {
        answer,
        citations: citationsIn(runs),
        records: recordsIn(runs, answer),
        lists: listsIn(runs),
        tools_used: runs.map(({ name, input }) => ({ name, input: input as Record<string, unknown> })),
        conversation_id: conversationId,
        ...told(usage, elapsedMs()),
      },
    };
  };
}

/** The lists of the API that show the same results. */
function listsIn(runs: readonly ToolRun[]): string[] {
  const lists = runs.flatMap(({ output, failed }) => (failed ? [] : ((output as { list?: string }).list ?? [])));
  return [...new Set(lists)].slice(-maxLists);
}

const maxLists = 4;

interface Seen {
  id: string;
  title: string;
}

/** Records that tools found and the answer names; all of them when it names none. */
function recordsIn(runs: readonly ToolRun[], answer: string) {
  const seen = new Map<string, Seen>();
  for (const { output, failed } of runs) {
    if (failed) continue;
    const { records = [], ...single } = output as { records?: Record<string, unknown>[] } & Record<string, unknown>;
    for (const record of [...records, single]) {
      const { id, short_description, name } = record;
      if (typeof id === 'string') seen.set(id, { id, title: String(short_description ?? name ?? id) });
    }
  }
  const named = [...seen.values()].filter(({ id }) => answer.includes(id));
  return (named.length > 0 ? named : [...seen.values()]).slice(0, maxRecords).map(({ id, title }) => ({
    type: kinds.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'record',
    id,
    title,
  }));
}

const maxRecords = 20;

const kinds = [
  ['INC', 'incident'],
  ['CHG', 'change'],
  ['REQ', 'request'],
  ['CI', 'ci'],
] as const;

function citationsIn(runs: readonly ToolRun[]) {
  const cited = new Map<string, { article_id: string; title: string; relevance: number }>();
  for (const { name, output, failed } of runs) {
    if (failed || name !== 'search_knowledge') continue;
    const { passages } = output as { passages: { id: string; title: string; relevance: number }[] };
    for (const { id, title, relevance } of passages) {
      if (!cited.has(id)) cited.set(id, { article_id: id, title: toArticleTitle(title), relevance });
    }
  }
  return [...cited.values()];
}
