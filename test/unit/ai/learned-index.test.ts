import { embedderName } from '../../../lambdas/ai/embedding/model-files.ts';
import { dimensions, normalize, packVector, type Vector } from '../../../lambdas/ai/embedding/vector.ts';
import { rankArticles } from '../../../lambdas/ai/knowledge/article-ranking.ts';
import { calibration } from '../../../lambdas/ai/knowledge/calibration.ts';
import { createPassageFinder, toCitations } from '../../../lambdas/ai/knowledge/find-passages.ts';
import { searchIncidents } from '../../../lambdas/ai/knowledge/incident-search.ts';
import { judgeAnswers } from '../../../lambdas/ai/knowledge/judge-answers.ts';
import { createMemoryEngine } from '../../../lambdas/ai/knowledge/learned-engine.ts';
import { LearnedIndex } from '../../../lambdas/ai/knowledge/learned-index.ts';
import {
  decodeLearned,
  encodeLearned,
  forgotten,
  type LearnedUnit,
} from '../../../lambdas/ai/knowledge/learned-item.ts';
import { createLiveIndex, learnedSnapshotKind } from '../../../lambdas/ai/knowledge/live-index.ts';
import { splitPassages, splitSentences } from '../../../lambdas/ai/knowledge/passages.ts';
import { countTerms } from '../../../lambdas/ai/knowledge/terms.ts';
import type { ReadRecords } from '../../../lambdas/lists/record-store.ts';
import { writeSnapshot } from '../../../lambdas/lists/snapshot-store.ts';
import { random } from '../../support/random.ts';

/** A vector that points along one dimension, and a little along another. */
function along(dimension: number, aside = dimension, share = 0): Vector {
  const vector = new Float32Array(dimensions);
  vector[dimension] = 1;
  vector[aside]! += share;
  return normalize(vector);
}

function units(passages: readonly { vector: Vector; text: string }[]): LearnedUnit[] {
  const all = passages.map(({ text }) => text).join(' ');
  return [
    { level: 'record', passage: 0, vector: packVector(passages[0]!.vector), terms: countTerms(all) },
    ...passages.flatMap(({ vector, text }, passage): LearnedUnit[] => [
      { level: 'passage', passage, vector: packVector(vector), terms: countTerms(text) },
      { level: 'sentence', passage, vector: packVector(vector), terms: countTerms('') },
    ]),
  ];
}

const article = (title: string, ...passages: { vector: Vector; text: string }[]) =>
  encodeLearned({ facts: { kind: 'article', title }, units: units(passages) });

const rank = (index: LearnedIndex, vector: Vector, text: string) =>
  rankArticles(index.articles, { vector, text, count: 5 }).articles.map(({ id }) => id);

const incident = (title: string, vector: Vector, text: string) => {
  const facts = { kind: 'incident', title, open: false, category: null, subcategory: null, priority: 'P3' } as const;
  const more = { assignment_group: null, problem: null, minutes: 1, has_resolution: true };
  return encodeLearned({ facts: { ...facts, ...more }, units: units([{ vector, text }]).slice(0, 1) });
};

