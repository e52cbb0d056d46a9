import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { newId } from '../platform/ids.ts';
import { ServiceError } from '../platform/service-error.ts';
import { stopwatch, toResponseMetadata } from './assistant.ts';
import { toArticleTitle } from './knowledge/find-passages.ts';
import { type Converse, startDeadline, type ToolRun, toolLoop } from './model/language-model.ts';
import { queryPrompt } from './prompts/prompts.ts';
import type { Conversations } from './query/conversation-store.ts';
import type { QueryTools } from './query/tools.ts';

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
    const nowMs = clock.now();
    const request = { model: body.model, ...queryPrompt(query, nowMs, earlier) };
    const own = await tools(caller.email, nowMs);
    const { text, runs, ...usage } = await toolLoop(converse, request, own, startDeadline());
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
        ...toResponseMetadata(usage, elapsedMs()),
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

/** Records that tools found and the answer names; all of them when it names none. */
function recordsIn(runs: readonly ToolRun[], answer: string) {
  const seen = new Map<string, { id: string; title: string }>();
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
  const passages = runs.flatMap(({ output, failed }) => {
    const found = output as { passages?: { id: string; title: string; relevance: number }[] };
    return failed ? [] : (found.passages ?? []);
  });
  // The best passage of an article comes first.
  const best = passages.filter(({ id }, place) => passages.findIndex((each) => each.id === id) === place);
  return best.map(({ id, title, relevance }) => ({ article_id: id, title: toArticleTitle(title), relevance }));
}
