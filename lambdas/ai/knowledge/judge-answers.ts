import type { Compare } from '../embedding/embedder.ts';
import type { RankedArticle } from './article-ranking.ts';
import { type Calibration, calibration } from './calibration.ts';
import { type ArticleText, splitPassages, splitSentences } from './passages.ts';

// Reads the question together with the best passage of each of the best articles, because a ranking by vectors and words
// cannot tell a passage that answers from one about the same topic (docs/decisions/0040). The confidence in the first
// article is fitted to labelled questions (`npm run calibrate`).

/** `high`: answer; `middle`: quote the closest match and say so; `low`: not found. */
export type Tier = 'high' | 'middle' | 'low';

export interface JudgedArticle extends RankedArticle {
  /** The log odds that its best passage answers the question. */
  answer: number;
}

export interface Judgement<Own extends RankedArticle> {
  /** Best first. */
  articles: readonly (Own & JudgedArticle)[];
  /** The probability that the first article answers the question. */
  confidence: number;
  tier: Tier;
}

/** Every reading takes some milliseconds. An article with a much lower score is hardly ever the better one. */
const maxRead = 3;
const reach = 0.08;
const answerWeight = 0.05;

export async function judgeAnswers<Own extends RankedArticle & { text: ArticleText }>(
  question: string,
  ranked: readonly Own[],
  compare: Compare,
): Promise<Judgement<Own>> {
  const minScore = (ranked[0]?.score ?? 0) - reach;
  const near = ranked.slice(0, maxRead).filter(({ score }) => score >= minScore);
  const read: (Own & JudgedArticle)[] = [];
  for (const article of near) {
    const { answers } = await compare(question, toWindow(article));
    read.push({ ...article, answer: Math.log(answers / (1 - answers)) });
  }
  const total = ({ score, answer }: JudgedArticle) => score + answerWeight * answer;
  read.sort((a, b) => total(b) - total(a));
  const others = ranked.slice(near.length).map((article) => ({ ...article, answer: 0 }));
  const articles = [...read, ...others];
  const confidence = toConfidence(articles, calibration.confidence);
  const { high, middle } = calibration.tiers;
  return { articles, confidence, tier: confidence >= high ? 'high' : confidence >= middle ? 'middle' : 'low' };
}

const maxWindowCharacters = 330;

/** The title, and the best sentence of the best passage with its neighbours. */
function toWindow({ passages: [best], text }: RankedArticle & { text: ArticleText }): string {
  const parts = splitPassages(text);
  const all = splitSentences(parts).filter(({ passage }) => passage === best?.passage);
  const sentences = all.length > 0 ? all.map((sentence) => sentence.text) : [parts[best?.passage ?? 0]?.text ?? ''];
  let from = Math.min(best?.sentence ?? 0, sentences.length - 1);
  let until = from + 1;
  let characters = sentences[from]?.length ?? 0;
  const fits = (sentence: string | undefined) =>
    sentence !== undefined && characters + sentence.length <= maxWindowCharacters;
  for (;;) {
    const [before, after] = [sentences[from - 1], sentences[until]];
    if (fits(after)) until++;
    else if (fits(before)) from--;
    else break;
    characters = sentences.slice(from, until).join('').length;
  }
  return `${text.title}. ${sentences.slice(from, until).join(' ')}`;
}

type Signals = Pick<JudgedArticle, 'score' | 'answer'>;

/** In a small knowledge base there is no second article; the floor keeps the margin from being large then. */
export function toSignals(first: Signals, others: readonly Pick<Signals, 'score'>[], secondFloor: number) {
  const second = Math.max(secondFloor, ...others.map(({ score }) => score));
  return { score: first.score, margin: first.score - second, answer: first.answer };
}

export function toConfidence([first, ...others]: readonly Signals[], weights: Calibration['confidence']): number {
  if (!first) return 0;
  const { score, margin, answer } = toSignals(first, others, weights.secondFloor);
  const odds = weights.intercept + weights.score * score + weights.margin * margin + weights.answer * answer;
  return 1 / (1 + Math.exp(-odds));
}