describe('learned index', () => {
  it('ranks the nearest article first, and its best passage first', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 1, article('one', { vector: along(1), text: 'mail' }));
    index.apply('KB2', 1, article('two', { vector: along(3), text: 'scan' }, { vector: along(2), text: 'print' }));
    const { articles } = rankArticles(index.articles, { vector: along(2, 1, 0.3), text: 'print', count: 5 });
    expect(articles.map(({ id }) => id)).toEqual(['KB2', 'KB1']);
    expect(articles[0]!.passages.map(({ passage }) => passage)).toEqual([1, 0]);
  });

  it('lists related articles by score in any order of the table, and cites only given ones', async () => {
    const index = new LearnedIndex();
    const shares = { KB1: 1.2, KB2: 0.1, KB3: 0.5 };
    for (const [id, share] of Object.entries(shares)) {
      index.apply(id, 1, article(id, { vector: along(1, 2, share), text: 'print' }));
    }
    const read: ReadRecords = async (ids) => {
      const toRecord = (id: string) => ({ record: { id, document: { title: id, body: 'print', state: 'published' } } });
      return JSON.parse(JSON.stringify(ids.toSorted().map(toRecord)));
    };
    const find = createPassageFinder(
      { embed: async () => along(1), compare: async () => ({ answers: 0.5, same: 0 }) },
      createMemoryEngine(async () => index),
      read,
    );
    const { related, passages } = await find('print', 4);
    const cited = toCitations(['KB3', 'KB9', 'KB3'], passages);
    expect(cited).toEqual(related.filter(({ article_id }) => article_id === 'KB3'));
    expect(related.map(({ article_id }) => article_id)).toEqual(['KB2', 'KB3', 'KB1']);
    const scores = related.map(({ relevance }) => relevance);
    expect(scores).toEqual(scores.toSorted((first, second) => second - first));
    expect(new Set(scores).size).toBe(3);
  });

  it('ranks an article with the code first if two are equally near', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 1, article('one', { vector: along(1), text: 'update fails with 0x80070020' }));
    index.apply('KB2', 1, article('two', { vector: along(1, 2, 0.1), text: 'update fails with 0x80070005' }));
    expect(rank(index, along(1), 'update fails with 0x80070005')[0]).toBe('KB2');
    expect(rank(index, along(1), 'update fails with 0x80070020')[0]).toBe('KB1');
  });

  it('ranks by the article as a whole, too, when two passages are equally near', () => {
    const index = new LearnedIndex();
    const passages = [{ vector: along(1), text: 'restart it' }];
    const learnedAs = (vector: Vector) =>
      encodeLearned({
        facts: { kind: 'article', title: 'x' },
        units: units(passages).map((unit) =>
          unit.level === 'record' ? { ...unit, vector: packVector(vector) } : unit,
        ),
      });
    index.apply('KB1', 1, learnedAs(along(7)));
    index.apply('KB2', 1, learnedAs(along(1, 7, 0.2)));
    expect(rank(index, along(1), 'restart it')).toEqual(['KB2', 'KB1']);
    const [first] = rankArticles(index.articles, { vector: along(1), text: 'restart it', count: 1 }).articles;
    expect(first?.score).toBeLessThanOrEqual(1);
  });

  it('has a higher confidence for a near article, and a lower one if a code is missing or the passage does not answer', async () => {
    const index = new LearnedIndex();
    index.apply('KB1', 1, article('Toner of the printer', { vector: along(1), text: 'replace the toner' }));
    index.apply('KB2', 1, article('Canteen', { vector: along(5), text: 'soup on mondays' }));
    const text = { title: 'x', body: 'Replace the toner.', tags: [], category: null };
    const judge = (vector: Vector, question: string, answers = 0.9) => {
      const { articles } = rankArticles(index.articles, { vector, text: question, count: 2 });
      const withText = articles.map((each) => ({ ...each, text }));
      return judgeAnswers(question, withText, async () => ({ answers, same: 0 }));
    };
    const near = await judge(along(1), 'replace the toner');
    expect(near).toMatchObject({ tier: 'high' });
    expect((await judge(along(1), 'replace the toner TN-77')).confidence).toBeLessThan(near.confidence);
    expect((await judge(along(1), 'replace the toner', 0.1)).confidence).toBeLessThan(near.confidence);
    expect(await judge(along(9), 'capital of France', 0.01)).toMatchObject({ tier: 'low' });
    expect(await judgeAnswers('x', [], async () => ({ answers: 1, same: 0 }))).toEqual({
      articles: [],
      confidence: 0,
      tier: 'low',
    });
  });

  it('keeps the newest of repeated entries in any order, and removes deleted ones', () => {
    const index = new LearnedIndex();
    index.apply('KB1', 2, article('new', { vector: along(1), text: 'mail' }));
    index.apply('KB1', 1, article('old', { vector: along(2), text: 'mail' }));
    expect(rankArticles(index.articles, { vector: along(1), text: '', count: 1 }).articles[0]).toMatchObject({
      title: 'new',
    });
    index.apply('KB1', 3, forgotten);
    index.apply('KB1', 2, article('new', { vector: along(1), text: 'mail' }));
    expect(rank(index, along(1), 'mail')).toEqual([]);
    expect(index.size).toBe(0);
  });

  it('returns the same results after removals and after a snapshot', () => {
    const { next, below } = random(3);
    const aVector = () => normalize(Float32Array.from({ length: dimensions }, () => next() - 0.5));
    const words = ['mail', 'print', 'vpn', '0x80070005', 'db-1', 'badge'];
    const aText = () => Array.from({ length: 1 + below(4) }, () => words[below(words.length)]).join(' ');
    const grown = new LearnedIndex();
    const latest = new Map<string, Uint8Array>();
    for (let atMs = 0; atMs < 600; atMs++) {
      const [id, other] = [`KB${below(80)}`, `INC${below(80)}`];
      const passages = Array.from({ length: 1 + below(4) }, () => ({ vector: aVector(), text: aText() }));
      const bytes = next() < 0.3 ? forgotten : article(id, ...passages);
      grown.apply(id, atMs, bytes);
      latest.set(id, bytes);
      const report = next() < 0.3 ? forgotten : incident(other, aVector(), aText());
      grown.apply(other, atMs, report);
      latest.set(other, report);
    }
    const fresh = new LearnedIndex();
    for (const [id, bytes] of latest) fresh.apply(id, 1, bytes);
    const restored = LearnedIndex.decode([...grown.encode()]);
    expect(restored.changes).toBe(0);
    for (let look = 0; look < 20; look++) {
      const search = { vector: aVector(), text: aText(), count: 1_000 };
      const { articles } = rankArticles(fresh.articles, search);
      expect(articles).toHaveLength(fresh.articles.size);
      const incidents = searchIncidents(fresh.incidents, search);
      expect(incidents).toHaveLength(fresh.incidents.size);
      const wanted = { ...search, count: 1 + below(9) };
      for (const index of [grown, restored]) {
        expect(rankArticles(index.articles, wanted).articles).toEqual(articles.slice(0, wanted.count));
        expect(searchIncidents(index.incidents, wanted)).toEqual(incidents.slice(0, wanted.count));
      }
    }
  });

  it('starts from a snapshot, reads only later entries, and ignores a snapshot of another embedder', async () => {
    const objects = new Map<string, Uint8Array>();
    const snapshots = {
      read: async (key: string) => objects.get(key),
      write: async (key: string, bytes: Uint8Array) => void objects.set(key, bytes),
      keys: async () => [],
      remove: async () => {},
    };
    const entries = [{ key: '2026-01-01T00:00:00.000Z#INC1', listing: incident('one', along(1), 'mail') }];
    const reads: string[] = [];
    const feed = {
      shards: 1,
      async *pages(_: number, behind: string) {
        reads.push(behind);
        yield entries.filter(({ key }) => key > behind);
      },
    };
    const options = {
      feed,
      snapshots,
      clock: { now: () => Date.parse('2026-01-02') },
      log: () => {},
      timeoutMs: 1_000,
    };
    const { watermarks, content } = await createLiveIndex(options).source.refresh();
    await writeSnapshot(snapshots, learnedSnapshotKind, content, watermarks, 's1');
    entries.push({ key: '2026-01-01T00:10:00.000Z#INC2', listing: incident('two', along(2), 'print') });
    const started = createLiveIndex(options);
    const index = await started.refresh();
    expect(searchIncidents(index.incidents, { vector: along(1), text: '', count: 9 }).map(({ id }) => id)).toEqual([
      'INC1',
      'INC2',
    ]);
    expect(reads[1]! > '2025-12-31').toBe(true);
    expect(index.changes).toBe(1);
    const other = { type: 'learned', schema: { embedder: 'another', format: 2 } };
    await writeSnapshot(snapshots, other, { rows: 1, details: () => null, chunks: [Uint8Array.of(9, 9)] }, ['x'], 's2');
    expect((await createLiveIndex(options).refresh()).size).toBe(2);
    expect(reads.at(-1)).toBe('');
  });

  it('decodes what it encoded', () => {
    const text = 'Error 809: the firewall drops UDP 500';
    const read = decodeLearned(article('VPN', { vector: along(3), text }))!;
    expect(read.facts).toEqual({ kind: 'article', title: 'VPN' });
    expect(read.units.map(({ level }) => level)).toEqual(['record', 'passage', 'sentence']);
    expect(read.units[1]!.terms).toEqual(countTerms(text));
    expect(decodeLearned(forgotten)).toBeUndefined();
  });

  it('is calibrated for the embedding model in use; npm run calibrate fits it', () => {
    expect(calibration.embedder).toBe(embedderName);
  });
});

