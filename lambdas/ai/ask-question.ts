import type { AskRequest } from '../../contract/ai-schemas.ts';
import type { routes } from '../../contract/routes.ts';
import type { UseCase } from '../platform/http/response.ts';
import { type Assistant, embedderOnly, roundShare, startStopwatch, toResponseMetadata } from './assistant.ts';
import { toVersions } from './cache/answer-cache.ts';
import { type ContextRecord, readContext } from './evidence.ts';
import { calibration } from './knowledge/calibration.ts';
import { createPassageFinder, type FoundArticle, type FoundPassages, toCitations } from './knowledge/find-passages.ts';
import { type FindKnownErrors, toKnownErrorPassage } from './knowledge/known-errors.ts';
import { type Converse, type ModelUsage, requestStructuredAnswer, startDeadline } from './model/language-model.ts';
import { findModelFamily } from './model/model-family.ts';
import { askPromptVersion, buildAskPrompt } from './prompts/prompts.ts';

// The ranking decides the tier before any model is called (docs/decisions/0040). High: the answer. Middle: the answer with
// a note that it is the closest match. Low: not found, with related articles and without a call of the model. The model
// may still find that the passages do not answer the question.

const ttlSeconds = 60 * 60;

/** A better article may be published. */
const middleTtlSeconds = 5 * 60;

/** The missing article may be published. */
const notFoundTtlSeconds = 60;

export const middleTierLeadIn = 'Closest match, may not answer exactly:';

export function askQuestion(
  assistant: Assistant,
  converse: Converse,
  findKnownErrors: FindKnownErrors,
): UseCase<typeof routes.askQuestion> {
  return async ({ body }, { caller }) => {
    const elapsedMs = startStopwatch();
    const { context_record, model, max_kb_results } = body;
    const context = context_record && (await readContext(context_record.type, context_record.id, assistant.read));
    const about = context ? [context.record.id, context.state] : null;
    const question = {
      endpoint: 'ask',
      // 'published': answers come from published articles, which everybody may read.
      scope: [model, max_kb_results, askPromptVersion, calibration, 'published', about],
      text: body.question,
      callerId: caller.id,
      ttlSeconds,
      matching: 'similar',
    } as const;
    const { value, match } = await assistant.cache(question, () =>
      answer(body, context, { ...assistant, converse, findKnownErrors }),
    );
    const { usage, ...given } = value;
    return { status: 200, body: { ...given, ...toResponseMetadata(usage, elapsedMs(), match) } };
  };
}

interface AskTools {
  converse: Converse;
  findKnownErrors: FindKnownErrors;
}

async function answer(
  { question, max_kb_results, model }: AskRequest,
  context: ContextRecord | undefined,
  { embed, compare, engine, read, converse, findKnownErrors }: Assistant & AskTools,
) {
  const find = createPassageFinder({ embed, compare }, engine, read);
  const [found, knownErrors] = await Promise.all([
    find(context ? `${question}\n${context.text}` : question, max_kb_results),
    findKnownErrors(context ? context.text : question, context?.record.id),
  ]);
  const usedVersions = toVersions([...found.articles, ...knownErrors]);
  // What is known about the very fault comes before general knowledge.
  const passages = [...knownErrors.map(toKnownErrorPassage), ...(found.tier === 'low' ? [] : found.passages)];
  if (passages.length === 0 && !context) {
    return (await engine.hasArticles())
      ? { value: toNotFound(found, embedderOnly), usedVersions, ttlSeconds: notFoundTtlSeconds }
      : { value: nothingLearned, usedVersions, ttlSeconds: 0 };
  }
  const prompt = buildAskPrompt({ question, passages, ...(context && { record: context.passage }) });
  const { value: written, ...usage } = await requestStructuredAnswer(converse, { model, ...prompt }, startDeadline());
  const citations = toCitations(written.sources, passages);
  // An answer about the knowledge base must cite it.
  const isSupported = written.answered && (citations.length > 0 || context !== undefined);
  if (!isSupported) return { value: toNotFound(found, usage), usedVersions, ttlSeconds: notFoundTtlSeconds };
  const isMiddle = found.tier === 'middle' && knownErrors.length === 0;
  // A model that writes has judged itself whether the passages answer the question.
  const isQuotation = citations.length > 0 && findModelFamily(usage.modelUsed).onlyQuotes;
  const text = isMiddle && isQuotation ? `${middleTierLeadIn}\n\n${written.answer}` : written.answer;
  const related: FoundArticle[] = [];
  const value = {
    answer: text,
    confidence: roundShare(Math.max(found.confidence, knownErrors[0]?.cosine ?? 0)),
    citations,
    related,
    usage,
  };
  return { value, usedVersions, ...(isMiddle && { ttlSeconds: middleTtlSeconds }) };
}

function toNotFound({ related, confidence }: Pick<FoundPassages, 'related' | 'confidence'>, usage: ModelUsage) {
  const text =
    related.length > 0
      ? 'Not found: the knowledge base does not seem to answer this question. The related articles may help.'
      : 'Not found: the knowledge base has no article about this question.';
  const citations: FoundArticle[] = [];
  return { answer: text, confidence: roundShare(confidence), citations, related, usage };
}

const nothingLearned = {
  ...toNotFound({ related: [], confidence: 0 }, embedderOnly),
  answer: 'Not found: no article is published, or none has been indexed yet. Try again in a moment.',
};
