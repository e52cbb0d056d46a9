// Questions in people's own words on knowledge bases that neither the encoder nor the calibration has seen.
import type { Encoder } from '../../lambdas/ai/embedding/embedder.ts';
import { LearnedIndex } from '../../lambdas/ai/knowledge/learned-index.ts';
import { splitTerms } from '../../lambdas/ai/knowledge/terms.ts';
import { createAnswerer } from './answers.ts';
import { type Case, fitCalibration, fitTiers, type Prediction, predict, toCases } from './fit.ts';
import { indexSets, loadReadingSets, type ReadingSet } from './ground.ts';
import { calibrationError, computeShare, report, share, verbose } from './report.ts';
import { minSimpleScore } from './simple-score.ts';

interface Judged extends Prediction {
  case: Case;
  tier: 'high' | 'middle' | 'low';
  /** The place of the right article, from 1; 0 when there is none. */
  rank: number;
}

export async function reading(encoder: Encoder): Promise<void> {
  const sets = loadReadingSets();
  const indexes = await indexSets(sets, encoder.embed);
  const judged = judge(await toCases(sets, indexes, encoder));
  console.log(`\nQuestions on ${sets.length} unseen domains, the calibration fitted without the domain in question`);
  tiers(judged);
  retrieval(judged);
  await quotations(sets, indexes, encoder);
}

/** For every domain, everything is fitted on the others. */
function judge(cases: readonly Case[]): Judged[] {
  const names = [...new Set(cases.map(({ set }) => set))];
  return names.flatMap((name) => {
    const others = cases.filter(({ set }) => set !== name);
    const fitted = fitCalibration(others);
    const { high, middle } = fitTiers(others.map((each) => predict(each, fitted)));
    return cases
      .filter(({ set }) => set === name)
      .map((each) => {
        const prediction = predict(each, fitted);
        const { confidence } = prediction;
        const tier = confidence >= high ? 'high' : confidence >= middle ? 'middle' : 'low';
        const rank = each.articles.findIndex(({ id }) => id === each.answer) + 1;
        return { ...prediction, case: each, tier, rank };
      });
  });
}

function tiers(judged: readonly Judged[]): void {
  const of = (kind: Case['kind']) => judged.filter((each) => each.kind === kind);
  const [answerable, nearMisses, offTopic] = [of('answerable'), of('near miss'), of('off topic')];
  const isCited = ({ tier, isRight }: Judged) => tier !== 'low' && isRight;
  report('right article cited first, high or middle tier', computeShare(answerable, isCited), { atLeast: 0.75 });
  const high = [...answerable, ...nearMisses].filter(({ tier }) => tier === 'high');
  const isRight = (each: Judged) => each.isRight;
  report('high-tier answers that are right', computeShare(high, isRight), { atLeast: 0.9 }, `${high.length} answers`);
  const rightHigh = high.filter(isRight).length;
  report('answerable questions answered in the high tier', share(rightHigh, answerable.length));
  const isHigh = ({ tier }: Judged) => tier === 'high';
  report('near misses in the high tier', computeShare(nearMisses, isHigh), { atMost: 0.1 });
  report(
    'near misses in the middle tier',
    computeShare(nearMisses, ({ tier }) => tier === 'middle'),
  );
  report('off-topic questions in the high tier', computeShare(offTopic, isHigh), { atMost: 0.02 });
  report(
    'off-topic questions said to be not found',
    computeShare(offTopic, ({ tier }) => tier === 'low'),
  );
  report('calibration error', calibrationError([...answerable, ...nearMisses]), { atMost: 0.05 });
}

const kinds = ["article's words", 'other words', 'chat message', 'a fact', 'a situation', 'keywords or a ramble'];

/** Compares the ranking with the simple score, which must not be better. */
function retrieval(judged: readonly Judged[]): void {
  const answerable = judged.filter(({ kind }) => kind === 'answerable');
  const rows = answerable.map((each) => {
    const { simply: simple } = each.case;
    const simpleRank = simple.findIndex(({ id }) => id === each.case.answer) + 1;
    const isAnswered = (simple[0]?.score ?? 0) >= minSimpleScore;
    return { place: each.case.place, sharesNoWord: each.case.sharesNoWord, rank: each.rank, simpleRank, isAnswered };
  });
  const line = (name: string, part: typeof rows) => {
    const at = (key: 'rank' | 'simpleRank', most: number) => computeShare(part, (row) => row[key] <= most).toFixed(3);
    const ours = `${at('rank', 1)} / ${at('rank', 3)}`;
    const simple = `${at('simpleRank', 1)} / ${at('simpleRank', 3)}`;
    console.log(`    ${name.padEnd(40)} ${ours}   simple score ${simple}   (${part.length})`);
  };
  console.log('    right article first / among three');
  line('all', rows);
  for (const [place, name] of kinds.entries())
    line(
      `  ${name}`,
      rows.filter((row) => row.place === place),
    );
  line(
    '  no word in common with the article',
    rows.filter((row) => row.sharesNoWord),
  );
  const misses = judged.filter(({ kind }) => kind === 'near miss').map((each) => each.case.simply);
  const answered = computeShare(rows, ({ simpleRank, isAnswered }) => simpleRank === 1 && isAnswered);
  const wrong = computeShare(misses, ([first]) => (first?.score ?? 0) >= minSimpleScore);
  const refused = `answers ${answered.toFixed(3)} rightly and ${wrong.toFixed(3)} of the near misses`;
  console.log(`    the simple score, answering from ${minSimpleScore}, ${refused}`);
}

/** The share of the labelled evidence in the quotation of a correctly cited answer. */
async function quotations(
  sets: readonly ReadingSet[],
  indexes: ReadonlyMap<string, LearnedIndex>,
  encoder: Encoder,
): Promise<void> {
  const overlaps: number[] = [];
  let characters = 0;
  for (const { name, articles } of sets) {
    const ask = createAnswerer(encoder, indexes.get(name) ?? new LearnedIndex(), articles);
    for (const { id, questions } of articles) {
      for (const { q, answerable, evidence = '' } of questions) {
        if (!answerable) continue;
        const { answer, citations } = await ask(q);
        if (citations[0]?.article_id !== id) continue;
        const found = overlap(evidence, answer);
        overlaps.push(found);
        characters += answer.length;
        if (verbose && found < 0.9) console.log(`    not quoted: ${q} → ${evidence}`);
      }
    }
  }
  const mean = share(
    overlaps.reduce((sum, each) => sum + each, 0),
    overlaps.length,
  );
  report('words of the evidence in the quotation, rightly cited', mean, { atLeast: 0.75 });
  report(
    '… quotations with all of the evidence',
    computeShare(overlaps, (each) => each >= 0.99),
  );
  report('… characters per quotation', share(characters, overlaps.length));
}

function overlap(evidence: string, answer: string): number {
  const said = new Set(splitTerms(answer));
  return computeShare(splitTerms(evidence), (term) => said.has(term));
}
