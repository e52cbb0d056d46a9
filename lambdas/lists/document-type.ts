import { diffFields } from '../records/change-record.ts';
import { type Resource, type StoredRecord, toDocumentResponse } from '../records/record.ts';
import { encodeListing, type ListingSpec } from './listing.ts';

interface Differences<Document, View> extends Partial<Pick<Resource<Document, View>, 'toResponse' | 'changes'>> {
  /** Columns of the list that are no fields. */
  columns?(document: Document): object;
}

/** A record type whose document is its response and its entry in the list, except for the given differences. */
export function createDocumentType<Document extends object, View>(
  listing: ListingSpec,
  collection: string,
  { columns = () => ({}), ...differences }: Differences<Document, View> = {},
): Resource<Document, View> {
  return {
    name: listing.type,
    collection,
    toResponse: toDocumentResponse as unknown as Resource<Document, View>['toResponse'],
    listing: (record: StoredRecord<Document>) =>
      encodeListing(listing, { ...(record.document as object), ...record, ...columns(record.document) }),
    indexKeys: () => ({}),
    changes: diffFields,
    ...differences,
  };
}
