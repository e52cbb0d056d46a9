import { type Query, type Ranking, rankArticles } from './article-ranking.ts';
import { type FoundIncident, type IncidentSearch, searchIncidents } from './incident-search.ts';
import { type ArticleFacts, decodeLearned, type IncidentFacts } from './learned-item.ts';
import { LearnedKind } from './learned-kind.ts';

/** More incidents than this are forgotten, oldest first, so that the memory of an instance stays bounded. */
const maxIncidents = 120_000;

/** Everything learned, in the memory of a warm function. */
export class LearnedIndex {
  readonly articles = new LearnedKind<ArticleFacts>();
  readonly incidents = new LearnedKind<IncidentFacts>();
  private readonly seen = new Map<string, number>();

  get size(): number {
    return this.articles.size + this.incidents.size;
  }

  knows(id: string, atMs: number): boolean {
    return (this.seen.get(id) ?? -1) >= atMs;
  }

  apply(id: string, atMs: number, bytes: Uint8Array): void {
    if (this.knows(id, atMs)) return;
    const learned = decodeLearned(bytes);
    this.seen.set(id, atMs);
    this.articles.remove(id);
    this.incidents.remove(id);
    if (!learned) return;
    if (learned.facts.kind === 'article') this.articles.add(id, learned);
    else this.incidents.add(id, learned);
    if (this.incidents.size > maxIncidents) this.incidents.remove(this.incidents.oldest!);
  }

  searchIncidents(search: IncidentSearch): FoundIncident[] {
    return searchIncidents(this.incidents, search);
  }

  rankArticles(query: Query): Ranking {
    return rankArticles(this.articles, query);
  }
}
