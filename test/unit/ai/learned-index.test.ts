import { dimensions, packed, unit, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../../lambdas/ai/knowledge/learned-index.ts';
import { decodeLearned, encodeLearned, forgotten } from '../../../lambdas/ai/knowledge/learned-item.ts';
import { passagesOf } from '../../../lambdas/ai/knowledge/passages.ts';
import { countedTerms } from '../../../lambdas/ai/knowledge/terms.ts';

/** A vector that points along one dimension, and a little along another. */
function along(dimension: number, aside = dimension, share = 0): Vector {
  const vector = new Float32Array(dimensions);
  vector[dimension] = 1;
  vector[aside]! += share;
  return unit(vector);
}

const article = (title: string, vector: Vector, text: string) =>
  encodeLearned({
    facts: { kind: 'article', title },
    passages: [{ vector: packed(vector), terms: countedTerms(text) }],
  });

const search = (index: LearnedIndex, vector: Vector, text: string) =>
  index.search({ kind: 'article', vector, text, count: 5 }).map(({ id }) => id);

describe('learned index', () => {
  it('finds the nearest first', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 1, article('one', along(1), 'mail'));
    index.apply('KB2', 1, article('two', along(2), 'print'));
    expect(search(index, along(2, 1, 0.5), 'something')).toEqual(['KB2', 'KB1']);
  });

  it('tells two that are equally near apart by a code that only one has', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 1, article('one', along(1), 'update fails with 0x80070020'));
    index.apply('KB2', 1, article('two', along(1, 2, 0.1), 'update fails with 0x80070005'));
    expect(search(index, along(1), 'update fails with 0x80070005')[0]).toBe('KB2');
    expect(search(index, along(1), 'update fails with 0x80070020')[0]).toBe('KB1');
  });

  it('keeps the newest of what comes twice and in any order, and forgets what is to be forgotten', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 2, article('new', along(1), 'mail'));
    index.apply('KB1', 1, article('old', along(2), 'mail'));
    expect(index.search({ kind: 'article', vector: along(1), text: '', count: 1 })[0]).toMatchObject({
      facts: { title: 'new' },
      cosine: expect.closeTo(1, 2),
    });
    index.apply('KB1', 3, forgotten);
    index.apply('KB1', 2, article('new', along(1), 'mail'));
    expect(search(index, along(1), 'mail')).toEqual([]);
    expect(index.size).toBe(0);
  });

  it('reads back what was written', () => {
    const terms = countedTerms('Error 809: the firewall drops UDP 500');
    const read = decodeLearned(article('VPN', along(3), 'Error 809: the firewall drops UDP 500'))!;
    expect(read.facts).toEqual({ kind: 'article', title: 'VPN' });
    expect(read.passages[0]!.terms).toEqual(terms);
    expect(decodeLearned(forgotten)).toBeUndefined();
  });
});

describe('passages of an article', () => {
  it('are cut at headings, and not at what looks like one in code', () => {
    const body = 'Before.\n\n## First\n\nText.\n\n```\n# a comment\nls\n```\n\n## Second\n\nMore.';
    expect(passagesOf({ body })).toEqual([
      { heading: null, text: 'Before.' },
      { heading: 'First', text: 'Text.\n\n```\n# a comment\nls\n```' },
      { heading: 'Second', text: 'More.' },
    ]);
  });

  it('are short enough for the model, and nothing is lost', () => {
    const body = `## Long\n\n${'A sentence of some words. '.repeat(200)}`;
    const passages = passagesOf({ body });
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_000);
    const words = (text: string) => text.match(/\w+/g)!.length;
    expect(passages.reduce((sum, { text }) => sum + words(text), 0)).toBe(words(body) - 1);
  });
});
