import type { FeedEntry } from '../../lists/feed-store.ts';
import { parseFeedId, parseFeedTime } from '../../lists/live-replica.ts';
import { type IndexKind, type IndexWrite, indexSettings } from '../../lists/search-documents.ts';
import { formatHash, toSchema } from '../../lists/search-index.ts';
import { embedderName } from '../embedding/model-files.ts';
import { dimensions, packedBytes } from '../embedding/vector.ts';
import { learnedType } from '../learning/learned-store.ts';
import { isForgotten, learnedFormat, readFacts, readTerms, readUnits, toLearnedBytes } from './learned-item.ts';

// The index of learned records in OpenSearch: one document per record, with a vector for each of its units. The fields find
// candidates; `listing` has everything that ranks them. A server with the k-NN plugin has a graph of the vectors, another
// one compares all of them with a script.

const type = 'learned';
const schema = toSchema(1, embedderName, learnedFormat);

const vectorFields = {
  knn: {
    type: 'knn_vector',
    dimension: dimensions,
    data_type: 'byte',
    method: { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' },
  },
  script: { type: 'binary', doc_values: true },
};

export type VectorSearch = keyof typeof vectorFields;

/** Documents have both forms, because their writers do not know which one the server uses. */
const unused = { type: 'object', enabled: false };

const toDefinition = (vectors: VectorSearch) => ({
  settings: { ...indexSettings, ...(vectors === 'knn' && { 'index.knn': true }) },
  mappings: {
    dynamic: 'strict',
    _meta: { schema, vectors },
    _source: { includes: ['listing'] },
    properties: {
      kind: { type: 'keyword' },
      open: { type: 'boolean' },
      has_resolution: { type: 'boolean' },
      category: { type: 'keyword' },
      words: { type: 'keyword', doc_values: false },
      length: { type: 'integer' },
      listing: { type: 'binary' },
      units: { type: 'nested', properties: { knn: unused, script: unused, [vectors]: vectorFields[vectors] } },
    },
  },
});

export const learnedIndex: IndexKind = {
  type,
  feed: learnedType,
  schema,
  definitions: [toDefinition('knn'), toDefinition('script')],
  toWrite: toLearnedWrite,
};

/** The time when it was learned is the version, as in the memory of a function. */
function toLearnedWrite({ key, listing }: FeedEntry): IndexWrite {
  const learned = toLearnedBytes(listing);
  const written = { type, id: parseFeedId(key), version: parseFeedTime(key) };
  if (isForgotten(learned)) return { ...written, document: null };
  const { bytes } = learned;
  const facts = readFacts(learned);
  if (facts.kind === 'problem') return { ...written, document: null };
  const units = readUnits(learned);
  const whole = units.find(({ level }) => level === 'record');
  const terms = whole && readTerms(bytes, whole.termsStart);
  const document = {
    kind: facts.kind,
    ...(facts.kind === 'incident' && {
      open: facts.open,
      has_resolution: facts.has_resolution,
      ...(facts.category !== null && { category: facts.category }),
    }),
    words: Array.from(terms?.hashes ?? [], formatHash),
    length: terms?.length ?? 0,
    listing: Buffer.from(listing).toString('base64'),
    units: units.map(({ vectorStart }) => {
      const numbers = bytes.subarray(vectorStart + packedBytes - dimensions, vectorStart + packedBytes);
      return { knn: [...Int8Array.from(numbers)], script: numbers.toString('base64') };
    }),
  };
  return { ...written, document };
}
