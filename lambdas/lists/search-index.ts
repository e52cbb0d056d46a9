import { hash } from 'node:crypto';
import type { Json, SearchClient } from '../platform/clients/opensearch.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import {
  decodeListing,
  formatRecordId,
  type Listing,
  type ListingSpec,
  listTimeColumns,
  splitEdges,
} from './listing.ts';

// The documents of OpenSearch: decoded listings, with the hashes of their words as terms. Both engines therefore match
// the same words. Each record type has an alias; `npm run reindex` builds a new index and moves the alias.

/** Sends a search body to the index of one record type. */
export type Search = (body: object) => Promise<Json>;

/** Increased when documents of the same listing change. */
const layout = 1;

/** The prefix of the time from the creation to another time. */
const elapsed = 'elapsed_';

export const toElapsedField = (time: string) => elapsed + time;

const toSchema = (spec: ListingSpec) => hash('sha256', JSON.stringify([layout, spec])).slice(0, 16);

export function toIndexDefinition(spec: ListingSpec): object {
  const keyword = { type: 'keyword' };
  const times = listTimeColumns(spec);
  const texts = spec.strings.filter((name) => name !== spec.edges);
  return {
    settings: {
      number_of_shards: 1,
      refresh_interval: '1s',
      // A late, older version must not restore a deleted record. The stream keeps entries for a day.
      gc_deletes: '25h',
    },
    mappings: {
      dynamic: 'strict',
      _meta: { schema: toSchema(spec) },
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
    },
  };
}

/** Absent fields are null. */
export function toSearchDocument(spec: ListingSpec, { number, times, enums, strings, words }: Listing): object {
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

/** Codes sort like the values of the enum; 000 is null. */
export const formatCode = (code: number) => String(code).padStart(3, '0');

export const formatHash = (word: number) => (word >>> 0).toString(36);

/** A record to write, as the stream and the feed deliver it. */
export interface Indexed {
  spec: ListingSpec;
  listing: Uint8Array;
}

export interface RejectedWrite<Entry> {
  entry: Entry;
  status: number;
  reason: string;
}

/**
 * Writes the records in one request and returns those that were not written. The time of the last change is the external
 * version: it increases with every version of a record, so repeated and late entries change nothing.
 */
export async function writeDocuments<Entry extends Indexed>(
  client: SearchClient,
  entries: readonly Entry[],
  toIndex?: (spec: ListingSpec) => string,
): Promise<RejectedWrite<Entry>[]> {
  if (entries.length === 0) return [];
  const lines = entries.flatMap(({ spec, listing: bytes }) => {
    const listing = decodeListing(spec, bytes);
    const action = {
      _index: toIndex ? toIndex(spec) : client.toIndexName(spec.type),
      _id: formatRecordId(listing.number, spec.idPrefix),
      version: requireValue(listing.times[1]),
      version_type: 'external',
      // Otherwise a bulk request would create a missing index with any mapping.
      require_alias: toIndex === undefined,
    };
    return listing.deleted ? [{ delete: action }] : [{ index: action }, toSearchDocument(spec, listing)];
  });
  const { items } = await client.bulk(lines);
  return entries.flatMap((entry, place) => {
    const { status, error } = Object.values(items[place])[0] as { status: number; error?: Json };
    // 409: the index has this version or a later one. 404: a deleted record that the index never had.
    const isDone = status < 300 || status === 409 || (status === 404 && error === undefined);
    return isDone ? [] : [{ entry, status, reason: String(error?.reason ?? error?.type) }];
  });
}

/** The record types without an index. */
export async function findMissingIndexes(client: SearchClient, specs: readonly ListingSpec[]): Promise<string[]> {
  const found = await Promise.all(
    specs.map(({ type }) => client.request('GET', `/_alias/${client.toIndexName(type)}`, undefined, { accept: [404] })),
  );
  return specs.flatMap(({ type }, place) => (found[place].error === undefined ? [] : [type]));
}

const minMajorVersion = 2;

/** Throws an error that names the setting if the lists cannot use the engine. */
export async function verifySearch(client: SearchClient, specs: readonly ListingSpec[]): Promise<void> {
  const { version } = await client.request('GET', '/');
  if (Number.parseInt(version?.number, 10) < minMajorVersion || version?.distribution !== 'opensearch')
    throw unusable(
      `SEARCH_ENDPOINT is ${version?.distribution ?? 'a server'} ${version?.number ?? ''}; OpenSearch 2 is required.`,
    );
  for (const spec of specs) {
    const found = await client.request('GET', `/${client.toIndexName(spec.type)}/_mapping`);
    for (const { mappings } of Object.values(found) as Json[]) {
      if (mappings._meta?.schema === toSchema(spec)) continue;
      throw unusable(
        `The index ${client.toIndexName(spec.type)} of SEARCH_ENDPOINT has the mapping of another release. Run \`npm run reindex\`.`,
      );
    }
  }
}

const unusable = (text: string) => new ServiceError('unavailable', text, { headers: { 'Retry-After': '30' } });
