import type { Json, SearchClient } from '../platform/clients/opensearch.ts';
import { requireValue } from '../platform/require-value.ts';
import type { FeedEntry } from './feed-store.ts';
import {
  decodeListing,
  formatRecordId,
  type Listing,
  type ListingSpec,
  listTimeColumns,
  splitEdges,
} from './listing.ts';
import {
  formatCode,
  formatHash,
  type IndexSchema,
  toElapsedField,
  toListSchema,
  unusable,
  verifySearch,
} from './search-index.ts';

// The documents of OpenSearch. Those of lists are decoded listings, with the hashes of their words as terms. Both engines
// therefore match the same words.

/** What is written to one index, and where it comes from. */
export interface IndexKind extends IndexSchema {
  /** The type of its entries in the feed. */
  feed: string;
  /** The settings and mappings of an index, the preferred one first; a server without a plugin rejects some. */
  definitions: readonly IndexDefinition[];
  toWrite(entry: FeedEntry): IndexWrite;
}

interface IndexDefinition {
  settings: object;
  mappings: { _meta: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>;
}

export interface IndexWrite {
  /** The type of the index. */
  type: string;
  id: string;
  /** Increases with every version of a record, so that repeated and late writes change nothing. */
  version: number;
  /** Null deletes it. */
  document: object | null;
}

/** The settings that every index has. */
export const indexSettings = {
  number_of_shards: 1,
  refresh_interval: '1s',
  // A late, older version must not restore a deleted record. The stream keeps entries for a day.
  gc_deletes: '25h',
};

export function toListIndex(spec: ListingSpec): IndexKind {
  const { type, schema } = toListSchema(spec);
  return {
    type,
    feed: type,
    schema,
    definitions: [{ settings: indexSettings, mappings: toMappings(spec, schema) }],
    toWrite: ({ listing }) => toListWrite(spec, listing),
  };
}

/** The time of the last change is the version. */
export function toListWrite(spec: ListingSpec, bytes: Uint8Array): IndexWrite {
  const listing = decodeListing(spec, bytes);
  return {
    type: spec.type,
    id: formatRecordId(listing.number, spec.idPrefix),
    version: requireValue(listing.times[1]),
    document: listing.deleted ? null : toSearchDocument(spec, listing),
  };
}

function toMappings(spec: ListingSpec, schema: string): IndexDefinition['mappings'] {
  const keyword = { type: 'keyword' };
  const times = listTimeColumns(spec);
  const texts = spec.strings.filter((name) => name !== spec.edges);
  return {
    dynamic: 'strict',
    _meta: { schema },
    _source: { excludes: ['words'] },
    properties: {
      number: { type: 'long' },
      words: { ...keyword, doc_values: false },
      ...Object.fromEntries(times.map((name) => [name, { type: 'long' }])),
      ...Object.fromEntries(times.slice(2).map((name) => [toElapsedField(name), { type: 'long', index: false }])),
      ...Object.fromEntries([...Object.keys(spec.enums), ...texts].map((name) => [name, keyword])),
      ...(spec.edges && {
        [spec.edges]: { ...keyword, index: false, doc_values: false },
        targets: { ...keyword, doc_values: false },
      }),
    },
  };
}

/** Absent fields are null. */
function toSearchDocument(spec: ListingSpec, { number, times, enums, strings, words }: Listing): object {
  const document: Record<string, unknown> = { number, words: Array.from(words, formatHash) };
  const createdMs = requireValue(times[0]);
  for (const [index, name] of listTimeColumns(spec).entries()) {
    const time = times[index] ?? 0;
    if (time === 0) continue;
    document[name] = time;
    if (index >= 2) document[toElapsedField(name)] = time - createdMs;
  }
  for (const [index, name] of Object.keys(spec.enums).entries()) document[name] = formatCode(enums[index] ?? 0);
  for (const [index, name] of spec.strings.entries()) {
    const text = strings[index] ?? null;
    if (text !== null) document[name] = text;
    if (name === spec.edges) document.targets = splitEdges(spec, text).map(({ target }) => target);
  }
  return document;
}

export interface RejectedWrite<Write> {
  write: Write;
  status: number;
  reason: string;
}

/** Writes in one request and returns what was not written. */
export async function writeDocuments<Write extends IndexWrite>(
  client: SearchClient,
  writes: readonly Write[],
  toIndex?: (type: string) => string,
): Promise<RejectedWrite<Write>[]> {
  if (writes.length === 0) return [];
  const lines = writes.flatMap(({ type, id, version, document }) => {
    const action = {
      _index: toIndex ? toIndex(type) : client.toIndexName(type),
      _id: id,
      version,
      version_type: 'external',
      // Otherwise a bulk request would create a missing index with any mapping.
      require_alias: toIndex === undefined,
    };
    return document ? [{ index: action }, document] : [{ delete: action }];
  });
  const { items } = await client.bulk(lines);
  return writes.flatMap((write, place) => {
    const { status, error } = Object.values(items[place])[0] as { status: number; error?: Json };
    // 409: the index has this version or a later one. 404: a deleted record that the index never had.
    const isDone = status < 300 || status === 409 || (status === 404 && error === undefined);
    return isDone ? [] : [{ write, status, reason: String(error?.reason ?? error?.type) }];
  });
}

/** Creates the index with the first definition that the server knows. Does nothing if the index exists. */
export async function createIndex(client: SearchClient, index: string, { definitions }: IndexKind): Promise<void> {
  let problem: unknown;
  for (const definition of definitions) {
    const { error } = await client.request('PUT', `/${index}`, definition, { accept: [400], timeoutMs: 30_000 });
    if (error === undefined || error.type === 'resource_already_exists_exception') return;
    problem = error.reason;
  }
  throw unusable(`SEARCH_ENDPOINT cannot create the index ${index}: ${problem}`);
}

/** The kinds without an index, or with one of another release. Throws if the engine itself cannot be used. */
export async function findUnusableIndexes(client: SearchClient, kinds: readonly IndexSchema[]): Promise<string[]> {
  await verifySearch(client, []);
  const found = await Promise.all(
    kinds.map(({ type }) =>
      client.request('GET', `/${client.toIndexName(type)}/_mapping`, undefined, { accept: [404] }),
    ),
  );
  return kinds.flatMap(({ type, schema }, place) => {
    const schemas = Object.values(found[place] as Record<string, Json>).map(({ mappings }) => mappings?._meta?.schema);
    return schemas.length > 0 && schemas.every((each) => each === schema) ? [] : [type];
  });
}
