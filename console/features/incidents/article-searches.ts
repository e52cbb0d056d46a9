// Articles for the text of an incident, whose first line is the short description. A search matches articles with at
// least half of its words, which no article has of a long text. So a long text becomes a search for its first line and one
// for each of its longest words, and the article with the most hits wins.

const maxWords = 8;

const maxWordSearches = 5;

/** The first line says what the incident is about: its hits count for two words. */
const firstLineWeight = 2;

const minLength = 5;

const maxQueryLength = 200;

export function listSearches(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? [];
  if (words.length <= maxWords) return [text.slice(0, maxQueryLength)];
  const long = [...new Set(words)].filter((word) => word.length >= minLength && word.length <= maxQueryLength);
  const [firstLine = ''] = text.split('\n');
  return [firstLine.slice(0, maxQueryLength), ...long.sort((a, b) => b.length - a.length).slice(0, maxWordSearches)];
}

/** Articles in more of the lists come first, then those with better places in them. The first list is that of the first line. */
export function rankByHits<Article extends { id: string }>(lists: readonly (readonly Article[])[]): Article[] {
  const found = new Map<string, { article: Article; hits: number; places: number }>();
  for (const [index, list] of lists.entries()) {
    const weight = index === 0 ? firstLineWeight : 1;
    for (const [place, article] of list.entries()) {
      const { hits, places } = found.get(article.id) ?? { hits: 0, places: 0 };
      found.set(article.id, { article, hits: hits + weight, places: places + place });
    }
  }
  const ranked = [...found.values()].sort((a, b) => b.hits - a.hits || a.places - b.places);
  // With several searches, a single hit says little.
  const minHits = lists.length > 1 ? 2 : 1;
  return ranked.filter(({ hits }) => hits >= minHits).map(({ article }) => article);
}