describe('passages of an article', () => {
  it('are split at headings, but not inside code', () => {
    const body = 'Before.\n\n## First\n\nText.\n\n```\n# a comment\nls\n```\n\n## Second\n\nMore.';
    expect(splitPassages({ body })).toEqual([
      { heading: null, text: 'Before.' },
      { heading: 'First', text: 'Text.' },
      { heading: 'First', text: '```\n# a comment\nls\n```' },
      { heading: 'Second', text: 'More.' },
    ]);
  });

  it('are short enough for the model, without losing text', () => {
    const body = `## Long\n\n${'A sentence of some words. '.repeat(200)}`;
    const passages = splitPassages({ body });
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_000);
    const words = (text: string) => text.match(/\w+/g)!.length;
    expect(passages.reduce((sum, { text }) => sum + words(text), 0)).toBe(words(body) - 1);
  });

  it('keep step lists and tables complete', () => {
    const body = 'Do this:\n\n1. Stop it.\n\n2. Start it.\n\nThen wait.\n\n| Code | Meaning |\n|---|---|\n| 1 | full |';
    expect(splitPassages({ body }).map(({ text }) => text)).toEqual([
      'Do this:\n\n1. Stop it.\n\n2. Start it.',
      'Then wait.',
      '| Code | Meaning |\n|---|---|\n| 1 | full |',
    ]);
    expect(splitSentences(splitPassages({ body })).map(({ text }) => text)).toEqual([
      'Do this:',
      'Stop it.',
      'Start it.',
      'Then wait.',
      'Code Meaning',
      '1 full',
    ]);
  });

  it('keep a heading without its closing marks', () => {
    const headingIn = (line: string) => splitPassages({ body: `${line}\n\nText.` })[0]!.heading;
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
    const from = process.cpuUsage();
    splitSentences(splitPassages({ body }));
    expect(process.cpuUsage(from).user / 1_000).toBeLessThan(2_000);
  });
});
