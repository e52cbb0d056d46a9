// Answers as callers get them, from the real use case and the built-in model, with the demo's articles in memory.
import { demoArticles } from '../../bin/demo-data/demo-articles.ts';
import { defaultModel } from '../../contract/models.ts';
import { askQuestion } from '../../lambdas/ai/ask-question.ts';
import type { Assistant } from '../../lambdas/ai/deployed-assistant.ts';
import type { Embedder } from '../../lambdas/ai/embedding/embedder.ts';
import type { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { toAnswer, toConverseInput } from '../../lambdas/ai/model/converse-shapes.ts';
import type { Converse } from '../../lambdas/ai/model/model.ts';
import type { ReadRecords } from '../../lambdas/lists/record-store.ts';
import { converseOutput, parseConverse } from '../../local/bedrock/converse.ts';
import { extractiveModel } from '../../local/bedrock/extractive/extractive-model.ts';

export interface Given {
  answer: string;
  citations: { article_id: string }[];
  related: { article_id: string }[];
}

export function answerer(embed: Embedder, index: LearnedIndex): (question: string) => Promise<Given> {
  const model = extractiveModel();
  const converse: Converse = async (request) => {
    const { modelId: _, ...input } = JSON.parse(JSON.stringify(toConverseInput(request, 'local.extractive-v1')));
    const output = converseOutput(await model.converse(parseConverse(input)), 0);
    return toAnswer({ $metadata: {}, ...(output as object) } as never, 'local.extractive-v1');
  };
  const texts = new Map(demoArticles().map(({ name, ...document }) => [name, document]));
  const read = (async (ids: readonly string[]) =>
    ids.map((id) => ({
      record: { id, version: 1, notes_count: 0, document: texts.get(id) },
    }))) as unknown as ReadRecords;
  const cache = (async (_: unknown, produce: () => Promise<{ value: unknown }>) => ({
    value: (await produce()).value,
  })) as Assistant['cache'];
  const assistant: Assistant = { embed, index: async () => index, nearest: async () => [], read, cache };
  const ask = askQuestion(assistant, converse);
  return async (question) => {
    const body = { question, max_kb_results: 5, model: defaultModel };
    const answer = await ask(
      { body } as Parameters<typeof ask>[0],
      { caller: { id: 'eval' } } as Parameters<typeof ask>[1],
    );
    return answer.body;
  };
}

/** The share of an answer's lines that stand in the articles it cites, word by word. */
export function groundedness({ answer, citations }: Given): number {
  const articles = demoArticles().filter(({ name }) => citations.some(({ article_id }) => article_id === name));
  const source = new Set(articles.flatMap(({ title, body }) => wordsOf(`${title} ${body}`)));
  const words = wordsOf(answer);
  return words.length === 0 ? 1 : words.filter((word) => source.has(word)).length / words.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
