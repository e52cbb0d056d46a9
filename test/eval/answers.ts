// Answers as callers get them: the real use case and the built-in model, with articles in memory.
import { defaultModel } from '../../contract/models.ts';
import { askQuestion } from '../../lambdas/ai/ask-question.ts';
import type { Assistant } from '../../lambdas/ai/assistant.ts';
import type { Encoder } from '../../lambdas/ai/embedding/embedder.ts';
import { createMemoryEngine } from '../../lambdas/ai/knowledge/learned-engine.ts';
import type { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import type { ArticleText } from '../../lambdas/ai/knowledge/passages.ts';
import { toAnswer, toConverseInput } from '../../lambdas/ai/model/bedrock-model.ts';
import type { Converse } from '../../lambdas/ai/model/language-model.ts';
import type { ReadRecords } from '../../lambdas/lists/record-store.ts';
import { parseConverse, toConverseOutput } from '../../local/bedrock/converse.ts';
import { extractiveModel } from '../../model/built-in/extractive-model.ts';

export interface Given {
  answer: string;
  confidence: number;
  citations: { article_id: string }[];
  related: { article_id: string }[];
}

/** The built-in model behind the forms of Bedrock. */
export function builtInModel(): Converse {
  const model = extractiveModel();
  return async (request) => {
    const { modelId: _, ...input } = JSON.parse(JSON.stringify(toConverseInput(request, 'local.extractive-v1')));
    const output = toConverseOutput(await model.converse(parseConverse(input)), 0);
    return toAnswer({ $metadata: {}, ...(output as object) } as never, 'local.extractive-v1');
  };
}

export function createAnswerer(
  encoder: Encoder,
  index: LearnedIndex,
  articles: readonly (ArticleText & { id: string })[],
): (question: string) => Promise<Given> {
  const texts = new Map(articles.map(({ id, ...document }) => [id, { state: 'published', ...document }]));
  const read = (async (ids: readonly string[]) =>
    ids.map((id) => ({
      record: { id, version: 1, notes_count: 0, document: texts.get(id) },
    }))) as unknown as ReadRecords;
  const cache = (async (_: unknown, produce: () => Promise<{ value: unknown }>) => ({
    value: (await produce()).value,
  })) as Assistant['cache'];
  const assistant: Assistant = {
    ...encoder,
    engine: createMemoryEngine(async () => index),
    nearest: async () => [],
    read,
    cache,
    writeReasons: async () => undefined,
  };
  const ask = askQuestion(assistant, builtInModel(), async () => []);
  return async (question) => {
    const body = { question, max_kb_results: 5, model: defaultModel };
    const answer = await ask(
      { body } as Parameters<typeof ask>[0],
      { caller: { id: 'eval' } } as Parameters<typeof ask>[1],
    );
    return answer.body;
  };
}
