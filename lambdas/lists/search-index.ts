import { hash } from 'node:crypto';
import type { Json, SearchClient } from '../platform/clients/opensearch.ts';
import { requireValue } from '../platform/require-value.ts';
import { ServiceError } from '../platform/service-error.ts';
import type { ListingSpec } from './listing.ts';

// The indexes of OpenSearch. Each has an alias; `npm run reindex` builds a new index and moves the alias.

export interface IndexSchema {
  type: string;
  /** Changes with the documents. An index with another schema must be rebuilt. */
  schema: string;
}

/** Sends a search body to one index. */
export type Search = (body: object) => Promise<Json>;

/** Verifies the index before the first search. `_meta` says which of the definitions the index has. */
export function createSearch(client: SearchClient, kind: IndexSchema): (body: SearchBody) => Promise<Json> {
  const path = `/${client.toIndexName(kind.type)}/_search`;
  let verified: Promise<Record<string, string>[]> | undefined;
  // Part of a result would look like fewer records.
  const options = { querystring: { allow_partial_search_results: 'false' } };
  return async (body) => {
    verified ??= verifySearch(client, [kind]);
    try {
      const [meta = {}] = await verified;
      return await client.request('POST', path, typeof body === 'function' ? body(meta) : body, options);
    } catch (error) {
      // The index may be another one by now.
      verified = undefined;
      throw error;
    }
  };
}

type SearchBody = object | ((meta: Readonly<Record<string, string>>) => object);

/** Increased when documents of the same listing change. */
const layout = 1;

/** The prefix of the time from the creation to another time. */
const elapsed = 'elapsed_';

export const toElapsedField = (time: string) => elapsed + time;

export const toListSchema = (spec: ListingSpec): IndexSchema => ({ type: spec.type, schema: toSchema(layout, spec) });

export const toSchema = (...parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts)).slice(0, 16);

/** Codes sort like the values of the enum; 000 is null. */
export const formatCode = (code: number) => String(code).padStart(3, '0');

export const formatHash = (word: number) => (word >>> 0).toString(36);

const minMajorVersion = 2;

/** Throws an error that names the setting if the engine cannot be used. Returns the `_meta` of each index. */
export async function verifySearch(
  client: SearchClient,
  kinds: readonly IndexSchema[],
): Promise<Record<string, string>[]> {
  const { version } = await client.request('GET', '/');
  if (Number.parseInt(version?.number, 10) < minMajorVersion || version?.distribution !== 'opensearch')
    throw unusable(
      `SEARCH_ENDPOINT is ${version?.distribution ?? 'a server'} ${version?.number ?? ''}; OpenSearch 2 is required.`,
    );
  return Promise.all(kinds.map((kind) => verifyIndex(client, kind)));
}

async function verifyIndex(client: SearchClient, { type, schema }: IndexSchema): Promise<Record<string, string>> {
  const alias = client.toIndexName(type);
  const found = await client.request('GET', `/${alias}/_mapping`);
  const metas = (Object.values(found) as Json[]).map(({ mappings }) => mappings._meta ?? {});
  if (metas.some((meta) => meta.schema !== schema))
    throw unusable(
      `The index ${alias} of SEARCH_ENDPOINT has the mapping of another release. Run \`npm run reindex\`.`,
    );
  return requireValue(metas[0]);
}

export const unusable = (text: string) => new ServiceError('unavailable', text, { headers: { 'Retry-After': '30' } });
