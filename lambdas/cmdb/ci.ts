import { attributes as bounded, type Ci, type CiCreation, type CiPatch } from '../../contract/cis.ts';
import { encodeListing } from '../lists/listing.ts';
import { invalidField } from '../platform/service-error.ts';
import { applyPatch, diffFields } from '../records/change-record.ts';
import type { Resource, StoredRecord } from '../records/record.ts';
import { ciListing, formatEdges } from './ci-listing.ts';

/** The stored document: the response fields without those of the record. */
export type CiDocument = Omit<Ci, 'id' | 'deleted' | 'created_at' | 'updated_at'>;

export type CiRecord = StoredRecord<CiDocument>;

export function toCiResponse({ id, created_at, updated_at, deleted, document }: CiRecord): Ci {
  return { id, ...document, deleted, created_at, updated_at };
}

export function newCiDocument(creation: CiCreation, discoveredAt: string | null): CiDocument {
  return {
    ...creation,
    attributes: mergeAttributes({}, creation.attributes),
    discovered_at: discoveredAt,
  };
}

/** Applies a patch. Limits that depend on the merged result are checked here. */
export function applyCiPatch({ id, document }: CiRecord, { attributes: names, ...patch }: CiPatch): CiDocument {
  const after = applyPatch(document, patch as Partial<CiDocument>);
  if (after.relations.some(({ ci_id }) => ci_id === id))
    throw invalidField('relations', 'must not refer to the item itself');
  if (names === undefined) return after;
  const attributes = mergeAttributes(document.attributes, names);
  const problem = bounded.safeParse(attributes).error?.issues[0];
  if (problem) throw invalidField('attributes', problem.message);
  return { ...after, attributes };
}

export const ciType: Resource<CiDocument, Ci> = {
  name: ciListing.type,
  collection: 'cmdb/cis',
  toResponse: toCiResponse,
  listing: (record) => {
    const edges = formatEdges(record.document.relations);
    return encodeListing(ciListing, { ...record.document, ...record, edges });
  },
  indexKeys: () => ({}),
  changes: diffFields,
};

type Json = Readonly<Record<string, unknown>>;

/** JSON merge patch (RFC 7396): null removes a name at any depth. */
function mergeAttributes(target: Json, patch: Json): Record<string, unknown> {
  const names = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) names.delete(name);
    else if (isObject(value))
      names.set(name, mergeAttributes(isObject(names.get(name)) ? (names.get(name) as Json) : {}, value));
    else names.set(name, value);
  }
  return Object.fromEntries(names);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
