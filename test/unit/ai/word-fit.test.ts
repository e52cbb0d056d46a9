import type { Embedder, Token } from '../../../lambdas/ai/embedding/embedder.ts';
import { dimensions, packed, unit, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { alikeWords, questionWords } from '../../../lambdas/ai/knowledge/alike-words.ts';
import { LearnedIndex } from '../../../lambdas/ai/knowledge/learned-index.ts';
import { encodeLearned } from '../../../lambdas/ai/knowledge/learned-item.ts';
import { strangeWords } from '../../../lambdas/ai/knowledge/strange-words.ts';
import { countedTerms } from '../../../lambdas/ai/knowledge/terms.ts';

// Words that mean the same point in one direction; a text means the sum of its words.
const meanings = ['printer', 'pages sheets', 'blank white empty', 'plotter', 'pink', 'toner ##er', 'prints'];

function tokensOf(text: string): Token[] {
  const words = text.toLowerCase().match(/##\w+|\w+|[^\w\s]/g) ?? [];
  return words.map((word) => {
    const vector = new Float32Array(dimensions);
    const direction = meanings.findIndex((each) => each.split(' ').includes(word));
    vector[direction < 0 ? dimensions - 1 : direction] = direction < 0 ? 0.01 : 1;
    return { text: word, vector };
  });
}

function meaningOf(text: string): Vector {
  const sum = new Float32Array(dimensions);
  for (const { vector } of tokensOf(text)) for (const [index, value] of vector.entries()) sum[index]! += value;
  return unit(sum);
}

const embed: Embedder = Object.assign(async (text: string) => meaningOf(text), {
  tokens: async (text: string) => tokensOf(text).map((token) => ({ ...token, vector: unit(token.vector.slice()) })),
});

const passage = 'The printer prints blank pages, toner';
const index = new LearnedIndex();
index.apply(
  'KB1',
  1,
  encodeLearned({
    facts: { kind: 'article', title: 'Printer' },
    passages: [{ vector: packed(meaningOf(passage)), terms: countedTerms(passage) }],
  }),
);

async function strangeIn(text: string): Promise<string[]> {
  const articles = [{ id: 'KB1', passages: [0] }];
  const [words] = await strangeWords({ text, vector: meaningOf(text) }, articles, index, embed);
  return words!.map(({ word }) => word);
}

describe('strangeWords', () => {
  it('names the word without which the question is nearer', async () => {
    expect(await strangeIn('The plotter prints blank pages')).toEqual(['plotter']);
    expect(await strangeIn('The printer prints in pink')).toEqual(['pink']);
  });

  it('does not name another word for the same', async () => {
    expect(await strangeIn('The printer prints white sheets')).toEqual([]);
  });

  it('has nothing to compare a single word with', async () => {
    expect(await strangeIn('pink?')).toEqual([]);
  });
});

describe('alikeWords', () => {
  const alike = async (question: string) => alikeWords(await questionWords(question, embed), [passage], embed);

  it('finds the nearest word for each, whatever words the text has besides', async () => {
    expect(await alike('empty sheets')).toBeCloseTo(1);
    expect(await alike('pink sheets')).toBeCloseTo(0.5);
  });

  it('takes the parts of a word for one, and signs for none', async () => {
    expect(await alike('pink##er')).toBeCloseTo(0.5);
    expect(await alike('toner!')).toBeCloseTo(1);
    expect(await alike('?!')).toBe(0);
  });
});
