import { ciStatuses, type Relation, type RelationType } from '../../contract/ci-relations.ts';
import { idFormats } from '../../contract/ids.ts';
import type { ListingSpec } from '../lists/listing.ts';

/**
 * `edges` is not for lists: it brings the relations of all items into the replica, which makes reverse lookups possible
 * without a call.
 */
export const ciListing: ListingSpec = {
  type: 'ci',
  idPrefix: idFormats.ci.prefix,
  times: [],
  enums: { status: ciStatuses },
  strings: ['name', 'class', 'environment', 'owner', 'location', 'ip_address', 'edges'],
  words: ['name', 'class', 'environment', 'owner', 'location', 'ip_address'],
};

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

export function parseEdges(text: string): Relation[] {
  return text.split(' ').map((edge) => {
    const type = typesByLetter.get(edge.charAt(0));
    if (!type) throw new Error(`unknown relation type in a listing: ${edge}`);
    return { type, ci_id: ciListing.idPrefix + edge.slice(1) };
  });
}
