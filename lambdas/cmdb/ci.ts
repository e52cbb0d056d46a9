import type { Relation, RelationType } from '../../contract/ci-relations.ts';
import { attributes as bounded, type Ci, type CiCreation, type CiPatch } from '../../contract/cis.ts';
import { idFormats } from '../../contract/ids.ts';
import { ciStatuses } from '../../contract/states.ts';
import { createDocumentType } from '../lists/document-type.ts';
import { type ListingSpec, splitEdges } from '../lists/listing.ts';
import { invalidField } from '../platform/service-error.ts';
import { applyPatch } from '../records/change-record.ts';
import type { StoredRecord } from '../records/record.ts';

/** The stored document: the response without the fields that every record has. */
export type CiDocument = Omit<Ci, 'id' | 'deleted' | 'created_at' | 'updated_at'>;

export type CiRecord = StoredRecord<CiDocument>;

function toCiResponse({ id, created_at, updated_at, deleted, document }: CiRecord): Ci {
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

/** Lists do not use `edges`. It lets the engine find the items that refer to an item. */
export const ciListing: ListingSpec = {
  type: 'ci',
  idPrefix: idFormats.ci.prefix,
  times: [],
  enums: { status: ciStatuses },
  strings: ['name', 'class', 'environment', 'owner', 'location', 'ip_address', 'edges'],
  edges: 'edges',
  words: ['name', 'class', 'environment', 'owner', 'location', 'ip_address'],
};

export const ciType = createDocumentType<CiDocument, Ci>(ciListing, 'cmdb/cis', {
  toResponse: toCiResponse,
  columns: ({ relations }) => ({ edges: formatEdges(relations) }),
});

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

/** One letter per relation type. Stored listings contain them, so they must never change. */
const letters: Readonly<Record<RelationType, string>> = {
  depends_on: 'd',
  runs_on: 'r',
  part_of: 'p',
  connected_to: 'c',
};

const typesByLetter = new Map(Object.entries(letters).map(([type, letter]) => [letter, type as RelationType]));

/** Formats relations as `d0000042 r0000007`; null when there are none. */
export function formatEdges(relations: readonly Relation[]): string | null {
  if (relations.length === 0) return null;
  return relations.map(({ type, ci_id }) => letters[type] + ci_id.slice(ciListing.idPrefix.length)).join(' ');
}

export function parseEdges(edges: string | null): Relation[] {
  return splitEdges(ciListing, edges).map(({ letter, target }) => {
    const type = typesByLetter.get(letter);
    if (!type) throw new Error(`unknown relation type in a listing: ${letter}`);
    return { type, ci_id: target };
  });
}
