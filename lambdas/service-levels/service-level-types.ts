import type { Calendar } from '../../contract/calendars.ts';
import { idFormats } from '../../contract/ids.ts';
import type { SlaPolicy } from '../../contract/sla-policies.ts';
import { slaKinds } from '../../contract/states.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { diffFields } from '../records/change-record.ts';
import { type FromRecord, type Resource, toDocumentResponse } from '../records/record.ts';

export type CalendarDocument = Omit<Calendar, FromRecord>;

export type PolicyDocument = Omit<SlaPolicy, FromRecord>;

const common = { times: [], strings: [], words: ['name', 'description'] };

export const calendarListing: ListingSpec = {
  type: 'calendar',
  idPrefix: idFormats.calendar.prefix,
  enums: {},
  ...common,
};

export const slaPolicyListing: ListingSpec = {
  type: 'sla_policy',
  idPrefix: idFormats.slaPolicy.prefix,
  enums: { kind: slaKinds },
  ...common,
};

function createType<Document extends object, View>(listing: ListingSpec, collection: string) {
  return {
    name: listing.type,
    collection,
    toResponse: toDocumentResponse,
    listing: (record) => encodeListing(listing, { ...(record.document as object), ...record }),
    indexKeys: () => ({}),
    changes: diffFields,
  } as Resource<Document, View>;
}

export const calendarType = createType<CalendarDocument, Calendar>(calendarListing, 'calendars');

export const policyType = createType<PolicyDocument, SlaPolicy>(slaPolicyListing, 'sla-policies');
