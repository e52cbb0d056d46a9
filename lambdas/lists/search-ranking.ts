import type { ListingSpec } from './listing.ts';
import { parseRecordNumber } from './listing.ts';
import { frequentHit, identifierHit, ownIdHit, plainHit, toWeight } from './ranking.ts';
import { formatHash, type Search } from './search-index.ts';
import { findIdentifiers, hashFrequent, hashIdentifier, hashTier, hashWord, splitWords } from './words.ts';

// The ranking of the replica as a query: every term adds its weight times its hits. All are whole numbers below 2^24, so
// the scores of OpenSearch, which are 32-bit floats, are exact.

interface SearchTerm {
  isWord: boolean;
  /** Matches records with the term. */
  filter: object;
  /** What a match adds, in addition to the first, which every match has. */
  hits: readonly { filter: object; hits: number }[];
}

const hasWord = (hash: number) => ({ term: { words: formatHash(hash) } });

export function toSearchTerms(spec: ListingSpec, text: string): SearchTerm[] {
  const words = [...splitWords([text])].map((word): SearchTerm => {
    const plain = hasWord(hashWord(word));
    const number = parseRecordNumber(word.toUpperCase(), spec.idPrefix);
    const own = number === undefined ? undefined : { term: { number } };
    const filter = own ? { bool: { should: [plain, own] } } : plain;
    const tiers = (spec.relevance ?? []).map(({ weight }, tier) => ({
      filter: hasWord(hashTier(tier, word)),
      hits: weight,
    }));
    const hits = [
      { filter, hits: plainHit },
      { filter: hasWord(hashFrequent(word)), hits: frequentHit },
      ...(own ? [{ filter: own, hits: ownIdHit }] : []),
      ...tiers,
    ];
    return { isWord: true, filter, hits };
  });
  const identifiers = [...findIdentifiers(text)].map((identifier): SearchTerm => {
    const filter = hasWord(hashIdentifier(identifier));
    return { isWord: false, filter, hits: [{ filter, hits: identifierHit }] };
  });
  return [...words, ...identifiers];
}

export async function computeSearchWeights(search: Search, terms: readonly SearchTerm[]): Promise<number[]> {
  const aggs = Object.fromEntries(terms.map(({ filter }, place) => [String(place), { filter }]));
  const { hits, aggregations } = await search({ size: 0, track_total_hits: true, aggs });
  return terms.map((_, place) => toWeight(hits.total.value, aggregations[place].doc_count));
}

/** Terms that no record has weigh nothing. */
export function buildRanking(terms: readonly SearchTerm[], weights: readonly number[]): object[] {
  return terms.flatMap(({ filter, hits }, place) => {
    const weight = weights[place] ?? 0;
    if (weight === 0) return [];
    const should = hits.map((each) => ({ constant_score: { filter: each.filter, boost: weight * each.hits } }));
    return [{ bool: { filter: [filter], should } }];
  });
}

/** At least half of the words, not counting words that no record has. */
export function buildHalf(terms: readonly SearchTerm[], weights: readonly number[]): object {
  const words = terms.filter(({ isWord }, place) => isWord && (weights[place] ?? 0) > 0).map(({ filter }) => filter);
  if (words.length === 0) return { match_none: {} };
  return { bool: { should: words, minimum_should_match: Math.ceil(words.length / 2) } };
}
