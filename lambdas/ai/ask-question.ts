import type { AskRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { toVersions } from './cache/answer-cache.ts';
import type { Assistant } from './deployed-assistant.ts';
import { type ContextRecord, contextRecord, getState, getText } from './evidence.ts';
import { calibration } from './knowledge/calibration.ts';
import { type FoundArticle, type FoundPassages, passageFinder, toCitations } from './knowledge/find-passages.ts';
import { type Converse, type ModelUsage, startDeadline, structuredAnswer } from './model/model.ts';
import { askPrompt, askPromptVersion } from './prompts/prompts.ts';
import { embedderOnly, stopwatch, toResponseMetadata } from './response-metadata.ts';
import { rounded } from './suggestions/votes.ts';

// The ranking decides before any model how sure an answer can be (docs/decisions/0040). High: the answer. Middle: the
// closest match, and the answer says so. Low: not found, with related articles and without a call of the model. A model
// may still refuse what the ranking offers.

const cachedForSeconds = 60 * 60;

/** Somebody may be writing the missing article, and no version of any record says when it is there. */
const notFoundForSeconds = 60;

/** A better article may appear. */
const middleForSeconds = 5 * 60;

export const middleTierLeadIn = 'Closest match, may not answer exactly:';

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
        calibration,
        // Answers come from published articles, which everybody may read.
        'published',
        context ? [context.record.id, getState(context)] : null,
      ],
      text: body.question,
      callerId: caller.id,
      ttlSeconds: cachedForSeconds,
      matching: 'similar',
    } as const;
    const { value, match } = await assistant.cache(question, () => answer(body, context, assistant, converse));
    const { usage, ...given } = value;
    return { status: 200, body: { ...given, ...toResponseMetadata(usage, elapsedMs(), match) } };
  };
}

function notFound({ related, confidence }: Pick<FoundPassages, 'related' | 'confidence'>, usage: ModelUsage) {
  const answer =
    related.length > 0
      ? 'Not found: the knowledge base does not seem to answer this question. The related articles may help.'
      : 'Not found: the knowledge base has no article about this question.';
  return { answer, confidence: rounded(confidence), citations: [] as FoundArticle[], related, usage };
}

const nothingLearned = {
  ...notFound({ related: [], confidence: 0 }, embedderOnly),
  answer: 'Not found: no article is published, or none has been indexed yet. Try again in a moment.',
};

async function answer(
  { question, max_kb_results, model }: AskRequest,
  context: ContextRecord | undefined,
  { embed, index, read }: Assistant,
  converse: Converse,
) {
  const find = passageFinder(embed, index, read);
  const found = await find(context ? `${question}\n${getText(context)}` : question, max_kb_results);
  const usedVersions = toVersions(found.articles);
  const missing = { usedVersions, ttlSeconds: notFoundForSeconds };
  const isFound = found.tier !== 'low' && found.passages.length > 0;
  if (!isFound && !context) {
    if ((await index()).articles.size === 0) return { value: nothingLearned, usedVersions, ttlSeconds: 0 };
    return { value: notFound(found, embedderOnly), ...missing };
  }
  const passages = isFound ? found.passages : [];
  const prompt = askPrompt({ question, passages, ...(context && { record: context.passage }) });
  const { value: written, ...usage } = await structuredAnswer(converse, { model, ...prompt }, startDeadline());
  const citations = toCitations(written.sources, passages, found.articles);
  // An answer about the knowledge base that cites none of it is unsupported.
  const isSupported = written.answered && (citations.length > 0 || context !== undefined);
  if (!isSupported) return { value: notFound(found, usage), ...missing };
  const text =
    found.tier === 'middle' && citations.length > 0 ? `${middleTierLeadIn}\n\n${written.answer}` : written.answer;
  const confidence = rounded(found.confidence);
  const value = { answer: text, confidence, citations, related: [] as FoundArticle[], usage };
  return { value, usedVersions, ...(found.tier === 'middle' && { ttlSeconds: middleForSeconds }) };
}
