import { dimensions, packed, unit, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { LearnedIndex } from '../../../lambdas/ai/knowledge/learned-index.ts';
import { decodeLearned, encodeLearned, forgotten } from '../../../lambdas/ai/knowledge/learned-item.ts';
import { passagesOf } from '../../../lambdas/ai/knowledge/passages.ts';
import { sentencesIn } from '../../../lambdas/ai/knowledge/sentences.ts';
import { countedTerms } from '../../../lambdas/ai/knowledge/terms.ts';
import { random } from '../../support/random.ts';

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

  it('finds the same whatever was learned and forgotten before, and as many as are wanted', () => {
    const { next, below } = random(3);
    const aVector = () => unit(Float32Array.from({ length: dimensions }, () => next() - 0.5));
    const words = ['mail', 'print', 'vpn', '0x80070005', 'db-1', 'badge'];
    const aText = () => Array.from({ length: 1 + below(4) }, () => words[below(words.length)]).join(' ');
    const passages = () =>
      Array.from({ length: 1 + below(4) }, () => ({ vector: packed(aVector()), terms: countedTerms(aText()) }));
    const grown = new LearnedIndex();
    const latest = new Map<string, Uint8Array>();
    for (let atMs = 0; atMs < 600; atMs++) {
      const id = `KB${below(80)}`;
      const bytes =
        next() < 0.3 ? forgotten : encodeLearned({ facts: { kind: 'article', title: id }, passages: passages() });
      grown.apply(id, atMs, bytes);
      latest.set(id, bytes);
    }
    const fresh = new LearnedIndex();
    for (const [id, bytes] of latest) fresh.apply(id, 1, bytes);
    for (let look = 0; look < 20; look++) {
      const search = { kind: 'article', vector: aVector(), text: aText(), count: 1_000 } as const;
      const [records, parts] = [fresh.search(search), fresh.searchPassages(search)];
      expect(records).toHaveLength(fresh.size);
      expect(parts.map(({ score }) => score)).toEqual(parts.map(({ score }) => score).sort((a, b) => b - a));
      const firsts = parts.filter(({ id }, place) => parts.findIndex((each) => each.id === id) === place);
      expect(records).toEqual(firsts);
      const wanted = { ...search, count: 1 + below(9) };
      expect(grown.search(wanted)).toEqual(records.slice(0, wanted.count));
      expect(grown.searchPassages(wanted)).toEqual(parts.slice(0, wanted.count));
    }
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

  it('keep a heading without its closing marks', () => {
    const headingIn = (line: string) => passagesOf({ body: `${line}\n\nText.` })[0]!.heading;
    expect(headingIn('##   Reset  ##  ')).toBe('Reset');
    expect(headingIn('# C#')).toBe('C#');
    expect(headingIn('#hashtag')).toBeNull();
    expect(headingIn('####### Seven')).toBeNull();
  });

  it.each([
    ['a heading with a gap', `# a${' '.repeat(20_000)}b`],
    ['a heading cut by a line separator', `#${' '.repeat(2_000)}\u2028b\u2028c`],
    ['closing marks that close nothing', `# a${' #'.repeat(2_000)}b`],
    ['blank lines', `a${'\n '.repeat(400_000)}b`],
    ['one long sentence', `a.${' '.repeat(200_000)}b`],
  ])('take linear time for %s', (_, body) => {
    const start = performance.now();
    for (const { text } of passagesOf({ body })) sentencesIn(text);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
