import type { AskRequest } from '../../contract/ai.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { versionsOf } from './cache/answer-cache.ts';
import { type ContextRecord, contextRecord, stateOf, textOf } from './context-record.ts';
import type { Assistant } from './deployed-assistant.ts';
import { citationsOf, type FoundArticle, passageFinder } from './knowledge/find-passages.ts';
import { startDeadline } from './model/deadline.ts';
import type { Converse } from './model/model.ts';
import { structuredAnswer } from './model/structured-answer.ts';
import { askPrompt, askPromptVersion } from './prompts/ask.ts';
import { knownSources } from './prompts/passage.ts';
import { embedderOnly, stopwatch, told, type Usage } from './told.ts';

const rememberedForSeconds = 60 * 60;

/** Somebody may be writing the article that is missing, and no version of any record tells when it is there. */
const missingForSeconds = 60;

export function askQuestion(assistant: Assistant, converse: Converse): UseCase<typeof routes.askQuestion> {
  return async ({ body }, { caller }) => {
    const elapsedMs = stopwatch();
    const { context_record } = body;
    const context = context_record && (await contextRecord(context_record.type, context_record.id, assistant.read));
    const question = {
      endpoint: 'ask',
      scope: [
        body.model,
        body.max_kb_results,
        askPromptVersion,
        // Answers come from published articles, which everybody may read.
        'published',
        context ? [context.record.id, stateOf(context)] : null,
      ],
      text: body.question,
      callerId: caller.id,
      rememberedForSeconds,
      matching: 'similar',
    } as const;
    const { value, match } = await assistant.cache(question, () => answer(body, context, assistant, converse));
    const { usage, ...given } = value;
    return { status: 200, body: { ...given, ...told(usage, elapsedMs(), match) } };
  };
}

/** Whoever gets no answer gets somewhere to look; what these articles say is not quoted, since it may be beside the point. */
function notFound(related: FoundArticle[], usage: Usage) {
  const answer =
    related.length > 0
      ? 'Not found: the knowledge base has no sure answer to this question. The related articles may help.'
      : 'Not found: the knowledge base has no answer to this question, and no article comes near it.';
  return { answer, citations: [] as FoundArticle[], related, usage };
}

/** Right after a first start, or in a new knowledge base: the next moment may have the answer. */
const nothingLearned = {
  ...notFound([], embedderOnly),
  answer: 'There is nothing to answer from: no article is published, or none has been learned yet.',
};

async function answer(
  { question, max_kb_results, model }: AskRequest,
  context: ContextRecord | undefined,
  { embed, index, read }: Assistant,
  converse: Converse,
) {
  const find = passageFinder(embed, index, read);
  const found = context
    ? await find(`${question}\n${textOf(context)}`, max_kb_results)
    : await find(question, max_kb_results, 'word by word');
  const usedVersions = versionsOf(found.articles);
  const missing = { usedVersions, rememberedForSeconds: missingForSeconds };
  if (found.passages.length === 0 && !context) {
    if (!(await index()).has('article')) return { value: nothingLearned, usedVersions, rememberedForSeconds: 0 };
    return { value: notFound(found.related, embedderOnly), ...missing };
  }
  const { tool, system, messages, maxTokens } = askPrompt({
    question,
    passages: found.passages,
    ...(context && { record: context.passage }),
  });
  const request = { model, tool, system, messages, maxTokens };
  const { value, ...usage } = await structuredAnswer(converse, request, startDeadline());
  const citations = citationsOf(knownSources(value.sources, found.passages), found);
  // An answer about the knowledge base that names none of it is not one.
  const supported = value.answered && (citations.length > 0 || context !== undefined);
  if (!supported) return { value: notFound(found.related, usage), ...missing };
  return { value: { answer: value.answer, citations, related: [], usage }, usedVersions };
}
