import type { ListingSpec } from '../lists/listing.ts';

/** What lists of articles filter, sort, search and rank by. */
export const articleListing: ListingSpec = {
  type: 'article',
  idPrefix: 'KB',
  times: [],
  enums: { state: ['draft', 'published'] },
  strings: ['category'],
  sets: ['tags'],
  words: ['title', 'tags', 'category', 'body'],
  relevance: [
    { fields: ['title'], weight: 8 },
    { fields: ['tags', 'category'], weight: 3 },
  ],
  // The longest article has some five thousand words, about two thousand of them different.
  mostWords: 3_000,
};
