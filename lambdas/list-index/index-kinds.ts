import { learnedIndex } from '../ai/knowledge/learned-document.ts';
import { type IndexKind, toListIndex } from '../lists/search-documents.ts';
import { listings } from '../record-listings.ts';

/** Everything that OpenSearch indexes: the lists, and what was learned for the AI operations. */
export const indexKinds: readonly IndexKind[] = [...listings.map(toListIndex), learnedIndex];
