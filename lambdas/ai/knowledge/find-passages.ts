import { maxRelated } from '../../../contract/ai-schemas.ts';
import type { ReadRecord, ReadRecords } from '../../lists/record-store.ts';
import { roundShare } from '../assistant.ts';
import type { Encoder } from '../embedding/embedder.ts';
import type { Passage } from '../prompts/passage.ts';
import type { RankedArticle } from './article-ranking.ts';
import { calibration } from './calibration.ts';
import { judgeAnswers, type Tier } from './judge-answers.ts';
import type { LearnedEngine } from './learned-engine.ts';
import { type ArticleText, splitPassages } from './passages.ts';

export interface FoundPassages {
  /** Best first. Several may be of one article. */
  passages: (Passage & { relevance: number })[];
  /** The best articles, best first. */
  related: FoundArticle[];
  confidence: number;
  tier: Tier;
  articles: readonly ReadRecord<ArticleText>[];
}

export interface FoundArticle {
  article_id: string;
  title: string;
  relevance: number;
}

export type FindPassages = (text: string, count: number) => Promise<FoundPassages>;

const maxArticles = 5;

/**
 * Finds the passages of published articles that match a text best. The text comes from the table, because the index may
 * not know yet that an article was unpublished, deleted or edited.
 */
export function createPassageFinder(
  { embed, compare }: Encoder,
  engine: LearnedEngine,
  read: ReadRecords,
): FindPassages {
  return async (text, count) => {
    const vector = await embed(text);
    const { articles: ranked } = await engine.rankArticles({ vector, text, count: maxArticles });
    const records = await read<ArticleText & { state: string }>(ranked.map(({ id }) => id));
    const articles = records.filter(({ record }) => record.document.state === 'published');
    const texts = new Map(articles.map(({ record }) => [record.id, record.document]));
    const published = ranked.flatMap((article) => {
      const text = texts.get(article.id);
      return text ? [{ ...article, text }] : [];
    });
    const { articles: shown, confidence, tier } = await judgeAnswers(text, published, compare);
    const related = shown
      .filter(({ score }) => score >= calibration.minRelatedScore)
      .slice(0, maxRelated)
      .map(({ id, score, text: { title } }) => ({ article_id: id, title, relevance: roundShare(score) }));
    return {
      passages: toOrderedPassages(shown).slice(0, count),
      related,
      confidence,
      tier,
      articles,
    };
  };
}

/** Unlike a colon, this separator is rare in titles. */
const headingSeparator = ' › ';

export function toArticleTitle(passageTitle: string): string {
  return passageTitle.split(headingSeparator, 1).join('');
}

/** The first article is the best answer, also if a passage of another one has a higher score. */
function toOrderedPassages([first, ...others]: readonly (RankedArticle & { text: ArticleText })[]) {
  if (!first) return [];
  const rest = others.flatMap(toPassages);
  const own = toPassages(first);
  const max = own[0]?.relevance ?? 0;
  const capped = rest.map((passage) => ({ ...passage, relevance: Math.min(passage.relevance, max) }));
  return [...own, ...capped].sort((a, b) => b.relevance - a.relevance);
}

function toPassages({ id, passages, text }: RankedArticle & { text: ArticleText }) {
  const parts = splitPassages(text);
  return passages.flatMap(({ passage, score }) => {
    const part = parts[passage];
    if (!part) return [];
    const title = part.heading ? `${text.title}${headingSeparator}${part.heading}` : text.title;
    return [{ source: id, kind: 'article', title, part: passage, relevance: roundShare(score), text: part.text }];
  });
}

/** The cited articles and known errors, each with the relevance of its best passage. Ignores ids that the model was not given. */
export function toCitations(sources: readonly string[], passages: FoundPassages['passages']): FoundArticle[] {
  return [...new Set(sources)].flatMap((source) => {
    const best = passages.find((passage) => passage.source === source);
    return best ? [{ article_id: source, title: toArticleTitle(best.title ?? ''), relevance: best.relevance }] : [];
  });
}
