// Articles for the text of an incident. A search matches articles with at least half of its words, which no article has
// of a long text. So a long text becomes one search for each of its longest words, and the article with the most hits wins.

const maxWords = 8;

const maxSearches = 5;

const minLength = 5;

const maxQueryLength = 200;

export function listSearches(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  if (words.length <= maxWords) return [text.slice(0, maxQueryLength)];
  const long = [...new Set(words)].filter((word) => word.length >= minLength && word.length <= maxQueryLength);
  return long.sort((a, b) => b.length - a.length).slice(0, maxSearches);
}

/** Articles in more of the lists come first, then those with better places in them. */
export function rankByHits<Article extends { id: string }>(lists: readonly (readonly Article[])[]): Article[] {
  const found = new Map<string, { article: Article; hits: number; places: number }>();
  for (const list of lists) {
    for (const [place, article] of list.entries()) {
      const { hits, places } = found.get(article.id) ?? { hits: 0, places: 0 };
      found.set(article.id, { article, hits: hits + 1, places: places + place });
    }
  }
  const ranked = [...found.values()].sort((a, b) => b.hits - a.hits || a.places - b.places);
  // With several searches, a single hit says little.
  const minHits = lists.length > 1 ? 2 : 1;
  return ranked.filter(({ hits }) => hits >= minHits).map(({ article }) => article);
}
